import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { LooseOctree, queryScreen, SceneIndex } from '../../../src/index.js';
import { expectSameIds } from '../../helpers/expectSame.js';
import { entriesOf, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh, mixedScene } from '../../helpers/scene.js';

type Eye = THREE.PerspectiveCamera | THREE.OrthographicCamera;
const lens =
  (change: (camera: THREE.PerspectiveCamera) => unknown = () => {}) =>
  (): Eye => {
    const camera = new THREE.PerspectiveCamera(60, 1.5, 0.5, 120);
    change(camera);
    return camera;
  };
const CAMERAS = Object.entries<() => Eye>({
  perspective: lens(),
  orthographic: () => new THREE.OrthographicCamera(-30, 25, 20, -22, 1, 90),
  'view offset': lens((camera) => camera.setViewOffset(800, 600, 150, 100, 400, 300)),
  'reversed depth': lens((camera) => Object.assign(camera, { _reversedDepth: true })),
  'WebGPU clip space': lens((camera) => Object.assign(camera, { coordinateSystem: THREE.WebGPUCoordinateSystem })),
  'infinite far plane': lens((camera) => Object.assign(camera, { far: Number.POSITIVE_INFINITY })),
});

/** The frustum of a camera that would show nothing but the rectangle: its clip space stretched. */
function stretched(camera: THREE.Camera, from: THREE.Vector2, to: THREE.Vector2): THREE.Frustum {
  const [x0, x1] = [from.x, to.x].sort((a, b) => a - b);
  const [y0, y1] = [from.y, to.y].sort((a, b) => a - b);
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const e = matrix.elements;
  // Row by row: the row of the depth may be NaN.
  for (let c = 0; c < 16; c += 4) {
    e[c] = (2 * e[c] - (x0 + x1) * e[c + 3]) / (x1 - x0);
    e[c + 1] = (2 * e[c + 1] - (y0 + y1) * e[c + 3]) / (y1 - y0);
  }
  return new THREE.Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
}

const idsOf = (objects: THREE.Object3D[]): number[] => objects.map((object) => object.id);

function holds(frustum: THREE.Frustum, { min, max }: THREE.Box3): boolean {
  return [0, 1, 2, 3, 4, 5, 6, 7].every((i) => {
    const corner = new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    // A far plane at infinity is NaN, or no plane, and holds everything.
    return frustum.planes.every((plane) => !(plane.distanceToPoint(corner) < 0));
  });
}

describe.each(CAMERAS)('a rectangle on the screen of a camera: %s', (_label, make) => {
  it.each([1, 2])('selects what the frustum behind it meets, or holds, seed %i', (seed) => {
    const next = random(seed);
    const scene = mixedScene(next, 250);
    const index = new SceneIndex(scene, { structure: new LooseOctree({ capacity: 4 }) });
    const all = entriesOf(index);
    let [met, held] = [0, 0];
    for (let i = 0; i < 60; i++) {
      const camera = make();
      camera.updateProjectionMatrix();
      camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
      camera.lookAt(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
      const from = new THREE.Vector2(next() * 3 - 1.5, next() * 3 - 1.5);
      const to = new THREE.Vector2(next() * 3 - 1.5, next() * 3 - 1.5);
      const intersecting = queryScreen(index, camera, from, to);
      const contained = queryScreen(index, camera, to, from, 'contain');
      const frustum = stretched(camera, from, to);
      const expected = all.filter(({ box }) => frustum.intersectsBox(box));
      expectSameIds(idsOf(intersecting), idsOf(expected.map(({ object }) => object)), 'intersect');
      const whole = expected.filter(({ box }) => holds(frustum, box));
      expectSameIds(idsOf(contained), idsOf(whole.map(({ object }) => object)), 'contain');
      met += intersecting.length;
      held += contained.length;
    }
    expect(held).toBeGreaterThan(60);
    expect(met).toBeGreaterThan(held + 60);
  });

  it('selects what lies behind a point', () => {
    const next = random(5);
    const meshes = Array.from({ length: 40 }, () => boxMesh(next() * 30 - 15, next() * 20 - 10, next() * 30 - 15));
    const index = indexOf(...meshes);
    const camera = make();
    camera.updateProjectionMatrix();
    camera.position.set(0, 5, 40);
    camera.updateMatrixWorld();
    for (const mesh of meshes) {
      const at = mesh.position.clone().project(camera);
      const place = new THREE.Vector2(at.x, at.y);
      const found = queryScreen(index, camera, place, place);
      expect(found).toContain(mesh);
      expect(found.length).toBeLessThan(15);
      expect(queryScreen(index, camera, place, place, 'contain')).toEqual([]);
    }
  });
});

describe('a rectangle on the screen', () => {
  const [parent, child, behind] = [boxMesh(), boxMesh(2), boxMesh(0, 0, 500)];
  const index = indexOf(parent.add(child), behind);
  const camera = lens()();
  camera.position.z = 20;
  const [from, to] = [new THREE.Vector2(-1, -1), new THREE.Vector2(1, 1)];
  const select = (): THREE.Object3D[] => queryScreen(index, camera, from, to);

  it('as large as the screen selects what the camera sees', () => {
    expect(new Set(select())).toEqual(new Set(index.cull(camera)));
    expect(select()).toHaveLength(2);
  });

  it('leaves out what is hidden or on other layers', () => {
    parent.visible = false;
    expect(select()).toEqual([]);
    parent.visible = true;
    child.layers.set(3);
    expect(select()).toEqual([parent]);
    camera.layers.enable(3);
    expect(select()).toHaveLength(2);
  });

  it('selects nothing by a lack of culling', () => {
    behind.frustumCulled = false;
    expect(updated(index).cull(camera)).toContain(behind);
    expect(select()).not.toContain(behind);
    expect(queryScreen(index, camera, from, to, 'contain')).not.toContain(behind);
  });

  it('follows a camera that moved, and overwrites a list', () => {
    const list: THREE.Object3D[] = [behind, behind, behind];
    camera.position.x = 500;
    expect(queryScreen(index, camera, from, to, 'intersect', list)).toBe(list);
    expect(list).toEqual([]);
    camera.position.x = 0;
    expect(queryScreen(index, camera, from, to, 'contain', list)).toHaveLength(2);
  });
});
