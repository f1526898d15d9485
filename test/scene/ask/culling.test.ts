import {
  ArrayCamera,
  Box3,
  type Camera,
  Frustum,
  Matrix4,
  type Mesh,
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLCoordinateSystem,
  WebGPUCoordinateSystem,
} from 'three';
import { describe, expect, it } from 'vitest';
import {
  classifyScene,
  createIndex,
  type IndexOptions,
  LooseOctree,
  SceneIndex,
  type StructureName,
} from '../../../src/index.js';
import { boxOf, entriesOf, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh, mixedScene } from '../../helpers/scene.js';
import { atWidth } from '../../helpers/width.js';

type Make = (next: () => number) => PerspectiveCamera | OrthographicCamera;

const perspective = (next: () => number): PerspectiveCamera =>
  new PerspectiveCamera(20 + next() * 80, 0.5 + next() * 1.5, 0.1 + next(), 20 + next() * 100);
const lens =
  (change: (camera: PerspectiveCamera, next: () => number) => void): Make =>
  (next) => {
    const camera = perspective(next);
    change(camera, next);
    return camera;
  };
const CAMERAS: { label: string; make: Make }[] = [
  { label: 'perspective', make: perspective },
  {
    label: 'orthographic',
    make: (next) => new OrthographicCamera(-next() * 40, next() * 40, next() * 40, -next() * 40, 0, 20 + next() * 80),
  },
  { label: 'view offset', make: lens((c, next) => c.setViewOffset(800, 600, next() * 400, next() * 300, 400, 300)) },
  { label: 'reversed depth', make: lens((c) => Object.assign(c, { _reversedDepth: true })) },
  { label: 'WebGPU clip space', make: lens((c) => Object.assign(c, { coordinateSystem: WebGPUCoordinateSystem })) },
  { label: 'infinite far plane', make: lens((c) => Object.assign(c, { far: Number.POSITIVE_INFINITY })) },
];

function place<T extends Camera>(camera: T, next: () => number): T {
  (camera as unknown as PerspectiveCamera).updateProjectionMatrix?.();
  camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
  camera.lookAt(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
  camera.updateMatrixWorld();
  return camera;
}

function frustumOf(camera: Camera): Frustum {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}

const VARIANTS: [StructureName, IndexOptions][] = [
  ['bruteForce', {}],
  ['octree', { capacity: 4 }],
  ['octree', { capacity: 4, planar: true }],
  ['looseOctree', { capacity: 4 }],
  ['looseOctree', { capacity: 4, planar: true }],
];

describe.each(VARIANTS)('culling with %s %o', (structure, options) => {
  it.each(CAMERAS)('keeps exactly what the frustum of a camera meets: $label', ({ make }) => {
    const next = random(11);
    const scene = mixedScene(next, 200);
    const index = new SceneIndex(scene, { index: createIndex(structure, { ...options }) });
    const all = entriesOf(index);
    let kept = 0;
    for (let i = 0; i < atWidth(40, 12); i++) {
      const camera = place(make(next), next);
      const frustum = frustumOf(camera);
      const expected = all.filter(({ box }) => frustum.intersectsBox(box)).map(({ object }) => object);
      expect(new Set(index.cull(camera))).toEqual(new Set(expected));
      expect(new Set(index.queryFrustum(frustum))).toEqual(new Set(expected));
      const target = { inside: [] as Object3D[], intersecting: [] as Object3D[], culled: [] as Object3D[] };
      classifyScene(index, camera, target);
      expect(new Set([...target.inside, ...target.intersecting])).toEqual(new Set(expected));
      expect(target.inside.length + target.intersecting.length + target.culled.length).toBe(index.size);
      for (const object of target.inside) expect(isInside(frustum, boxOf(index, object))).toBe(true);
      for (const object of target.intersecting) expect(isInside(frustum, boxOf(index, object))).toBe(false);
      kept += expected.length;
    }
    expect(kept).toBeGreaterThan(40);
    expect(kept).toBeLessThan(40 * all.length);
  });
});

function isInside(frustum: Frustum, box: Box3): boolean {
  const corner = new Vector3();
  for (let i = 0; i < 8; i++) {
    corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    if (!frustum.planes.every((plane) => !(plane.distanceToPoint(corner) < 0))) return false;
  }
  return true;
}

describe('what a camera sees', () => {
  it('never leaves out an object with a vertex in view, seeds 1 to 5', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const next = random(seed);
      const scene = mixedScene(next, 150);
      const index = new SceneIndex(scene);
      const camera = place(perspective(next), next);
      const frustum = frustumOf(camera);
      const seen = new Set(index.cull(camera));
      for (const { object } of entriesOf(index)) {
        if (!(object as Mesh).isMesh || 'isInstancedMesh' in object || 'isBatchedMesh' in object) continue;
        const mesh = object as Mesh;
        const vertex = new Vector3();
        for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
          mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld);
          if (frustum.containsPoint(vertex)) expect(seen.has(mesh)).toBe(true);
        }
      }
    }
  });

  it('lists objects in the order in which they were made', () => {
    const next = random(3);
    const scene = new Scene();
    for (let i = 0; i < 300; i++) scene.add(boxMesh(next() * 20, next() * 20, next() * 20));
    const camera = new PerspectiveCamera(60, 1, 0.1, 200);
    camera.position.z = 60;
    const seen = new SceneIndex(scene).cull(camera);
    expect(seen).toEqual(scene.children.filter((child) => seen.includes(child)));
  });

  it('leaves out what is hidden or on other layers, and keeps what is never culled', () => {
    const parent = boxMesh();
    const child = boxMesh(1);
    const behind = boxMesh(0, 0, 500);
    parent.add(child);
    const scene = new Scene().add(parent, behind);
    const index = new SceneIndex(scene);
    const camera = new PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    expect(index.cull(camera)).toEqual([parent, child]);
    parent.visible = false;
    expect(index.cull(camera)).toEqual([]);
    parent.visible = true;
    child.layers.set(2);
    expect(index.cull(camera)).toEqual([parent]);
    camera.layers.enable(2);
    expect(index.cull(camera)).toEqual([parent, child]);
    behind.frustumCulled = false;
    expect(updated(index).cull(camera)).toEqual([parent, child, behind]);
    behind.visible = false;
    expect(index.cull(camera)).toEqual([parent, child]);
    scene.visible = false;
    expect(index.cull(camera)).toEqual([]);
  });

  it('unites the views of an ArrayCamera', () => {
    const [left, right, back] = [boxMesh(-30), boxMesh(30), boxMesh(0, 0, 30)];
    const index = indexOf(left, right, back);
    const views = [-30, 30].map((x) => {
      const view = new PerspectiveCamera(40, 1, 0.1, 100);
      view.position.set(x, 0, 10);
      view.updateMatrixWorld();
      return view;
    });
    expect(index.cull(new ArrayCamera(views))).toEqual([left, right]);
    const target = { inside: [], intersecting: [], culled: [] };
    classifyScene(index, new ArrayCamera(views), target);
    expect(target).toEqual({ inside: [left, right], intersecting: [], culled: [back] });
  });

  it('uses the camera as it is now, a moved one included', () => {
    const mesh = boxMesh(0, 0, 0);
    const index = indexOf(mesh);
    const camera = new PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    expect(index.cull(camera)).toEqual([mesh]);
    camera.position.z = -10;
    expect(index.cull(camera)).toEqual([]);
  });

  it('culls nothing by planes that are NaN', () => {
    const scene = new Scene().add(boxMesh());
    const camera = new PerspectiveCamera();
    camera.projectionMatrix.elements.fill(Number.NaN);
    expect(new SceneIndex(scene).cull(camera)).toHaveLength(1);
  });

  it('takes a camera that is part of the scene', () => {
    const rig = boxMesh(0, 0, 50);
    const camera = new PerspectiveCamera(60, 1, 5, 100);
    rig.add(camera);
    const mesh = boxMesh();
    const index = indexOf(rig, mesh);
    expect(index.cull(camera)).toEqual([mesh]);
    rig.rotation.y = Math.PI;
    expect(updated(index).cull(camera)).toEqual([]);
  });
});

describe('queries by shape', () => {
  it('give what three says of the bounds, seed 5', () => {
    const next = random(5);
    const scene = mixedScene(next, 200);
    const index = new SceneIndex(scene, { index: new LooseOctree({ capacity: 4 }) });
    const all = entriesOf(index);
    for (let i = 0; i < 100; i++) {
      const center = new Vector3(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
      const box = new Box3().setFromCenterAndSize(center, new Vector3(next() * 20, next() * 20, next() * 20));
      const sphere = new Sphere(center, next() * 15);
      const pick = (test: (box: Box3) => boolean): Set<Object3D> =>
        new Set(all.filter((o) => test(o.box)).map((o) => o.object));
      expect(new Set(index.queryBox(box))).toEqual(pick((b) => b.intersectsBox(box)));
      expect(new Set(index.querySphere(sphere))).toEqual(pick((b) => b.intersectsSphere(sphere)));
      expect(new Set(index.queryPoint(center))).toEqual(pick((b) => b.containsPoint(center)));
    }
    expect(index.queryBox(new Box3())).toEqual([]);
    expect(index.querySphere(new Sphere().makeEmpty())).toEqual([]);
  });
});

it('the coordinate systems of three are the ones that are tested', () => {
  expect(new PerspectiveCamera().coordinateSystem).toBe(WebGLCoordinateSystem);
});
