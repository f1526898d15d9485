import {
  BatchedMesh,
  type Box3 as Box,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Line,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene,
  SkinnedMesh,
  Sphere,
  Sprite,
  Vector3,
} from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explain, SceneIndex, sceneStats } from '../../../src/index.js';
import { boxOf, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { batchedMesh, boxMesh, instancedMesh, lod, mixedScene, skinnedTower, strewn } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

const material = new MeshBasicMaterial();

function place(object: Object3D, next: () => number, far = 50): void {
  object.position.set((next() - 0.5) * far, (next() - 0.5) * far, (next() - 0.5) * far);
  object.rotation.set(next() * 6, next() * 6, next() * 6);
  object.scale.set(next() * 4 - 2, next() * 4 - 2, next() * 4 - 2);
}

function numbers(box: Box): number[] {
  return [...box.min, ...box.max].map((value) => value + 0);
}

/** All vertices as they are drawn, by three's own means. */
function verticesOf(mesh: Mesh): Vector3[] {
  const { position } = mesh.geometry.attributes;
  return Array.from({ length: position.count }, (_, i) => {
    const vertex = new Vector3();
    if (mesh.isMesh) mesh.getVertexPosition(i, vertex);
    else vertex.fromBufferAttribute(position, i);
    return vertex.applyMatrix4(mesh.matrixWorld);
  });
}

/** Fails unless the box holds the points, but for rounding. */
function expectHolds(box: Box, points: Vector3[]): void {
  const slack = 1e-6 * Math.max(1, ...numbers(box).map(Math.abs));
  const wide = box.clone().expandByScalar(slack);
  expect(points.filter((point) => !wide.containsPoint(point)).map((point) => point.toArray())).toEqual([]);
}

/** Fails when the box is more than this much larger than the box around the points. */
function expectTight(box: Box, points: Vector3[], share = 1e-6): void {
  const around = new Box3().setFromPoints(points);
  const slack = share * Math.max(1, ...numbers(box).map(Math.abs));
  numbers(around).forEach((value, i) => {
    expect(Math.abs(numbers(box)[i] - value)).toBeLessThanOrEqual(slack);
  });
}

let warn: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('bounds of meshes, lines and points', () => {
  it.each([1, 2, 3])('are bit for bit those of Box3.applyMatrix4, seed %i', (seed) => {
    const next = random(seed);
    const scene = new Scene();
    const made: (Mesh | Line | Points)[] = [];
    for (let i = 0; i < 120; i++) {
      const geometry = strewn(next, 2 + Math.floor(next() * 6));
      const object = [
        new Mesh(geometry, material),
        new Line(geometry, new LineBasicMaterial()),
        new LineSegments(geometry, new LineBasicMaterial()),
        new Points(geometry, new PointsMaterial()),
      ][i % 4];
      place(object, next, i % 5 === 0 ? 1e7 : 50);
      if (i % 7 === 0) object.scale.setComponent(i % 3, 0);
      if (i % 11 === 0) object.scale.setScalar(0);
      const parent = i > 0 && next() < 0.3 ? made[Math.floor(next() * made.length)] : scene;
      parent.add(object);
      made.push(object);
    }
    const index = new SceneIndex(scene);
    for (const object of made) {
      const local = new Box3().setFromBufferAttribute(object.geometry.attributes.position as BufferAttribute);
      expect(numbers(boxOf(index, object))).toEqual(numbers(local.applyMatrix4(object.matrixWorld)));
      const points = verticesOf(object as Mesh);
      expectHolds(boxOf(index, object), points);
    }
  });

  it('read interleaved and normalized attributes', () => {
    const floats = new Float32Array([9, -1, -2, -3, 9, 4, 5, 6, 9, 0, 0, 0]);
    const interleaved = new BufferGeometry().setAttribute(
      'position',
      new InterleavedBufferAttribute(new InterleavedBuffer(floats, 4), 3, 1),
    );
    const bytes = new Int8Array([-127, 0, 127, 127, 64, -64, 0, 0, 0]);
    const normalized = new BufferGeometry().setAttribute('position', new BufferAttribute(bytes, 3, true));
    const [a, b] = [new Mesh(interleaved, material), new Mesh(normalized, material)];
    const index = indexOf(a, b);
    expect(numbers(boxOf(index, a))).toEqual([-1, -2, -3, 4, 5, 6]);
    expect(numbers(boxOf(index, b))).toEqual(numbers(new Box3().setFromObject(b, true)));
    expect(boxOf(index, b).max.x).toBe(1);
    floats[5] = 40;
    (interleaved.attributes.position as InterleavedBufferAttribute).needsUpdate = true;
    index.update();
    expect(numbers(boxOf(index, a))).toEqual([-1, -2, -3, 40, 5, 6]);
  });

  it('are widened by bounds that were declared larger', () => {
    const [sphere, box, both] = [boxMesh(), boxMesh(), boxMesh()];
    for (const mesh of [sphere, box, both]) mesh.geometry = new BoxGeometry(1, 1, 1);
    sphere.geometry.boundingSphere = new Sphere(new Vector3(0, 5, 0), 10);
    box.geometry.boundingBox = new Box3(new Vector3(-7, 0, 0), new Vector3(0, 8, 0));
    both.geometry.computeBoundingSphere();
    both.geometry.computeBoundingBox();
    const index = indexOf(sphere, box, both);
    expect(numbers(boxOf(index, sphere))).toEqual([-10, -5, -10, 10, 15, 10]);
    expect(numbers(boxOf(index, box))).toEqual([-7, -0.5, -0.5, 0.5, 8, 0.5]);
    expect(numbers(boxOf(index, both))).toEqual([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
  });
});

describe('bounds of morphed meshes', () => {
  it.each([
    ['absolute', false],
    ['relative', true],
  ])('hold all vertices at any influences from 0 to 1: %s targets', (_label, relative) => {
    const next = random(relative ? 5 : 6);
    for (let round = 0; round < 20; round++) {
      const geometry = strewn(next, 8);
      geometry.morphAttributes.position = Array.from(
        { length: 3 },
        () =>
          new Float32BufferAttribute(
            Array.from({ length: 24 }, () => next() * 4 - 2),
            3,
          ),
      );
      geometry.morphTargetsRelative = relative;
      const mesh = new Mesh(geometry, material);
      place(mesh, next);
      const index = indexOf(mesh);
      for (let i = 0; i < 20; i++) {
        mesh.morphTargetInfluences = [0, 0, 0].map(() => (next() < 0.3 ? Math.round(next()) : next()));
        expectHolds(boxOf(index, mesh), verticesOf(mesh));
      }
    }
  });
});

describe('bounds of skinned meshes', () => {
  it.each([1, 2, 3, 4])('hold all vertices in any pose, seed %i', (seed) => {
    const next = random(seed);
    const tower = skinnedTower();
    if (seed === 4) tower.bindMode = 'detached';
    const index = indexOf(tower);
    expectTight(boxOf(index, tower), verticesOf(tower));
    for (let i = 0; i < 40; i++) {
      place(tower, next);
      for (const bone of tower.skeleton.bones) {
        bone.rotation.set(next() * 6, next() * 6, next() * 6);
        bone.position.set(next() * 4, next() * 4, next() * 4);
        bone.scale.setScalar(0.5 + next());
      }
      index.update();
      tower.skeleton.update();
      expectHolds(boxOf(index, tower), verticesOf(tower));
    }
  });

  it('hold all vertices of a morphed one as well', () => {
    const next = random(8);
    const tower = skinnedTower();
    const target = tower.geometry.attributes.position.clone();
    for (let i = 0; i < target.count; i++) target.setX(i, target.getX(i) + 3);
    tower.geometry.morphAttributes.position = [target];
    tower.updateMorphTargets();
    const index = indexOf(tower);
    for (let i = 0; i < 30; i++) {
      tower.skeleton.bones[1].rotation.set(next() * 6, next() * 6, next() * 6);
      (tower.morphTargetInfluences as number[])[0] = next();
      index.update();
      tower.skeleton.update();
      expectHolds(boxOf(index, tower), verticesOf(tower));
    }
  });

  it('hold the vertices when two meshes share a skeleton', () => {
    const tower = skinnedTower();
    const other = new SkinnedMesh(tower.geometry, material);
    other.bind(tower.skeleton, new Matrix4());
    other.position.x = 12;
    const index = indexOf(tower, other);
    tower.skeleton.bones[1].rotation.z = 1;
    index.update();
    tower.skeleton.update();
    for (const mesh of [tower, other]) expectHolds(boxOf(index, mesh), verticesOf(mesh));
  });
});

describe('bounds of instanced and batched meshes', () => {
  const carried = (mesh: InstancedMesh | BatchedMesh, geometry: BufferGeometry, ids: number[]): Vector3[] => {
    const { position } = geometry.attributes;
    const matrix = new Matrix4();
    return ids.flatMap((id) =>
      Array.from({ length: position.count }, (_, i) => {
        mesh.getMatrixAt(id, matrix);
        return new Vector3().fromBufferAttribute(position, i).applyMatrix4(matrix).applyMatrix4(mesh.matrixWorld);
      }),
    );
  };
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

  it('are those of a mesh that draws instances and has none of the methods of an InstancedMesh', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const real = instancedMesh(random(3), 20);
    real.updateMatrixWorld();
    // As the panels and glyphs of uikit are.
    class Panels extends Mesh {
      readonly isInstancedMesh = true;
      readonly instanceMatrix = real.instanceMatrix;
      readonly instanceColor = null;
      readonly morphTexture = null;
      readonly boundingSphere = new Sphere();
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
    const points = carried(real, real.geometry, upTo(5));
    expectTight(boxOf(index, panels), points);
    expect(explain(index, panels, new PerspectiveCamera()).join()).not.toContain('cannot be computed');
    expect(validateScene(index)).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('follow geometries of a batch that are replaced', () => {
    const mesh = new BatchedMesh(4, 400, 800, material);
    const shape = mesh.addGeometry(new BoxGeometry(), 100, 200);
    mesh.addInstance(shape);
    const index = indexOf(mesh);
    expect(boxOf(index, mesh).max.x).toBe(0.5);
    mesh.setGeometryAt(shape, new BoxGeometry(10, 10, 10));
    index.touch(mesh);
    expect(boxOf(updated(index), mesh).max.x).toBe(5);
  });
});

describe('objects without bounds', () => {
  it('have no entry, and get one as soon as they have vertices', () => {
    const empty = new Mesh(new BufferGeometry().setAttribute('position', new Float32BufferAttribute([], 3)), material);
    const bare = new Mesh(new BufferGeometry(), material);
    const points = new Points(new BufferGeometry(), new PointsMaterial());
    const index = indexOf(empty, bare, points, new Group(), new InstancedMesh(new BoxGeometry(), material, 0));
    expect(index.size).toBe(0);
    expect(index.has(bare)).toBe(true);
    expect(index.getBox(bare, new Box3())).toBeNull();
    expect(sceneStats(index).quarantined).toBe(0);
    bare.geometry.setAttribute('position', new Float32BufferAttribute([1, 2, 3], 3));
    empty.geometry = new BoxGeometry();
    index.update();
    expect(numbers(boxOf(index, bare))).toEqual([1, 2, 3, 1, 2, 3]);
    expect(index.size).toBe(2);
    empty.geometry = new BufferGeometry();
    expect(updated(index).size).toBe(1);
    expect(warn).not.toHaveBeenCalled();
    expect(validateScene(index)).toEqual([]);
  });

  it('are quarantined with one warning each while their numbers are NaN', () => {
    const [still, moved, vertex] = [boxMesh(5), boxMesh(10), boxMesh(15)];
    vertex.geometry = new BoxGeometry();
    vertex.geometry.attributes.position.setX(3, Number.NaN);
    moved.name = 'the moved one';
    const index = indexOf(still, moved, vertex);
    const eye = new PerspectiveCamera(90, 1, 0.1, 1000);
    eye.position.set(10, 0, 60);
    expect(new Set(index.cull(eye))).toEqual(new Set([still, moved]));
    expect(sceneStats(index).quarantined).toBe(1);
    for (let i = 0; i < 3; i++) {
      moved.position.x = Number.NaN;
      expect(updated(index).cull(eye)).toEqual([still]);
      expect(index.queryBox(new Box3(new Vector3(-1e9, -1e9, -1e9), new Vector3(1e9, 1e9, 1e9)))).toEqual([still]);
      expect(index.getBox(moved, new Box3())).toBeNull();
      expect(sceneStats(index).quarantined).toBe(2);
      expect(validateScene(index)).toEqual([]);
      index.update();
      moved.position.x = 10;
      index.update();
      expect(new Set(index.cull(eye))).toEqual(new Set([still, moved]));
      expect(sceneStats(index).quarantined).toBe(1);
    }
    const why = 'is in no result, its bounds are NaN';
    // The objects themselves are not handed to the console, which would keep them.
    expect(warn.mock.calls).toEqual([
      [`SceneIndex: Mesh ${vertex.id} ${why}`],
      [`SceneIndex: Mesh ${moved.id} "the moved one" ${why}`],
    ]);
    vertex.geometry.attributes.position.setX(3, 0.5);
    vertex.geometry.attributes.position.needsUpdate = true;
    expect(updated(index).size).toBe(3);
    moved.position.y = Number.NaN;
    index.update();
    index.root.remove(moved);
    expect(sceneStats(index).quarantined).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });

  it('are quarantined when something above them is NaN, and come back with it', () => {
    const group = new Group();
    group.add(boxMesh(1), skinnedTower(), lod(), new Sprite(), instancedMesh(random(1), 3), batchedMesh(random(1), 3));
    const other = boxMesh(-20);
    const index = indexOf(group, other);
    const { size } = index;
    expect(size).toBe(7);
    group.position.z = Number.NaN;
    expect(updated(index).size).toBe(1);
    expect(sceneStats(index).quarantined).toBe(6);
    group.position.z = 0;
    expect(updated(index).size).toBe(7);
    expect(sceneStats(index).quarantined).toBe(0);
    expect(warn).toHaveBeenCalledTimes(6);
  });
});

describe('infinite bounds', () => {
  it('work, turned and scaled, and do not spoil those of others', () => {
    const sky = boxMesh();
    sky.geometry = new BoxGeometry();
    sky.geometry.boundingSphere = new Sphere(new Vector3(), Number.POSITIVE_INFINITY);
    const ground = boxMesh();
    ground.geometry = new BoxGeometry();
    ground.geometry.boundingBox = new Box3(
      new Vector3(Number.NEGATIVE_INFINITY, -1, Number.NEGATIVE_INFINITY),
      new Vector3(Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY),
    );
    ground.rotation.y = 1;
    ground.scale.set(2, -1, 0.5);
    const crowd = Array.from({ length: 100 }, (_, i) => boxMesh(i, 5, 0));
    const index = indexOf(sky, ground, ...crowd);
    expect(numbers(boxOf(index, sky))).toEqual([-1, -1, -1, 1, 1, 1].map((c) => c * Number.POSITIVE_INFINITY));
    const { min, max } = boxOf(index, ground);
    expect([min.x, min.z, max.x, max.z]).toEqual([-1, -1, 1, 1].map((c) => c * Number.POSITIVE_INFINITY));
    expect([min.y, max.y]).toEqual([-0.5, 1]);
    expect(sceneStats(index).unbounded).toBe(2);
    expect(sceneStats(index).quarantined).toBe(0);
    expect(new Set(index.queryPoint(new Vector3(50, 5, 0)))).toEqual(new Set([sky, crowd[50]]));
    expect(new Set(index.queryPoint(new Vector3(1e9, 0.25, 0)))).toEqual(new Set([sky, ground]));
    expect(index.counters.nodesVisited).toBeLessThan(10);
    sky.position.x = 8;
    ground.position.y = 100;
    index.update();
    expect(new Set(index.queryPoint(new Vector3(1e9, 100, 0)))).toEqual(new Set([sky, ground]));
    const eye = new PerspectiveCamera(60, 1, 0.1, 100);
    eye.position.set(50, 5, 20);
    const seen = index.cull(eye);
    expect(seen).toContain(sky);
    expect(seen).toContain(crowd[50]);
    expect(validateScene(index)).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });
});

it('nothing is written to userData, prototypes, geometries or objects', () => {
  const scene = mixedScene(random(12), 80);
  const objects: Object3D[] = [];
  scene.traverse((object) => objects.push(object));
  const look = (): unknown[] =>
    objects.map((object) => {
      const { geometry, boundingBox, boundingSphere, userData } = object as unknown as {
        [key: string]: { [key: string]: unknown };
      };
      const keys = Object.keys(object).filter((key) => key !== '_listeners');
      return [
        keys,
        Object.keys(userData),
        boundingBox,
        boundingSphere,
        geometry?.boundingBox,
        geometry?.boundingSphere,
      ];
    });
  const prototypes = [Mesh, BatchedMesh, SkinnedMesh, InstancedMesh, BufferGeometry, Sprite].map(
    (kind) => kind.prototype,
  );
  const names = prototypes.map((prototype) => Object.getOwnPropertyNames(prototype));
  const before = look();
  const index = new SceneIndex(scene);
  index.update();
  index.cull(new PerspectiveCamera());
  for (const object of objects) index.touch(object);
  index.update();
  expect(look()).toEqual(before);
  expect(prototypes.map((prototype) => Object.getOwnPropertyNames(prototype))).toEqual(names);
});
