import { type BatchedMesh, type BufferGeometry, type Camera, Group, type Material, Scene } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate } from '../../../src/index.js';
import { isDrawnByIndex, loadBatchCode } from '../../helpers/drawnByIndex.js';
import { random } from '../../helpers/random.js';
import { anyCamera, batchedCrowd, material } from '../instances/crowds.js';

type Batch = BatchedMesh & {
  _updateDrawParameters(camera: Camera, geometry: BufferGeometry, material: Material): void;
  _multiDrawCount: number;
  _indirectTexture: { image: { data: Uint32Array } };
};

const crowd = (seed: number) => batchedCrowd(random(seed), 500, 20) as Batch;

/** The instances that a pass draws. */
function draw(mesh: Batch, camera: Camera): number[] {
  mesh._updateDrawParameters(camera, mesh.geometry, material);
  return [...mesh._indirectTexture.image.data.subarray(0, mesh._multiDrawCount)];
}

describe('batches of an accelerated scene', () => {
  beforeAll(loadBatchCode);

  it.each([0, 0.1])('are drawn by an index of their instances, with %f ms of upkeep', (maintenanceMs) => {
    const mesh = crowd(1);
    const twin = crowd(1);
    const scene = new Scene().add(new Group().add(mesh));
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

  it('come and go', () => {
    const scene = new Scene();
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
    const off = accelerate(new Scene().add(plain), { instances: false });
    expect(isDrawnByIndex(plain)).toBe(false);
    off.dispose();
    const own = crowd(4);
    const method = () => {};
    own.onBeforeRender = method;
    const index = accelerate(new Scene().add(own));
    expect(isDrawnByIndex(own)).toBe(false);
    index.dispose();
    expect(own.onBeforeRender).toBe(method);
    expect(() => accelerate(new Scene(), { instances: 1 as never })).toThrow(TypeError);
  });

  it('have one index in scenes within scenes, and may be disposed while they are in a scene', () => {
    const mesh = crowd(5);
    const inner = new Scene().add(mesh);
    const outer = new Scene().add(inner);
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
