import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { LooseOctree } from '../../../src/index.js';
import { accelerated, indexed } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { batchedMesh, boxMesh, instancedMesh, skinnedTower, strewn } from '../../helpers/scene.js';
import { catchWarnings } from '../../helpers/warnings.js';
import { atWidth, seeds } from '../../helpers/width.js';

// Skinned meshes without an inverse have bounds that are NaN.
catchWarnings();

const tell = (hits: THREE.Intersection[]): unknown[] => hits.map((hit) => ({ ...hit, object: hit.object.uuid }));

type Bend = (matrix: THREE.Matrix4, next: () => number) => void;

function scaled(matrix: THREE.Matrix4, x: number, y: number, z: number): void {
  matrix.scale(new THREE.Vector3(x, y, z));
}

/** Squashed along an axis that is none of the object's. */
function squash(matrix: THREE.Matrix4, by: number, next: () => number): void {
  const turn = new THREE.Matrix4().makeRotationFromEuler(boxMesh().rotation.set(next() * 6, next() * 6, next() * 6));
  const place = new THREE.Vector3().setFromMatrixPosition(matrix);
  matrix.setPosition(0, 0, 0);
  matrix.premultiply(new THREE.Matrix4().makeScale(1, by, 1)).premultiply(turn);
  matrix.setPosition(place);
}

/** What may be wrong with a matrix. */
const BENDS = Object.entries<Bend>({
  flat: (m, next) => scaled(m, 1, next() < 0.5 ? 0 : 1, next() < 0.5 ? 0 : 1),
  'nearly flat': (m, next) => scaled(m, 1, 10 ** (-next() * 16), 1),
  'flat beyond squares': (m, next) => scaled(m, 1, 10 ** (-100 - next() * 50), 10 ** (next() * 3)),
  'squashed aslant': (m, next) => squash(m, 10 ** (-next() * 17), next),
  mirrored: (m, next) => scaled(m, next() < 0.5 ? -1 : 1, -1, next() < 0.5 ? -2 : 1),
  sheared: (m, next) => {
    m.multiply(new THREE.Matrix4().makeShear(next() * 6 - 3, next() * 6 - 3, 0, next() * 6, 0, next() * 9));
  },
  projective: (m, next) => {
    const { elements: e } = m;
    for (const i of [3, 7, 11]) if (next() < 0.6) e[i] = (next() - 0.5) * 10 ** (1 - next() * 4);
    if (next() < 0.5) e[15] = next() * 4 - 2;
  },
  'of any numbers': (m, next) => {
    for (let i = 0; i < 16; i++) m.elements[i] = next() < 0.3 ? Math.round(next() * 2 - 1) : next() * 4 - 2;
  },
  tiny: (m, next) => m.scale(new THREE.Vector3().setScalar(10 ** (-next() * 150))),
  huge: (m, next) => m.scale(new THREE.Vector3().setScalar(10 ** (next() * 130))),
  plain: () => {},
});

function withBounds<T extends THREE.Mesh>(mesh: T, next: () => number): T {
  mesh.geometry = (mesh.geometry as THREE.BufferGeometry).clone();
  if (next() < 0.5) mesh.geometry.computeBoundingBox();
  return mesh;
}

const KINDS: ((next: () => number) => THREE.Object3D)[] = [
  (next) => withBounds(boxMesh(), next),
  (next) => new THREE.Line(strewn(next, 6), new THREE.LineBasicMaterial()),
  (next) => new THREE.LineLoop(strewn(next, 6), new THREE.LineBasicMaterial()),
  (next) => new THREE.LineSegments(strewn(next, 6), new THREE.LineBasicMaterial()),
  (next) => new THREE.Points(strewn(next, 12), new THREE.PointsMaterial()),
  (next) => new THREE.Sprite(new THREE.SpriteMaterial({ rotation: next() })),
  (next) => instancedMesh(next, 4),
  (next) => batchedMesh(next, 4),
  skinnedTower,
  (next) =>
    new THREE.LOD().addLevel(boxMesh(), 0).addLevel(new THREE.Line(strewn(next, 6), new THREE.LineBasicMaterial()), 30),
];

function bentScene(next: () => number, bend: Bend, share: number): THREE.Scene {
  const scene = new THREE.Scene();
  const parents: THREE.Object3D[] = [scene];
  for (let i = 0; i < atWidth(30, 12); i++) {
    const object = KINDS[Math.floor(next() * KINDS.length)](next);
    object.position.set(next() * 24 - 12, next() * 24 - 12, next() * 24 - 12);
    object.rotation.set(next() * 6, next() * 6, next() * 6);
    object.scale.set(0.5 + next() * 2, 0.5 + next() * 2, 0.5 + next() * 2);
    bendOne(object, next, bend, share);
    const parent = parents[Math.floor(next() * parents.length)];
    parent.add(next() < 0.2 ? new THREE.Group().add(object) : object);
    // Huge things in huge things are infinite.
    const isParent = next() < 0.15 && !(object instanceof THREE.LOD) && object.matrix.getMaxScaleOnAxis() < 1e9;
    if (isParent) parents.push(object);
  }
  scene.updateMatrixWorld();
  return scene;
}

/** By hand: of what three makes from a scale, the matrix below is but one kind. */
function bendOne(object: THREE.Object3D, next: () => number, bend: Bend, share: number): void {
  object.updateMatrix();
  object.matrixAutoUpdate = next() >= share;
  if (!object.matrixAutoUpdate) bend(object.matrix, next);
}

/** Towards objects, near some of them, and past all of them. */
function randomRay(scene: THREE.Scene, next: () => number): THREE.Raycaster {
  const origin = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(next() < 0.2 ? 400 : 60);
  const { children } = scene;
  const target = new THREE.Vector3().setFromMatrixPosition(children[Math.floor(next() * children.length)].matrixWorld);
  if (!(target.length() < 1e3)) target.set(0, 0, 0);
  target.add(new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(3));
  const raycaster = new THREE.Raycaster(origin, target.sub(origin).normalize());
  raycaster.camera = new THREE.PerspectiveCamera();
  if (next() < 0.3) raycaster.near = next() * 40;
  if (next() < 0.3) raycaster.far = raycaster.near + next() * 80;
  raycaster.params.Line.threshold = next() * (next() < 0.5 ? 2 : 0.05);
  raycaster.params.Points.threshold = next() * (next() < 0.5 ? 2 : 0.05);
  return raycaster;
}

function castAll(raycaster: THREE.Raycaster, scene: THREE.Scene): unknown[][] {
  const { children } = scene;
  return [
    raycaster.intersectObject(scene),
    raycaster.intersectObjects([...children]),
    raycaster.intersectObjects([...children.slice(0, 2), scene]),
  ].map(tell);
}

describe('picks are those of three where matrices are', () => {
  for (const [label, bend] of BENDS) {
    it.each(seeds(2, 1))(`${label}, seed %i`, (seed) => {
      const next = random(seed);
      for (const share of [0.1, 0.7]) {
        const scene = bentScene(next, bend, share);
        const rays = Array.from({ length: 30 }, () => randomRay(scene, next));
        const plain = rays.map((ray) => castAll(ray, scene));
        const alone = indexed(scene, { structure: new LooseOctree({ capacity: 4 }) });
        rays.forEach((ray, i) => {
          expect(tell(alone.raycast(ray)), `ray ${i}`).toEqual(plain[i][0]);
          const first = alone.raycastFirst(ray);
          expect(first && tell([first])[0], `ray ${i}`).toEqual(plain[i][0][0] ?? null);
        });
        const index = accelerated(scene, { structure: new LooseOctree({ capacity: 4 }) });
        rays.forEach((ray, i) => {
          expect(castAll(ray, scene), `ray ${i}`).toEqual(plain[i]);
          const first = index.raycastFirst(ray);
          expect(first && tell([first])[0], `ray ${i}`).toEqual(plain[i][0][0] ?? null);
        });
        index.dispose();
      }
    });
  }
});

describe('thin things are hit as by three', () => {
  it.each([0, 1, 2])(
    'beside them, where a shear carries the threshold farther than any axis, along axis %i',
    (axis) => {
      const [along, across, aside] = [0, 1, 2].map((k) => new THREE.Vector3().setComponent((axis + k) % 3, 1));
      const columns = [along, along.clone().multiplyScalar(0.9).addScaledVector(across, 0.05), aside];
      const places = [new THREE.Vector3(), aside.clone().multiplyScalar(5)];
      const points = new THREE.Points(new THREE.BufferGeometry().setFromPoints(places));
      points.matrixAutoUpdate = false;
      points.matrix.makeBasis(columns[(3 - axis) % 3], columns[(4 - axis) % 3], columns[(5 - axis) % 3]);
      const scene = new THREE.Scene().add(points);
      scene.updateMatrixWorld();
      const origin = along.clone().multiplyScalar(1.33).addScaledVector(across, 9);
      const ray = new THREE.Raycaster(origin, across.clone().negate());
      const plain = castAll(ray, scene);
      expect(plain[0]).toHaveLength(1);
      accelerated(scene);
      expect(castAll(ray, scene)).toEqual(plain);
    },
  );

  it('at the threshold of the scale that they have now', () => {
    const places = [new THREE.Vector3(), new THREE.Vector3(0, -8, 0)];
    const points = new THREE.Points(new THREE.BufferGeometry().setFromPoints(places));
    const scene = new THREE.Scene().add(points);
    scene.updateMatrixWorld();
    accelerated(scene);
    const ray = new THREE.Raycaster(new THREE.Vector3(9, 0, 2), new THREE.Vector3(-1, 0, 0));
    expect(ray.intersectObject(scene)).toHaveLength(0);
    // More than twice as long along z as it is on average.
    points.scale.set(0.5, 0.5, 3);
    scene.updateMatrixWorld();
    expect(ray.intersectObject(points, false)).toHaveLength(1);
    expect(ray.intersectObject(scene)).toHaveLength(1);
  });

  it.each([1e2, 1e4, 1e6])('from %f away, where squares of distances are rounded', (far) => {
    const next = random(5);
    const places = [new THREE.Vector3(), new THREE.Vector3(1, 0, 0)];
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(places));
    const scene = new THREE.Scene().add(line);
    const index = indexed(scene);
    let beside = 0;
    for (let i = 0; i < 5000; i++) {
      const threshold = 10 ** (-next() * 6);
      const distance = threshold * 10 ** (next() * 4);
      const direction = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).normalize();
      const side = new THREE.Vector3().crossVectors(direction, new THREE.Vector3(1, 0, 0)).setLength(distance);
      const origin = new THREE.Vector3(next(), 0, 0).add(side).addScaledVector(direction, -far * next());
      const ray = new THREE.Raycaster(origin, direction);
      ray.params.Line.threshold = threshold;
      const plain = ray.intersectObject(scene);
      expect(tell(index.raycast(ray)), `ray ${i}`).toEqual(tell(plain));
      beside += plain.length;
    }
    expect(beside).toBeGreaterThan(0);
  });
});

it('a matrix may be bent and straightened, and bent again, of an object and of parts of a LOD', () => {
  const next = random(3);
  const bends = BENDS.map(([, bend]) => bend);
  const [scene, plain] = [1, 2].map(() => bentScene(random(7), bends[0], 0));
  accelerated(scene, { structure: new LooseOctree({ capacity: 4 }) });
  const allOf = (root: THREE.Object3D): THREE.Object3D[] => {
    const all: THREE.Object3D[] = [];
    // A skinned mesh keeps the sphere that three made of the pose in which it was first cast at.
    root.traverse((object) => object instanceof THREE.Bone || all.push(object));
    return all.slice(1);
  };
  const [ours, theirs] = [allOf(scene), allOf(plain)];
  const without = (hits: THREE.Intersection[]): unknown[] => hits.map((hit) => ({ ...hit, object: null }));
  for (let i = 0; i < atWidth(30, 12); i++) {
    for (let k = 0; k < 6; k++) {
      const at = Math.floor(next() * ours.length);
      const bend = bends[Math.floor(next() * bends.length)];
      const seed = Math.floor(next() * 1e6);
      for (const object of [ours[at], theirs[at]]) bendOne(object, random(seed), bend, 0.6);
    }
    for (const world of [scene, plain]) world.updateMatrixWorld();
    for (let k = 0; k < 8; k++) {
      const ray = randomRay(plain, next);
      const hits = ray.intersectObject(scene);
      const expected = ray.intersectObject(plain);
      expect(without(hits), `step ${i}`).toEqual(without(expected));
      const places = expected.map(({ object }) => theirs.indexOf(object));
      expect(hits.map(({ object }) => ours.indexOf(object))).toEqual(places);
      expect(without(ray.intersectObjects([...scene.children]))).toEqual(without(expected));
    }
  }
});
