import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { classify, createIndex, queryScreen, SceneIndex } from '../../../src/index.js';
import { STRUCTURES } from '../../../src/standalone.js';
import { boxOf } from '../../helpers/indexed.js';
import { frustumOf } from '../../helpers/passes.js';
import { random } from '../../helpers/random.js';
import { boxMesh } from '../../helpers/scene.js';

const OBJECTS = 1000;
const CAMERAS = 50;

type Lens = THREE.PerspectiveCamera | THREE.OrthographicCamera;

/** What differs between the clip spaces of renderers. */
interface Clip {
  label: string;
  system: typeof THREE.WebGLCoordinateSystem | typeof THREE.WebGPUCoordinateSystem;
  isReversed: boolean;
}

const { WebGLCoordinateSystem: WEBGL, WebGPUCoordinateSystem: WEBGPU } = THREE;
const CLIPS: Clip[] = [
  { label: 'WebGL', system: WEBGL, isReversed: false },
  { label: 'WebGL, reversed depth', system: WEBGL, isReversed: true },
  { label: 'WebGPU', system: WEBGPU, isReversed: false },
  { label: 'WebGPU, reversed depth', system: WEBGPU, isReversed: true },
];

const perspective = (next: () => number): THREE.PerspectiveCamera =>
  new THREE.PerspectiveCamera(20 + next() * 100, 0.4 + next() * 2, 0.1 + next() * 5, 20 + next() * 100);

const LENSES = Object.entries<(next: () => number) => Lens>({
  perspective,
  orthographic: (next) =>
    new THREE.OrthographicCamera(-next() * 40, next() * 40, next() * 40, -next() * 40, next(), 10 + next() * 90),
  'view offset': (next) => {
    const camera = perspective(next);
    camera.setViewOffset(800, 600, next() * 400, next() * 300, 50 + next() * 350, 50 + next() * 250);
    return camera;
  },
  'infinite far plane': (next) => {
    const camera = perspective(next);
    // three's own matrix is NaN in its third row then: this one is what it tends to.
    camera.updateProjectionMatrix = function (this: THREE.PerspectiveCamera) {
      this.far = 1000;
      THREE.PerspectiveCamera.prototype.updateProjectionMatrix.call(this);
      const { elements } = this.projectionMatrix;
      elements[10] = this.reversedDepth ? 0 : -1;
      elements[14] = this.near * (this.reversedDepth ? 1 : this.coordinateSystem === WEBGL ? -2 : -1);
      this.projectionMatrixInverse.copy(this.projectionMatrix).invert();
    };
    return camera;
  },
});

function clipped<T extends Lens>(camera: T, { system, isReversed }: Clip): T {
  Object.assign(camera, { coordinateSystem: system, _reversedDepth: isReversed }).updateProjectionMatrix();
  return camera;
}

function aim<T extends Lens>(camera: T, clip: Clip, next: () => number): T {
  clipped(camera, clip);
  camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
  camera.lookAt(next() * 40 - 20, next() * 40 - 20, next() * 40 - 20);
  camera.rotateZ(next() * 7);
  camera.updateMatrixWorld();
  return camera;
}

function scatter(next: () => number): { meshes: THREE.Mesh[]; indices: SceneIndex[]; boxes: THREE.Box3[] } {
  const meshes = Array.from({ length: OBJECTS }, (_, i) => {
    const mesh = boxMesh(next() * 100 - 50, next() * 100 - 50, next() * 100 - 50, i % 50 === 0 ? 30 : 0.1 + next() * 4);
    if (i % 3 === 0) mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    if (i % 7 === 0) mesh.scale.y = 0;
    return mesh;
  });
  const scene = new THREE.Scene().add(...meshes);
  const indices = STRUCTURES.map(
    (structure) => new SceneIndex(scene, { structure: createIndex(structure, { capacity: 8 }) }),
  );
  const boxes = meshes.map((mesh) => indices[0].getBox(mesh, new THREE.Box3()) as THREE.Box3);
  return { meshes, indices, boxes };
}

const vertex = new THREE.Vector4();

/** True when a place between the corners of a box is drawn for sure: by its place in clip space alone, no planes. */
function showsSomething({ min, max }: THREE.Box3, matrix: THREE.Matrix4, { system, isReversed }: Clip): boolean {
  const nearest = system === THREE.WebGLCoordinateSystem && !isReversed ? -1 : 0;
  for (let i = 0; i < 27; i++) {
    const share = (step: number): number => (Math.floor(i / step) % 3) / 2;
    vertex.set(
      min.x + (max.x - min.x) * share(1),
      min.y + (max.y - min.y) * share(3),
      min.z + (max.z - min.z) * share(9),
      1,
    );
    const { x, y, z, w } = vertex.applyMatrix4(matrix);
    const sure = w * (1 - 1e-6);
    if (w > 0 && Math.abs(x) < sure && Math.abs(y) < sure && z < sure && z > nearest * sure + 1e-6) return true;
  }
  return false;
}

/** True for a box within all planes; one that is NaN is none. */
function holds(frustum: THREE.Frustum, { min, max }: THREE.Box3): boolean {
  return [0, 1, 2, 3, 4, 5, 6, 7].every((i) => {
    const corner = new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    return frustum.planes.every((plane) => !(plane.distanceToPoint(corner) < 0));
  });
}

/** The frustum of a camera that would show nothing but the rectangle: its clip space stretched. */
function stretched(camera: Lens, from: THREE.Vector2, to: THREE.Vector2): THREE.Frustum {
  const [x0, x1] = [from.x, to.x].sort((a, b) => a - b);
  const [y0, y1] = [from.y, to.y].sort((a, b) => a - b);
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const e = matrix.elements;
  for (let c = 0; c < 16; c += 4) {
    e[c] = (2 * e[c] - (x0 + x1) * e[c + 3]) / (x1 - x0);
    e[c + 1] = (2 * e[c + 1] - (y0 + y1) * e[c + 3]) / (y1 - y0);
  }
  return new THREE.Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}

/** Fails unless a rectangle on the screen selects what the frustum behind it meets, or holds; returns their numbers. */
function expectSelected(index: SceneIndex, camera: Lens, next: () => number, boxes: THREE.Box3[]): number[] {
  const [from, to] = [0, 1].map(() => new THREE.Vector2(next() * 3 - 1.5, next() * 3 - 1.5));
  const frustum = stretched(camera, from, to);
  const met = index.root.children.filter((_, k) => frustum.intersectsBox(boxes[k]));
  const held = met.filter((object) => holds(frustum, boxOf(index, object)));
  expect(new Set(queryScreen(index, camera, from, to))).toEqual(new Set(met));
  expect(new Set(queryScreen(index, camera, to, from, 'contain'))).toEqual(new Set(held));
  return [met.length, held.length];
}

/** Fails unless what is seen is told apart by whether it is wholly in view. */
function expectClasses(index: SceneIndex, camera: Lens, frustum: THREE.Frustum, seen: Set<THREE.Object3D>): void {
  const [inside, intersecting, culled]: THREE.Object3D[][] = [[], [], []];
  classify(index, camera, { inside, intersecting, culled });
  expect(new Set([...inside, ...intersecting])).toEqual(seen);
  expect([inside.length + intersecting.length, culled.length]).toEqual([seen.size, OBJECTS - seen.size]);
  const isInside = (object: THREE.Object3D): boolean => holds(frustum, boxOf(index, object));
  expect(inside.every(isInside)).toBe(true);
  expect(intersecting.some(isInside)).toBe(false);
}

describe.each(CLIPS)('decisions for cameras of $label', (clip) => {
  it.each(LENSES)(
    `are three's, ${OBJECTS * CAMERAS} of them, and nothing in view is missed: %s, seed 17`,
    (_label, make) => {
      const next = random(17);
      const { meshes, indices, boxes } = scatter(next);
      let [kept, sure, selected, contained] = [0, 0, 0, 0];
      const wrong: string[] = [];
      for (let i = 0; i < CAMERAS; i++) {
        const camera = aim(make(next), clip, next);
        const frustum = frustumOf(camera);
        const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        const index = indices[i % indices.length];
        const seen = new Set<THREE.Object3D>(index.cull(camera));
        expect(new Set(index.queryFrustum(frustum))).toEqual(seen);
        expectClasses(index, camera, frustum, seen);
        const [met, held] = expectSelected(index, camera, next, boxes);
        selected += met - held;
        contained += held;
        kept += seen.size;
        for (let k = 0; k < OBJECTS; k++) {
          const isSeen = seen.has(meshes[k]);
          if (isSeen !== frustum.intersectsBox(boxes[k])) wrong.push(`camera ${i}, object ${k}: ${isSeen}`);
          // Looked for where it would hurt, and now and then among what is kept.
          if (isSeen && k % 10 > 0) continue;
          if (!showsSomething(boxes[k], matrix, clip)) continue;
          sure++;
          if (!isSeen) wrong.push(`camera ${i}, object ${k}: in view, and missed`);
        }
      }
      expect(wrong).toEqual([]);
      // Neither all nor nothing, and the second test does find what is in view.
      expect(kept).toBeGreaterThan(0.01 * OBJECTS * CAMERAS);
      expect(kept).toBeLessThan(0.6 * OBJECTS * CAMERAS);
      expect(sure).toBeGreaterThan(200);
      expect(Math.min(selected, contained)).toBeGreaterThan(60);
    },
  );
});

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

const project = (lens: Partial<THREE.PerspectiveCamera>) => (camera: THREE.PerspectiveCamera) =>
  Object.assign(camera, lens).updateProjectionMatrix();

/** Cameras out of order; those that are wholly so know of no plane, and hide nothing. */
const DEGENERATE: { label: string; spoil: (camera: THREE.PerspectiveCamera) => void; isWhole?: boolean }[] = [
  { label: 'a projection of NaN', spoil: (camera) => camera.projectionMatrix.elements.fill(nan), isWhole: true },
  { label: 'one NaN in its projection', spoil: (camera) => camera.projectionMatrix.elements.fill(nan, 0, 1) },
  { label: 'a projection of zeros', spoil: (camera) => camera.projectionMatrix.elements.fill(0), isWhole: true },
  { label: 'an infinite projection', spoil: (camera) => camera.projectionMatrix.elements.fill(inf), isWhole: true },
  { label: 'a place of NaN', spoil: (camera) => camera.position.setScalar(nan), isWhole: true },
  { label: 'an infinite place', spoil: (camera) => camera.position.setX(inf), isWhole: true },
  { label: 'a rotation of NaN', spoil: (camera) => camera.quaternion.set(nan, nan, nan, nan), isWhole: true },
  ...[0, 180, nan, inf].map((fov) => ({ label: `a field of view of ${fov}`, spoil: project({ fov }) })),
  ...[0, nan, inf].map((aspect) => ({ label: `an aspect of ${aspect}`, spoil: project({ aspect }) })),
  ...['1 1', '0 100', '0 0', 'NaN 100', '0.1 NaN', '0.1 Infinity', 'Infinity Infinity'].map((planes) => {
    const [near, far] = planes.split(' ').map(Number);
    return { label: `near and far planes at ${near} and ${far}`, spoil: project({ near, far }) };
  }),
  { label: 'a view offset of no size', spoil: (camera) => camera.setViewOffset(0, 0, 0, 0, 0, 0) },
];

describe.each(CLIPS)('a camera that is out of order, of $label,', (clip) => {
  const next = random(4);
  const { meshes, indices, boxes } = scatter(next);
  const inFront = new THREE.Box3(new THREE.Vector3(-0.2, -0.2, -50), new THREE.Vector3(0.2, 0.2, 50));

  it.each(DEGENERATE)('hides nothing that is in front of it, and what three keeps: $label', ({ spoil, isWhole }) => {
    for (const index of indices) {
      const camera = clipped(new THREE.PerspectiveCamera(60, 1, 0.1, 100), clip);
      spoil(camera);
      const seen = new Set(index.cull(camera));
      const frustum = frustumOf(camera);
      const expected = meshes.filter((_, k) => frustum.intersectsBox(boxes[k]));
      expect(seen).toEqual(new Set(expected));
      expect(new Set(index.queryFrustum(frustum))).toEqual(seen);
      if (isWhole) expect(seen.size).toBe(OBJECTS);
      expect(frustum.intersectsBox(inFront)).toBe(true);
    }
  });

  it('hides nothing below a parent of zero scale, whose matrix has no inverse', () => {
    for (const index of indices) {
      for (const [x, y, z] of [
        [0, 0, 0],
        [0, 1, 1],
        [1, 0, 0],
        [nan, 1, 1],
      ]) {
        const camera = clipped(new THREE.PerspectiveCamera(60, 1, 0.1, 100), clip);
        const rig = new THREE.Scene().add(camera);
        rig.scale.set(x, y, z);
        rig.updateMatrixWorld();
        expect(index.cull(camera)).toHaveLength(OBJECTS);
      }
    }
  });

  it('hides no more with an orthographic view of no extent than three', () => {
    for (const [left, right, top, bottom, near, far] of [
      [0, 0, 1, -1, 0, 10],
      [-1, 1, 0, 0, 0, 10],
      [-1, 1, 1, -1, 5, 5],
      [nan, 1, 1, -1, 0, 10],
      [-inf, inf, 1, -1, 0, 10],
    ]) {
      const camera = clipped(new THREE.OrthographicCamera(left, right, top, bottom, near, far), clip);
      for (const index of indices) {
        const frustum = frustumOf(camera);
        expect(new Set(index.cull(camera))).toEqual(new Set(meshes.filter((_, k) => frustum.intersectsBox(boxes[k]))));
      }
    }
  });
});
