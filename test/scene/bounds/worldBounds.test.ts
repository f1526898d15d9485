import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { explain, SceneIndex, stats } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { boxOf, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { allOf, batchedMesh, boxMesh, instancedMesh, lod, mixedScene, skinnedTower } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { catchWarnings } from '../../helpers/warnings.js';

const { POSITIVE_INFINITY: inf } = Number;
const material = new THREE.MeshBasicMaterial();

function place(object: THREE.Object3D, next: () => number): void {
  object.position.set(next() * 50 - 25, next() * 50 - 25, next() * 50 - 25);
  object.rotation.set(next() * 6, next() * 6, next() * 6);
  object.scale.set(next() * 4 - 2, next() * 4 - 2, next() * 4 - 2);
}

function numbers(box: THREE.Box3): number[] {
  return [...box.min, ...box.max].map((value) => value + 0);
}

/** All vertices as they are drawn, by three's own means. */
function verticesOf(mesh: THREE.Mesh): THREE.Vector3[] {
  const { position } = mesh.geometry.attributes;
  return Array.from({ length: position.count }, (_, i) => {
    return mesh.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
  });
}

/** Fails unless the box holds the points, but for rounding. */
function expectHolds(box: THREE.Box3, points: THREE.Vector3[]): void {
  const slack = 1e-6 * Math.max(1, ...numbers(box).map(Math.abs));
  const wide = box.clone().expandByScalar(slack);
  expect(points.filter((point) => !wide.containsPoint(point)).map((point) => point.toArray())).toEqual([]);
}

const warnings = catchWarnings();

describe('bounds of meshes', () => {
  it('read interleaved and normalized attributes', () => {
    const floats = new Float32Array([9, -1, -2, -3, 9, 4, 5, 6, 9, 0, 0, 0]);
    const interleaved = new THREE.BufferGeometry().setAttribute(
      'position',
      new THREE.InterleavedBufferAttribute(new THREE.InterleavedBuffer(floats, 4), 3, 1),
    );
    const bytes = new Int8Array([-127, 0, 127, 127, 64, -64, 0, 0, 0]);
    const normalized = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(bytes, 3, true));
    const [a, b] = [new THREE.Mesh(interleaved), new THREE.Mesh(normalized)];
    const index = indexOf(a, b);
    expect(numbers(boxOf(index, a))).toEqual([-1, -2, -3, 4, 5, 6]);
    expect(numbers(boxOf(index, b))).toEqual([-1, 0, -64 / 127, 1, 64 / 127, 1]);
    floats[5] = 40;
    (interleaved.attributes.position as THREE.InterleavedBufferAttribute).needsUpdate = true;
    expect(numbers(boxOf(updated(index), a))).toEqual([-1, -2, -3, 40, 5, 6]);
  });

  it('are widened by bounds that were declared larger', () => {
    const [sphere, box, both] = [boxMesh(), boxMesh(), boxMesh()];
    for (const mesh of [sphere, box, both]) mesh.geometry = new THREE.BoxGeometry(1, 1, 1);
    sphere.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(0, 5, 0), 10);
    box.geometry.boundingBox = new THREE.Box3(new THREE.Vector3(-7, 0, 0), new THREE.Vector3(0, 8, 0));
    both.geometry.computeBoundingSphere();
    both.geometry.computeBoundingBox();
    const detail = lod();
    const [level] = detail.children as THREE.Mesh[];
    level.geometry = new THREE.BoxGeometry(1, 1, 1);
    const index = indexOf(sphere, box, both, detail);
    expect(numbers(boxOf(index, sphere))).toEqual([-10, -5, -10, 10, 15, 10]);
    expect(numbers(boxOf(index, box))).toEqual([-7, -0.5, -0.5, 0.5, 8, 0.5]);
    expect(numbers(boxOf(index, both))).toEqual([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
    for (const mesh of [both, level]) mesh.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 60);
    for (const top of [both, detail]) {
      index.touch(top);
      expect(numbers(boxOf(updated(index), top))).toEqual([-60, -60, -60, 60, 60, 60]);
    }
  });
});

it.each([
  ['bound as detached', 2],
  ['that morphs', 3],
  ['whose skeleton is that of another as well', 4],
])('bounds of a skinned mesh hold all vertices in any pose: one %s, seed %i', (label, seed) => {
  const next = random(seed);
  const tower = skinnedTower();
  const towers = [tower];
  if (label === 'bound as detached') tower.bindMode = 'detached';
  else if (label === 'that morphs') {
    const target = tower.geometry.attributes.position.clone() as THREE.BufferAttribute;
    tower.geometry.morphAttributes.position = [target.applyMatrix4(new THREE.Matrix4().makeTranslation(3, 0, 0))];
    tower.updateMorphTargets();
  } else {
    towers.push(new THREE.SkinnedMesh(tower.geometry, material));
    towers[1].bind(tower.skeleton, new THREE.Matrix4());
  }
  const index = indexOf(...towers);
  for (let i = 0; i < 40; i++) {
    for (const mesh of towers) place(mesh, next);
    for (const bone of tower.skeleton.bones) {
      bone.rotation.set(next() * 6, next() * 6, next() * 6);
      bone.position.set(next() * 4, next() * 4, next() * 4);
      bone.scale.setScalar(0.5 + next());
    }
    if (tower.morphTargetInfluences) tower.morphTargetInfluences[0] = next();
    index.update();
    tower.skeleton.update();
    for (const mesh of towers) expectHolds(boxOf(index, mesh), verticesOf(mesh));
  }
});

it('bounds of a mesh that draws instances, with none of the methods of an InstancedMesh, are those of one', () => {
  const real = instancedMesh(random(3), 20);
  real.updateMatrixWorld();
  // As the panels and glyphs of uikit are.
  class Panels extends THREE.Mesh {
    readonly isInstancedMesh = true;
    readonly instanceMatrix = real.instanceMatrix;
    readonly instanceColor = null;
    readonly morphTexture = null;
    readonly boundingSphere = new THREE.Sphere();
    override count = 20;
    override raycast(): void {}
  }
  const panels = new Panels(real.geometry, material);
  panels.frustumCulled = false;
  panels.position.copy(real.position);
  const index = indexOf(panels, real);
  expect(boxOf(index, panels)).toEqual(boxOf(index, real));
  panels.count = 5;
  index.update();
  real.count = 5;
  expect(boxOf(index, panels)).toEqual(boxOf(updated(index), real));
  expect(explain(index, panels, new THREE.PerspectiveCamera()).join()).not.toContain('cannot be computed');
  expect(validateScene(index)).toEqual([]);
  expect(warnings()).toEqual([]);
});

describe('objects without bounds', () => {
  it('have no entry, and get one as soon as they have vertices', () => {
    const none = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute([], 3));
    const [empty, bare] = [new THREE.Mesh(none), new THREE.Mesh(new THREE.BufferGeometry())];
    const points = new THREE.Points(new THREE.BufferGeometry());
    const instanced = new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 0);
    const index = indexOf(empty, bare, points, new THREE.Group(), instanced);
    expect([index.size, index.has(bare), index.getBox(bare, new THREE.Box3())]).toEqual([0, true, null]);
    bare.geometry.setAttribute('position', new THREE.Float32BufferAttribute([1, 2, 3], 3));
    empty.geometry = new THREE.BoxGeometry();
    expect(updated(index).size).toBe(2);
    expect(numbers(boxOf(index, bare))).toEqual([1, 2, 3, 1, 2, 3]);
    empty.geometry = new THREE.BufferGeometry();
    expect([updated(index).size, stats(index).quarantined]).toEqual([1, 0]);
    expect([...warnings(), ...validateScene(index)]).toEqual([]);
  });

  it('are quarantined with one warning each while their numbers are NaN', () => {
    const [still, moved, vertex] = [boxMesh(5), boxMesh(10), boxMesh(15)];
    vertex.geometry = new THREE.BoxGeometry();
    vertex.geometry.attributes.position.setX(3, Number.NaN);
    moved.name = 'the moved one';
    const index = indexOf(still, moved, vertex);
    const camera = eye(10, 0, 60, { fov: 90, lookAt: [10, 0, 0] });
    const all = new THREE.Box3(new THREE.Vector3(-1e9, -1e9, -1e9), new THREE.Vector3(1e9, 1e9, 1e9));
    const expectLeft = (quarantined: number, ...objects: THREE.Object3D[]): void => {
      expect(new Set(updated(index).cull(camera))).toEqual(new Set(objects));
      expect(new Set(index.queryBox(all))).toEqual(new Set(objects));
      expect(stats(index).quarantined).toBe(quarantined);
      expect(validateScene(index)).toEqual([]);
    };
    expectLeft(1, still, moved);
    for (let i = 0; i < 3; i++) {
      moved.position.x = Number.NaN;
      expectLeft(2, still);
      expect(index.getBox(moved, new THREE.Box3())).toBeNull();
      moved.position.x = 10;
      expectLeft(1, still, moved);
    }
    const why = 'is left out of all results: its bounds are NaN';
    // The objects themselves are not handed to the console, which would keep them.
    expect(warnings()).toEqual([
      `SceneIndex: Mesh ${vertex.id} ${why}`,
      `SceneIndex: Mesh ${moved.id} "the moved one" ${why}`,
    ]);
    vertex.geometry.attributes.position.setX(3, 0.5);
    vertex.geometry.attributes.position.needsUpdate = true;
    expectLeft(0, still, moved, vertex);
    moved.position.y = Number.NaN;
    index.update();
    index.root.remove(moved);
    expectLeft(0, still, vertex);
  });

  it('are quarantined when something above them is NaN, and come back with it', () => {
    const [next, group] = [random(1), new THREE.Group()];
    group.add(boxMesh(1), skinnedTower(), lod(), new THREE.Sprite(), instancedMesh(next, 3), batchedMesh(next, 3));
    const index = indexOf(group, boxMesh(-20));
    for (const z of [0, Number.NaN, 0]) {
      group.position.z = z;
      expect([updated(index).size, stats(index).quarantined]).toEqual(z === 0 ? [7, 0] : [1, 6]);
    }
    expect(warnings()).toHaveLength(6);
  });
});

it('infinite bounds work, turned and scaled, and do not spoil those of others', () => {
  const [sky, ground] = [new THREE.Mesh(new THREE.BoxGeometry()), new THREE.Mesh(new THREE.BoxGeometry())];
  sky.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), inf);
  ground.geometry.boundingBox = new THREE.Box3(new THREE.Vector3(-inf, -1, -inf), new THREE.Vector3(inf, 0, inf));
  ground.rotation.y = 1;
  ground.scale.set(2, -1, 0.5);
  const crowd = Array.from({ length: 100 }, (_, i) => boxMesh(i, 5, 0));
  const index = indexOf(sky, ground, ...crowd);
  const found = (...at: [x: number, y: number, z: number]) => new Set(index.queryPoint(new THREE.Vector3(...at)));
  expect(numbers(boxOf(index, sky))).toEqual([-inf, -inf, -inf, inf, inf, inf]);
  expect(numbers(boxOf(index, ground))).toEqual([-inf, -0.5, -inf, inf, 1, inf]);
  expect(stats(index)).toMatchObject({ unbounded: 2, quarantined: 0 });
  expect(found(50, 5, 0)).toEqual(new Set([sky, crowd[50]]));
  expect(found(1e9, 0.25, 0)).toEqual(new Set([sky, ground]));
  expect(index.counters.nodesVisited).toBeLessThan(10);
  sky.position.x = 8;
  ground.position.y = 100;
  index.update();
  expect(found(1e9, 100, 0)).toEqual(new Set([sky, ground]));
  const camera = eye(50, 5, 20, { far: 100, lookAt: [50, 5, 0] });
  expect(index.cull(camera)).toEqual(expect.arrayContaining([sky, crowd[50]]));
  expect([...warnings(), ...validateScene(index)]).toEqual([]);
});

it('nothing is written to userData, prototypes, geometries or objects', () => {
  const scene = mixedScene(random(12), 80);
  const objects = allOf(scene);
  const look = (): unknown[] =>
    objects.map((object) => {
      const { geometry, boundingBox, boundingSphere, userData } = object as THREE.Mesh & THREE.InstancedMesh;
      const keys = [object, userData].flatMap(Object.keys);
      const bounds = [boundingBox, boundingSphere, geometry?.boundingBox, geometry?.boundingSphere];
      return [keys.filter((key) => key !== '_listeners'), ...bounds];
    });
  const { Mesh, BatchedMesh, SkinnedMesh, InstancedMesh, BufferGeometry, Sprite } = THREE;
  const kinds = [Mesh, BatchedMesh, SkinnedMesh, InstancedMesh, BufferGeometry, Sprite];
  const namesOf = (): string[][] => kinds.map(({ prototype }) => Object.getOwnPropertyNames(prototype));
  const names = namesOf();
  const before = look();
  const index = new SceneIndex(scene);
  index.update();
  index.cull(new THREE.PerspectiveCamera());
  for (const object of objects) index.touch(object);
  index.update();
  expect(look()).toEqual(before);
  expect(namesOf()).toEqual(names);
});
