import * as THREE from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AccelerateOptions, accelerate, type SceneIndex } from '../../src/index.js';
import { isDrawnByIndex, loadBatchCode } from '../helpers/drawnByIndex.js';
import { random } from '../helpers/random.js';
import { batchedCrowd, instancedCrowd, material } from '../instances/table/crowds.js';

type Batch = THREE.BatchedMesh & {
  _updateDrawParameters(camera: THREE.Camera, geometry: THREE.BatchedMesh['geometry'], of: typeof material): void;
  _multiDrawCount: number;
  _indirectTexture: { image: { data: Uint32Array } };
};

const indices: SceneIndex[] = [];
const fast = (scene: THREE.Scene, options: AccelerateOptions = {}): SceneIndex => {
  const index = accelerate(scene, { maintenanceMs: 0, ...options });
  indices.push(index);
  return index;
};
beforeAll(loadBatchCode);
afterEach(() => {
  for (const index of indices.splice(0)) index.dispose();
  vi.restoreAllMocks();
});

const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 500);
camera.position.set(0, 0, 100);
camera.updateMatrixWorld();

/** What three's own method draws, or ours where it is in that place. */
function draw(mesh: THREE.BatchedMesh): number[] {
  const batch = mesh as Batch;
  batch._updateDrawParameters(camera, batch.geometry, material);
  return [...batch._indirectTexture.image.data.subarray(0, batch._multiDrawCount)];
}

/** 300 boxes in a row along x, ten apart. */
function row(): THREE.BatchedMesh {
  const mesh = new THREE.BatchedMesh(400, 100, 200, material);
  const box = mesh.addGeometry(new THREE.BoxGeometry());
  for (let i = 0; i < 300; i++)
    mesh.setMatrixAt(mesh.addInstance(box), new THREE.Matrix4().makeTranslation(10 * i, 0, 0));
  return mesh;
}

/** The instances that rays from in front of two of them hit. */
function picks(target: THREE.Scene | THREE.BatchedMesh): (number | undefined)[] {
  return [5, 6].flatMap((i) => {
    const ray = new THREE.Raycaster(new THREE.Vector3(10 * i, 0, 50), new THREE.Vector3(0, 0, -1));
    return ray.intersectObject(target).map(({ batchId }) => batchId);
  });
}

describe('instances of an accelerated scene', () => {
  it.each([
    [
      'by three, as the user has an own onBeforeRender',
      (mesh: THREE.BatchedMesh) => Object.assign(mesh, { onBeforeRender: () => {} }),
      1,
    ],
    ['by the index of a scene within', () => {}, 2],
  ])('are picked as they are, though drawn %s', (_, prepare, scenes) => {
    const mesh = row();
    prepare(mesh);
    const inner = new THREE.Scene().add(mesh);
    const outer = new THREE.Scene().add(inner);
    fast(outer);
    if (scenes === 2) fast(inner);
    for (let k = 0; k < 3; k++) {
      outer.updateMatrixWorld();
      expect(picks(outer)).toEqual([5, 5, 6, 6]);
      draw(mesh);
    }
    mesh.setVisibleAt(5, false);
    draw(mesh);
    expect(picks(outer)).toEqual([6, 6]);
    mesh.deleteInstance(6);
    draw(mesh);
    expect(picks(outer)).toEqual([]);
    expect(picks(inner)).toEqual([]);
  });

  it('of a geometry that is not there yet are left out, and lose no change of others', () => {
    const mesh = row();
    mesh.setMatrixAt(5, new THREE.Matrix4().makeTranslation(9000, 0, 0));
    const scene = new THREE.Scene().add(mesh);
    fast(scene);
    scene.updateMatrixWorld();
    expect(draw(mesh)).not.toContain(5);
    mesh.setMatrixAt(5, new THREE.Matrix4());
    const bad = mesh.addInstance(7);
    expect(draw(mesh)).toContain(5);
    mesh.deleteInstance(bad);
    expect(draw(mesh)).toContain(5);
  });

  it('that cannot be measured end no matrix pass, and are measured once they can be', () => {
    const mesh = row();
    const scene = new THREE.Scene().add(mesh);
    const read = vi.spyOn(mesh, 'getBoundingSphereAt').mockImplementation(() => {
      throw new Error('broken');
    });
    fast(scene);
    expect(() => scene.updateMatrixWorld()).not.toThrow();
    read.mockRestore();
    scene.updateMatrixWorld();
    expect(draw(mesh).length).toBeGreaterThan(5);
  });

  it('are measured again after an exception in the midst of a draw', () => {
    const mesh = row();
    const scene = new THREE.Scene().add(mesh);
    fast(scene);
    scene.updateMatrixWorld();
    mesh.setMatrixAt(299, new THREE.Matrix4());
    const read = vi.spyOn(mesh, 'getBoundingSphereAt').mockImplementation(() => {
      throw new Error('broken');
    });
    expect(() => draw(mesh)).toThrow('broken');
    read.mockRestore();
    expect(draw(mesh)).toContain(299);
  });

  it('of a class with a method of its own are drawn by that, as are all once their class gets another', () => {
    const calls: string[] = [];
    class Own extends THREE.BatchedMesh {
      override onBeforeRender = () => void calls.push('own');
    }
    const own = Object.setPrototypeOf(row(), Own.prototype) as THREE.BatchedMesh;
    Own.prototype.onBeforeRender = () => void calls.push('own');
    const plain = row();
    fast(new THREE.Scene().add(own, plain));
    expect(isDrawnByIndex(own)).toBe(false);
    expect(isDrawnByIndex(plain)).toBe(true);
    vi.spyOn(THREE.BatchedMesh.prototype as Batch, '_updateDrawParameters').mockImplementation(
      () => void calls.push('new'),
    );
    draw(plain);
    expect(calls).toEqual(['new']);
  });

  it('are noticed when a batch is copied to another, or shares its matrices with a clone', () => {
    const mesh = row();
    const scene = new THREE.Scene().add(mesh);
    fast(scene);
    scene.updateMatrixWorld();
    draw(mesh);
    const clone = mesh.clone();
    clone.setMatrixAt(299, new THREE.Matrix4());
    expect(draw(mesh)).toContain(299);
    const other = row();
    for (let id = 0; id < 200; id++) other.setVisibleAt(id, id % 2 === 0);
    mesh.copy(other);
    expect(draw(mesh)).toEqual(draw(other));
    expect(picks(scene)).toEqual(picks(other));
  });

  it('may be sorted to more draws than there is room for', () => {
    const mesh = row();
    const scene = new THREE.Scene().add(mesh);
    fast(scene);
    scene.updateMatrixWorld();
    mesh.perObjectFrustumCulled = false;
    mesh.customSort = (list) => void list.push(...list);
    expect(() => draw(mesh)).not.toThrow();
    expect((mesh as Batch)._multiDrawCount).toBe(600);
  });

  it('of an instanced mesh are picked as by three with a count that is no whole number', () => {
    const mesh = instancedCrowd(random(1), 400, 10);
    mesh.count = 300.5;
    const scene = new THREE.Scene().add(mesh);
    fast(scene);
    const next = random(2);
    for (let k = 0; k < 40; k++) {
      scene.updateMatrixWorld();
      const from = new THREE.Vector3(next() - 0.5, next() - 0.5, 2).multiplyScalar(20);
      const ray = new THREE.Raycaster(from, new THREE.Vector3(next() - 0.5, next() - 0.5, -3).normalize());
      const hits: unknown[] = [];
      THREE.InstancedMesh.prototype.raycast.call(mesh, ray, hits as never);
      expect(ray.intersectObject(scene).length).toBe(hits.length);
    }
  });

  it('are let go of with the scene', () => {
    const mesh = batchedCrowd(random(1), 300, 10);
    const before = Object.getOwnPropertyNames(mesh);
    const index = fast(new THREE.Scene().add(mesh));
    index.dispose();
    expect(Object.getOwnPropertyNames(mesh)).toEqual(before);
  });
});
