import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, SceneIndex } from '../../../src/index.js';
import { STRUCTURES } from '../../../src/standalone.js';
import { indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh, morphedMesh, skinnedTower, strewn } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { atWidth } from '../../helpers/width.js';

/** Rays of all worlds together. */
const RAYS = atWidth(10_000, 3000);
const WORLDS = 20;
const OBJECTS = 70;

type Next = () => number;

const sides = [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide];
const materials = sides.map((side) => new THREE.MeshBasicMaterial({ side }));
const material = (next: Next): THREE.MeshBasicMaterial => materials[Math.floor(next() * 3)];
const six = (next: Next): THREE.MeshBasicMaterial[] => Array.from({ length: 6 }, () => material(next));

/** Solids with an index and without, in groups and not, drawn in part. */
const solids: (() => THREE.BufferGeometry)[] = [
  () => new THREE.BoxGeometry(),
  () => new THREE.BoxGeometry(1, 2, 1).toNonIndexed(),
  () => new THREE.SphereGeometry(0.8, 5, 4),
  () => new THREE.TetrahedronGeometry(1),
  () => new THREE.TorusGeometry(0.7, 0.2, 3, 5),
  () => new THREE.PlaneGeometry(2, 2),
];

function solid(next: Next): THREE.BufferGeometry {
  const geometry = solids[Math.floor(next() * solids.length)]();
  if (next() < 0.3) geometry.setDrawRange(3 * Math.floor(next() * 3), 3 * Math.floor(1 + next() * 6));
  return geometry;
}

/** Places in an order of their own, some twice, some not at all. */
function indexed(geometry: THREE.BufferGeometry, next: Next): THREE.BufferGeometry {
  const { count } = geometry.attributes.position;
  if (next() < 0.5) geometry.setIndex(Array.from({ length: count }, () => Math.floor(next() * count)));
  if (next() < 0.3) geometry.setDrawRange(Math.floor(next() * 3), 2 + Math.floor(next() * 5));
  return geometry;
}

function put(next: Next, spread = 3): THREE.Matrix4 {
  const matrix = new THREE.Matrix4().makeRotationX(next() * 6);
  if (next() < 0.2) matrix.scale(new THREE.Vector3(-1, 1, 0.5));
  return matrix.setPosition(next() * spread, next() * spread, next() * spread);
}

const KINDS: { [kind: string]: (next: Next) => THREE.Object3D } = {
  mesh: (next) => new THREE.Mesh(solid(next), material(next)),
  'mesh of groups': (next) => new THREE.Mesh(new THREE.BoxGeometry(), six(next)),
  'mesh of groups in part': (next) => {
    const geometry = new THREE.BoxGeometry();
    geometry.setDrawRange(6, 15);
    return new THREE.Mesh(geometry, six(next));
  },
  'mesh of several materials, without groups': (next) => new THREE.Mesh(new THREE.SphereGeometry(1, 4, 3), six(next)),
  'mesh that morphs': (next) => {
    const mesh = morphedMesh();
    mesh.morphTargetInfluences = [next()];
    return mesh;
  },
  'mesh of no geometry': () => new THREE.Mesh(strewn(Math.random, 0), materials[0]),
  'skinned mesh': (next) => {
    const mesh = skinnedTower();
    mesh.skeleton.bones[1].rotation.x = next() * 2 - 1;
    return mesh;
  },
  'instanced mesh': (next) => {
    const mesh = new THREE.InstancedMesh(solid(next), material(next), 6);
    for (let i = 0; i < 6; i++) mesh.setMatrixAt(i, put(next));
    mesh.count = Math.floor(next() * 7);
    return mesh;
  },
  'batched mesh': (next) => {
    const mesh = new THREE.BatchedMesh(8, 200, 500, material(next));
    const geometries = [new THREE.BoxGeometry(), new THREE.SphereGeometry(0.8, 5, 4), new THREE.PlaneGeometry()].map(
      (geometry) => mesh.addGeometry(geometry),
    );
    for (let i = 0; i < 8; i++) {
      const instance = mesh.addInstance(geometries[i % 3]);
      mesh.setMatrixAt(instance, put(next));
      if (next() < 0.2) mesh.setVisibleAt(instance, false);
    }
    // Not in the oldest three.
    if (next() < 0.3 && 'deleteInstance' in mesh) mesh.deleteInstance(3);
    return mesh;
  },
  line: (next) => new THREE.Line(indexed(strewn(next, 6), next), new THREE.LineBasicMaterial()),
  'line segments': (next) => new THREE.LineSegments(indexed(strewn(next, 6), next), new THREE.LineBasicMaterial()),
  'line loop': (next) => new THREE.LineLoop(indexed(strewn(next, 6), next), new THREE.LineBasicMaterial()),
  points: (next) => new THREE.Points(indexed(strewn(next, 9), next), new THREE.PointsMaterial()),
  sprite: (next) => {
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ rotation: next() * 6, sizeAttenuation: next() < 0.7 }));
    sprite.center.set(next(), next());
    return sprite;
  },
  'level of detail': (next) => {
    const lod = new THREE.LOD();
    lod.addLevel(new THREE.Mesh(solid(next), material(next)), 0);
    lod.addLevel(new THREE.Mesh(new THREE.BoxGeometry(), material(next)), 25);
    lod.addLevel(new THREE.Points(strewn(next, 5), new THREE.PointsMaterial()), 60);
    return lod;
  },
  'raycast of its own': (next) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(), materials[2]);
    const shift = next() * 40;
    mesh.raycast = (raycaster, hits) => {
      THREE.Mesh.prototype.raycast.call(mesh, raycaster, hits);
      if (shift < 20) hits.push({ distance: shift, point: new THREE.Vector3(shift, 0, 0), object: mesh, faceIndex: 7 });
    };
    return mesh;
  },
  group: () => new THREE.Group(),
};

/**
 * Objects of every kind, below each other, turned and mirrored; some hidden, some on other layers. None is flattened: a
 * matrix without inverse makes three hit lines and points from anywhere, at distances of NaN.
 */
function world(next: Next): THREE.Scene {
  const scene = new THREE.Scene();
  const parents: THREE.Object3D[] = [scene];
  const kinds = Object.entries(KINDS);
  for (let i = 0; i < OBJECTS; i++) {
    const [kind, make] = kinds[i % kinds.length];
    const object = make(next);
    object.name = `${kind} ${i}`;
    const parent = parents[Math.floor(next() * parents.length)];
    const spread = parent === scene ? 40 : 10;
    object.position.set((next() - 0.5) * spread, (next() - 0.5) * spread, (next() - 0.5) * spread);
    object.rotation.set(next() * 6, next() * 6, next() * 6);
    object.scale.set(0.5 + next() * 3, 0.5 + next() * 3, 0.5 + next() * 3);
    if (next() < 0.1) object.scale.x *= -1;
    if (next() < 0.1) object.layers.set(1);
    if (next() < 0.1) object.visible = false;
    parent.add(object);
    if (next() < 0.25 && !(object as THREE.LOD).isLOD && !(parent as THREE.LOD).isLOD) parents.push(object);
  }
  scene.updateMatrixWorld();
  return scene;
}

const cameras = [
  new THREE.PerspectiveCamera(60, 1, 0.1, 300),
  new THREE.OrthographicCamera(-30, 30, 30, -30, 0.1, 300),
];
for (const camera of cameras) {
  camera.position.set(20, 30, 70);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
}

function cast(next: Next): THREE.Raycaster {
  const raycaster = new THREE.Raycaster();
  const camera = cameras[next() < 0.7 ? 0 : 1];
  if (next() < 0.4) {
    raycaster.setFromCamera(new THREE.Vector2(next() * 1.6 - 0.8, next() * 1.6 - 0.8), camera);
  } else {
    const origin = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(next() < 0.3 ? 20 : 120);
    const target = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(40);
    raycaster.set(origin, target.sub(origin).normalize());
    raycaster.camera = camera;
  }
  if (next() < 0.2) raycaster.near = next() * 60;
  if (next() < 0.2) raycaster.far = raycaster.near + next() * 60;
  if (next() < 0.2) raycaster.layers.enable(1);
  if (next() < 0.1) raycaster.layers.set(1);
  raycaster.params.Line.threshold = [0, 0.2, 1][Math.floor(next() * 3)];
  raycaster.params.Points.threshold = [0, 0.3, 1.5][Math.floor(next() * 3)];
  return raycaster;
}

/** All that three says of hits, in order. */
const tell = (hits: THREE.Intersection[]): string =>
  JSON.stringify(hits.map((hit) => ({ ...hit, object: hit.object.name })));

/** What may change from one pick to another. */
function disturb(scene: THREE.Scene, next: Next): void {
  scene.traverse((object) => {
    if (object === scene || next() < 0.8) return;
    object.position.x += next() - 0.5;
    object.rotation.y += next();
    if (next() < 0.2) object.visible = !object.visible;
    if (next() < 0.1) object.layers.toggle(1);
    const mesh = object as THREE.Mesh;
    if (mesh.isMesh && !Array.isArray(mesh.material)) mesh.material = material(next);
    if (mesh.morphTargetInfluences) mesh.morphTargetInfluences[0] = next();
  });
}

describe(`${RAYS} picks`, () => {
  const kinds = new Set<string>();
  let hits = 0;

  it.each(Array.from({ length: WORLDS }, (_, i) => [i + 1, STRUCTURES[i % STRUCTURES.length]] as const))(
    "are three's, seed %i, with %s",
    (seed, structure) => {
      const next = random(seed);
      const scene = world(next);
      const index = new SceneIndex(scene, { structure: createIndex(structure, { capacity: 4 }) });
      for (let i = 0; i < RAYS / WORLDS; i++) {
        if (i % 100 === 99) {
          disturb(scene, next);
          index.update();
        }
        const raycaster = cast(next);
        const expected = raycaster.intersectObject(scene);
        const told = tell(expected);
        const got = tell(index.raycast(raycaster));
        if (got !== told) expect(got, `ray ${i}`).toBe(told);
        const first = index.raycastFirst(raycaster);
        const firstTold = tell(first ? [first] : []);
        if (firstTold !== tell(expected.slice(0, 1))) expect(firstTold, `ray ${i}`).toBe(tell(expected.slice(0, 1)));
        hits += expected.length;
        for (const { object } of expected) kinds.add(object.name.replace(/ \d+$/, ''));
      }
      expect(validateScene(index)).toEqual([]);
    },
  );

  it('hit something of every kind that can be hit', () => {
    expect(hits).toBeGreaterThan(RAYS / 2);
    const never = Object.keys(KINDS).filter((kind) => !kinds.has(kind));
    // Several materials need groups to be hit by three, and the parts of a level of detail have no names.
    const unnamed = ['mesh of several materials, without groups', 'mesh of no geometry', 'level of detail', 'group'];
    expect(never).toEqual(unnamed);
    expect(kinds.has('')).toBe(true);
  });
});

describe('a pick', () => {
  const down = new THREE.Raycaster(new THREE.Vector3(0, 10, 0), new THREE.Vector3(0, -1, 0));
  const expectPicked = (index: SceneIndex, first: THREE.Object3D, count?: number): void => {
    const expected = down.intersectObject(index.root);
    expect(updated(index).raycast(down)).toEqual(expected);
    expect(index.raycastFirst(down)).toEqual(expected[0]);
    expect(expected[0].object).toBe(first);
    if (count !== undefined) expect(expected).toHaveLength(count);
  };

  it('keeps the order of the scene among hits at the same distance', () => {
    const meshes = [boxMesh(), boxMesh(), boxMesh(), boxMesh()];
    const index = indexOf(meshes[0], meshes[1]);
    index.root.add(meshes[2]);
    meshes[1].add(meshes[3]);
    expectPicked(index, meshes[0]);
  });

  it('calls a raycast of the user, wherever the object is, and honours its false', () => {
    const [inside, far] = [boxMesh(), boxMesh(500)];
    const group = new THREE.Object3D().add(inside);
    const index = indexOf(group);
    expectPicked(index, inside);
    group.raycast = (_raycaster, hits) => {
      hits.push({ distance: 1, point: new THREE.Vector3(), object: group });
      return false as never;
    };
    expectPicked(index, group, 1);
    far.raycast = (_raycaster, hits) => hits.push({ distance: 0.5, point: new THREE.Vector3(), object: far });
    index.root.add(far);
    expectPicked(index, far);
  });

  it('survives a raycast that throws, or changes the scene', () => {
    const [bad, good] = [boxMesh(0, 2), boxMesh()];
    const index = indexOf(bad, good);
    bad.raycast = () => {
      throw new Error('mine');
    };
    index.update();
    expect(() => index.raycast(down)).toThrow('mine');
    bad.raycast = () => void good.removeFromParent();
    expect(updated(index).raycast(down)).toEqual([]);
    expect(validateScene(index)).toEqual([]);
    bad.raycast = THREE.Mesh.prototype.raycast;
    expectPicked(index, bad);
  });
});
