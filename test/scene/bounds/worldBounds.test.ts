import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { explain, SceneIndex, stats } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { boxOf, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import {
  allOf,
  batchedMesh,
  boxMesh,
  instancedMesh,
  lod,
  mixedScene,
  skinnedTower,
  strewn,
} from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { catchWarnings } from '../../helpers/warnings.js';

const { POSITIVE_INFINITY: inf } = Number;
const material = new THREE.MeshBasicMaterial();

function place(object: THREE.Object3D, next: () => number, far = 50): void {
  object.position.set((next() - 0.5) * far, (next() - 0.5) * far, (next() - 0.5) * far);
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
    const vertex = new THREE.Vector3();
    if (mesh.isMesh) mesh.getVertexPosition(i, vertex);
    else vertex.fromBufferAttribute(position, i);
    return vertex.applyMatrix4(mesh.matrixWorld);
  });
}

/** Fails unless the box holds the points, but for rounding. */
function expectHolds(box: THREE.Box3, points: THREE.Vector3[]): void {
  const slack = 1e-6 * Math.max(1, ...numbers(box).map(Math.abs));
  const wide = box.clone().expandByScalar(slack);
  expect(points.filter((point) => !wide.containsPoint(point)).map((point) => point.toArray())).toEqual([]);
}

/** Fails when the box is more than this much larger than the box around the points. */
function expectTight(box: THREE.Box3, points: THREE.Vector3[], share = 1e-6): void {
  const around = new THREE.Box3().setFromPoints(points);
  const slack = share * Math.max(1, ...numbers(box).map(Math.abs));
  numbers(around).forEach((value, i) => {
    expect(Math.abs(numbers(box)[i] - value)).toBeLessThanOrEqual(slack);
  });
}

const warnings = catchWarnings();

describe('bounds of meshes, lines and points', () => {
  it.each([1, 2, 3])('are bit for bit those of Box3.applyMatrix4, seed %i', (seed) => {
    const next = random(seed);
    const scene = new THREE.Scene();
    const kinds: ((geometry: THREE.BufferGeometry) => THREE.Mesh | THREE.Line | THREE.Points)[] = [
      (geometry) => new THREE.Mesh(geometry),
      (geometry) => new THREE.Line(geometry),
      (geometry) => new THREE.LineSegments(geometry),
      (geometry) => new THREE.Points(geometry),
    ];
    const made: (THREE.Mesh | THREE.Line | THREE.Points)[] = [];
    for (let i = 0; i < 120; i++) {
      const geometry = strewn(next, 2 + Math.floor(next() * 6));
      const object = kinds[i % 4](geometry);
      place(object, next, i % 5 === 0 ? 1e7 : 50);
      if (i % 7 === 0) object.scale.setComponent(i % 3, 0);
      if (i % 11 === 0) object.scale.setScalar(0);
      const parent = i > 0 && next() < 0.3 ? made[Math.floor(next() * made.length)] : scene;
      parent.add(object);
      made.push(object);
    }
    const index = new SceneIndex(scene);
    for (const object of made) {
      const local = new THREE.Box3().setFromBufferAttribute(
        object.geometry.attributes.position as THREE.BufferAttribute,
      );
      expect(numbers(boxOf(index, object))).toEqual(numbers(local.applyMatrix4(object.matrixWorld)));
      expectHolds(boxOf(index, object), verticesOf(object as THREE.Mesh));
    }
  });

  it('read interleaved and normalized attributes', () => {
    const floats = new Float32Array([9, -1, -2, -3, 9, 4, 5, 6, 9, 0, 0, 0]);
    const interleaved = new THREE.BufferGeometry().setAttribute(
      'position',
      new THREE.InterleavedBufferAttribute(new THREE.InterleavedBuffer(floats, 4), 3, 1),
    );
    const bytes = new Int8Array([-127, 0, 127, 127, 64, -64, 0, 0, 0]);
    const normalized = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(bytes, 3, true));
    const [a, b] = [new THREE.Mesh(interleaved, material), new THREE.Mesh(normalized, material)];
    const index = indexOf(a, b);
    expect(numbers(boxOf(index, a))).toEqual([-1, -2, -3, 4, 5, 6]);
    expect(numbers(boxOf(index, b))).toEqual(numbers(new THREE.Box3().setFromObject(b, true)));
    expect(boxOf(index, b).max.x).toBe(1);
    floats[5] = 40;
    (interleaved.attributes.position as THREE.InterleavedBufferAttribute).needsUpdate = true;
    index.update();
    expect(numbers(boxOf(index, a))).toEqual([-1, -2, -3, 40, 5, 6]);
  });

  it('are widened by bounds that were declared larger', () => {
    const [sphere, box, both] = [boxMesh(), boxMesh(), boxMesh()];
    for (const mesh of [sphere, box, both]) mesh.geometry = new THREE.BoxGeometry(1, 1, 1);
    sphere.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(0, 5, 0), 10);
    box.geometry.boundingBox = new THREE.Box3(new THREE.Vector3(-7, 0, 0), new THREE.Vector3(0, 8, 0));
    both.geometry.computeBoundingSphere();
    both.geometry.computeBoundingBox();
    const index = indexOf(sphere, box, both);
    expect(numbers(boxOf(index, sphere))).toEqual([-10, -5, -10, 10, 15, 10]);
    expect(numbers(boxOf(index, box))).toEqual([-7, -0.5, -0.5, 0.5, 8, 0.5]);
    expect(numbers(boxOf(index, both))).toEqual([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
  });
});

it.each([
  ['absolute', false],
  ['relative', true],
])('bounds of morphed meshes hold all vertices at any influences from 0 to 1: %s targets', (_label, isRelative) => {
  const next = random(isRelative ? 5 : 6);
  for (let round = 0; round < 20; round++) {
    const geometry = strewn(next, 8);
    geometry.morphAttributes.position = [0, 1, 2].map(
      () => strewn(next, 8).attributes.position as THREE.BufferAttribute,
    );
    geometry.morphTargetsRelative = isRelative;
    const mesh = new THREE.Mesh(geometry, material);
    place(mesh, next);
    const index = indexOf(mesh);
    for (let i = 0; i < 20; i++) {
      mesh.morphTargetInfluences = [0, 0, 0].map(() => (next() < 0.3 ? Math.round(next()) : next()));
      expectHolds(boxOf(index, mesh), verticesOf(mesh));
    }
  }
});

it.each([
  ['alone', 1],
  ['bound as detached', 2],
  ['that morphs', 3],
  ['whose skeleton is that of another as well', 4],
])('bounds of a skinned mesh hold all vertices in any pose: one %s, seed %i', (_label, seed) => {
  const next = random(seed);
  const tower = skinnedTower();
  const towers = [tower];
  if (seed === 2) tower.bindMode = 'detached';
  if (seed === 3) {
    const target = tower.geometry.attributes.position.clone();
    for (let i = 0; i < target.count; i++) target.setX(i, target.getX(i) + 3);
    tower.geometry.morphAttributes.position = [target];
    tower.updateMorphTargets();
  }
  if (seed === 4) {
    towers.push(new THREE.SkinnedMesh(tower.geometry, material));
    towers[1].bind(tower.skeleton, new THREE.Matrix4());
  }
  const index = indexOf(...towers);
  if (seed < 3) expectTight(boxOf(index, tower), verticesOf(tower));
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

describe('bounds of instanced and batched meshes', () => {
  it('are those of a mesh that draws instances and has none of the methods of an InstancedMesh', () => {
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

  it('follow geometries of a batch that are replaced', () => {
    const mesh = new THREE.BatchedMesh(4, 400, 800, material);
    const shape = mesh.addGeometry(new THREE.BoxGeometry(), 100, 200);
    mesh.addInstance(shape);
    const index = indexOf(mesh);
    expect(boxOf(index, mesh).max.x).toBe(0.5);
    mesh.setGeometryAt(shape, new THREE.BoxGeometry(10, 10, 10));
    index.touch(mesh);
    expect(boxOf(updated(index), mesh).max.x).toBe(5);
  });
});

describe('objects without bounds', () => {
  it('have no entry, and get one as soon as they have vertices', () => {
    const empty = new THREE.Mesh(
      new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute([], 3)),
      material,
    );
    const bare = new THREE.Mesh(new THREE.BufferGeometry(), material);
    const points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial());
    const index = indexOf(
      empty,
      bare,
      points,
      new THREE.Group(),
      new THREE.InstancedMesh(new THREE.BoxGeometry(), material, 0),
    );
    expect(index.size).toBe(0);
    expect(index.has(bare)).toBe(true);
    expect(index.getBox(bare, new THREE.Box3())).toBeNull();
    expect(stats(index).quarantined).toBe(0);
    bare.geometry.setAttribute('position', new THREE.Float32BufferAttribute([1, 2, 3], 3));
    empty.geometry = new THREE.BoxGeometry();
    index.update();
    expect(numbers(boxOf(index, bare))).toEqual([1, 2, 3, 1, 2, 3]);
    expect(index.size).toBe(2);
    empty.geometry = new THREE.BufferGeometry();
    expect(updated(index).size).toBe(1);
    expect(warnings()).toEqual([]);
    expect(validateScene(index)).toEqual([]);
  });

  it('are quarantined with one warning each while their numbers are NaN', () => {
    const [still, moved, vertex] = [boxMesh(5), boxMesh(10), boxMesh(15)];
    vertex.geometry = new THREE.BoxGeometry();
    vertex.geometry.attributes.position.setX(3, Number.NaN);
    moved.name = 'the moved one';
    const index = indexOf(still, moved, vertex);
    const camera = eye(10, 0, 60, { fov: 90, lookAt: [10, 0, 0] });
    expect(new Set(index.cull(camera))).toEqual(new Set([still, moved]));
    expect(stats(index).quarantined).toBe(1);
    for (let i = 0; i < 3; i++) {
      moved.position.x = Number.NaN;
      expect(updated(index).cull(camera)).toEqual([still]);
      expect(
        index.queryBox(new THREE.Box3(new THREE.Vector3(-1e9, -1e9, -1e9), new THREE.Vector3(1e9, 1e9, 1e9))),
      ).toEqual([still]);
      expect(index.getBox(moved, new THREE.Box3())).toBeNull();
      expect(stats(index).quarantined).toBe(2);
      expect(validateScene(index)).toEqual([]);
      index.update();
      moved.position.x = 10;
      index.update();
      expect(new Set(index.cull(camera))).toEqual(new Set([still, moved]));
      expect(stats(index).quarantined).toBe(1);
    }
    const why = 'is left out of all results: its bounds are NaN';
    // The objects themselves are not handed to the console, which would keep them.
    expect(warnings()).toEqual([
      `SceneIndex: Mesh ${vertex.id} ${why}`,
      `SceneIndex: Mesh ${moved.id} "the moved one" ${why}`,
    ]);
    vertex.geometry.attributes.position.setX(3, 0.5);
    vertex.geometry.attributes.position.needsUpdate = true;
    expect(updated(index).size).toBe(3);
    moved.position.y = Number.NaN;
    index.update();
    index.root.remove(moved);
    expect(stats(index).quarantined).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });

  it('are quarantined when something above them is NaN, and come back with it', () => {
    const group = new THREE.Group();
    group.add(
      boxMesh(1),
      skinnedTower(),
      lod(),
      new THREE.Sprite(),
      instancedMesh(random(1), 3),
      batchedMesh(random(1), 3),
    );
    const other = boxMesh(-20);
    const index = indexOf(group, other);
    const { size } = index;
    expect(size).toBe(7);
    group.position.z = Number.NaN;
    expect(updated(index).size).toBe(1);
    expect(stats(index).quarantined).toBe(6);
    group.position.z = 0;
    expect(updated(index).size).toBe(7);
    expect(stats(index).quarantined).toBe(0);
    expect(warnings()).toHaveLength(6);
  });
});

describe('infinite bounds', () => {
  it('work, turned and scaled, and do not spoil those of others', () => {
    const [sky, ground] = [new THREE.Mesh(new THREE.BoxGeometry()), new THREE.Mesh(new THREE.BoxGeometry())];
    sky.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), inf);
    ground.geometry.boundingBox = new THREE.Box3(new THREE.Vector3(-inf, -1, -inf), new THREE.Vector3(inf, 0, inf));
    ground.rotation.y = 1;
    ground.scale.set(2, -1, 0.5);
    const crowd = Array.from({ length: 100 }, (_, i) => boxMesh(i, 5, 0));
    const index = indexOf(sky, ground, ...crowd);
    expect(numbers(boxOf(index, sky))).toEqual([-1, -1, -1, 1, 1, 1].map((c) => c * inf));
    const { min, max } = boxOf(index, ground);
    expect([min.x, min.z, max.x, max.z]).toEqual([-1, -1, 1, 1].map((c) => c * inf));
    expect([min.y, max.y]).toEqual([-0.5, 1]);
    expect(stats(index)).toMatchObject({ unbounded: 2, quarantined: 0 });
    expect(new Set(index.queryPoint(new THREE.Vector3(50, 5, 0)))).toEqual(new Set([sky, crowd[50]]));
    expect(new Set(index.queryPoint(new THREE.Vector3(1e9, 0.25, 0)))).toEqual(new Set([sky, ground]));
    expect(index.counters.nodesVisited).toBeLessThan(10);
    sky.position.x = 8;
    ground.position.y = 100;
    index.update();
    expect(new Set(index.queryPoint(new THREE.Vector3(1e9, 100, 0)))).toEqual(new Set([sky, ground]));
    const camera = eye(50, 5, 20, { far: 100, lookAt: [50, 5, 0] });
    const seen = index.cull(camera);
    expect(seen).toEqual(expect.arrayContaining([sky, crowd[50]]));
    expect(validateScene(index)).toEqual([]);
    expect(warnings()).toEqual([]);
  });
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
  const prototypes = [
    THREE.Mesh,
    THREE.BatchedMesh,
    THREE.SkinnedMesh,
    THREE.InstancedMesh,
    THREE.BufferGeometry,
    THREE.Sprite,
  ].map((k) => k.prototype);
  const namesOf = (): string[][] => prototypes.map((prototype) => Object.getOwnPropertyNames(prototype));
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
