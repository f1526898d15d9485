import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { queryScreen } from '../../../src/index.js';
import { indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { boxMesh } from '../../helpers/scene.js';

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
  // With it, three's own planes are NaN in part.
  'infinite far plane': lens((camera) => Object.assign(camera, { far: Number.POSITIVE_INFINITY })),
});

// That it is what the frustum behind it meets is tested in decisions.test.ts.
describe.each(CAMERAS)('a rectangle on the screen of a camera: %s', (_label, make) => {
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
