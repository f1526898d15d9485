import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate, InstanceIndex } from '../../src/index.js';
import { isDrawnByIndex, loadBatchCode } from '../helpers/drawnByIndex.js';
import { random } from '../helpers/random.js';
import { anyCamera, batchedCrowd, material } from '../instances/table/crowds.js';

type Batch = THREE.BatchedMesh & {
  _updateDrawParameters(camera: THREE.Camera, geometry: THREE.BufferGeometry, material: THREE.Material): void;
  _multiDrawCount: number;
  _indirectTexture: { image: { data: Uint32Array } };
};

const crowd = (seed: number) => batchedCrowd(random(seed), 500, 20) as Batch;

/** The instances that a pass draws. */
function draw(mesh: Batch, camera: THREE.Camera): number[] {
  mesh._updateDrawParameters(camera, mesh.geometry, material);
  return [...mesh._indirectTexture.image.data.subarray(0, mesh._multiDrawCount)];
}

describe('batches of an accelerated scene', () => {
  beforeAll(loadBatchCode);

  it.each([0, 0.1])('are drawn by an index of their instances, with %f ms of upkeep', (maintenanceMs) => {
    const mesh = crowd(1);
    const twin = crowd(1);
    const scene = new THREE.Scene().add(new THREE.Group().add(mesh));
    const index = accelerate(scene, { maintenanceMs });
    expect(isDrawnByIndex(mesh)).toBe(true);
    const next = random(2);
    for (let frame = 0; frame < 30; frame++) {
      scene.updateMatrixWorld();
      const camera = anyCamera(next, 20);
      expect(draw(mesh, camera)).toEqual(draw(twin, camera));
    }
    index.dispose();
    expect(isDrawnByIndex(mesh)).toBe(false);
  });

  it.each(['is disposed', 'draws'])('tell of changes that a cast has looked at, once the index %s', (what) => {
    const mesh = crowd(7);
    const twin = crowd(7);
    const camera = anyCamera(random(8), 20);
    for (const one of [mesh, twin]) {
      one.perObjectFrustumCulled = one.sortObjects = false;
      draw(one, camera);
    }
    const scene = new THREE.Scene().add(mesh);
    const index = accelerate(scene, { maintenanceMs: 0 });
    scene.updateMatrixWorld();
    const [id] = draw(mesh, camera);
    for (const one of [mesh, twin]) one.setVisibleAt(id, false);
    new THREE.Raycaster(new THREE.Vector3(0, 0, 50), new THREE.Vector3(0, 0, -1)).intersectObject(mesh);
    if (what === 'is disposed') index.dispose();
    expect(draw(mesh, camera)).toEqual(draw(twin, camera));
    index.dispose();
  });

  it('tell casts of changes that another index has drawn', () => {
    const mesh = crowd(9);
    const scene = new THREE.Scene().add(mesh);
    const index = accelerate(scene, { maintenanceMs: 0 });
    const levels = new InstanceIndex(mesh);
    levels.minPixels = 1e-9;
    scene.updateMatrixWorld();
    const raycaster = new THREE.Raycaster(new THREE.Vector3(0, 0, 90), new THREE.Vector3(0, 0, -1));
    const hit = () => raycaster.intersectObject(mesh)[0]?.batchId ?? -1;
    const id = hit();
    expect(id).toBeGreaterThanOrEqual(0);
    for (const isVisible of [false, true]) {
      mesh.setVisibleAt(id, isVisible);
      draw(mesh, anyCamera(random(10), 20));
      expect(hit() === id).toBe(isVisible);
    }
    levels.dispose();
    index.dispose();
  });

  it.each(['the levels', 'an outer scene'])('are told what another index has drawn once %s are gone', (who) => {
    const mesh = crowd(11);
    const inner = new THREE.Scene().add(mesh);
    const outer = new THREE.Scene().add(inner);
    const index = accelerate(inner, { maintenanceMs: 0 });
    const camera = anyCamera(random(12), 20);
    inner.updateMatrixWorld();
    draw(mesh, camera);
    const levels = who === 'the levels' ? new InstanceIndex(mesh) : null;
    const other = levels ?? accelerate(outer, { maintenanceMs: 0 });
    if (levels !== null) levels.minPixels = 1e-9;
    outer.updateMatrixWorld();
    const [id] = draw(mesh, camera);
    mesh.setVisibleAt(id, false);
    draw(mesh, camera);
    other.dispose();
    expect(draw(mesh, camera)).not.toContain(id);
    index.dispose();
  });

  it('come and go', () => {
    const scene = new THREE.Scene();
    const index = accelerate(scene, { maintenanceMs: 0 });
    const mesh = crowd(3);
    scene.add(mesh);
    scene.updateMatrixWorld();
    expect(isDrawnByIndex(mesh)).toBe(true);
    scene.remove(mesh);
    expect(isDrawnByIndex(mesh)).toBe(false);
    scene.add(mesh);
    index.update();
    expect(isDrawnByIndex(mesh)).toBe(true);
    index.remove(mesh);
    expect(isDrawnByIndex(mesh)).toBe(false);
    index.dispose();
  });

  it('are left to three if wanted, and where somebody replaced its methods', () => {
    const plain = crowd(4);
    const off = accelerate(new THREE.Scene().add(plain), { instances: false });
    expect(isDrawnByIndex(plain)).toBe(false);
    off.dispose();
    const own = crowd(4);
    const method = () => {};
    own.onBeforeRender = method;
    const index = accelerate(new THREE.Scene().add(own));
    expect(isDrawnByIndex(own)).toBe(false);
    index.dispose();
    expect(own.onBeforeRender).toBe(method);
    expect(() => accelerate(new THREE.Scene(), { instances: 1 as never })).toThrow(TypeError);
  });

  it('have one index in scenes within scenes, and may be disposed while they are in a scene', () => {
    const mesh = crowd(5);
    const inner = new THREE.Scene().add(mesh);
    const outer = new THREE.Scene().add(inner);
    const indices = [accelerate(inner, { maintenanceMs: 0 }), accelerate(outer, { maintenanceMs: 0 })];
    outer.updateMatrixWorld();
    const camera = anyCamera(random(6), 20);
    expect(draw(mesh, camera)).toEqual(draw(crowd(5), camera));
    for (const index of indices) index.dispose();
    expect(isDrawnByIndex(mesh)).toBe(false);
    const again = accelerate(outer, { maintenanceMs: 0 });
    mesh.dispose();
    mesh.visible = false;
    expect(() => outer.updateMatrixWorld()).not.toThrow();
    again.dispose();
  });
});
