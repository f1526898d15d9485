import * as THREE from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { accelerate, InstanceIndex } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { stopClock } from '../helpers/clock.js';
import { isDrawnByIndex, loadBatchCode } from '../helpers/drawnByIndex.js';
import { failures } from '../helpers/failures.js';
import { accelerated } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { ownNames } from '../helpers/scene.js';
import { anyCamera, batchedCrowd, instancedCrowd, material } from '../instances/table/crowds.js';

stopClock();

type Batch = THREE.BatchedMesh & {
  _updateDrawParameters(camera: THREE.Camera, geometry: THREE.BufferGeometry, material: THREE.Material): void;
  _multiDrawCount: number;
  _indirectTexture: { image: { data: Uint32Array } };
};

beforeAll(loadBatchCode);
afterEach(() => vi.restoreAllMocks());

const camera = eye(0, 0, 100);
const crowd = (seed: number) => batchedCrowd(random(seed), 500, 20);
const ray = (x = 0, z = 50) => new THREE.Raycaster(new THREE.Vector3(x, 0, z), new THREE.Vector3(0, 0, -1));

/** The instances that three's own method draws, or ours where it is in that place. */
function draw(mesh: THREE.BatchedMesh, by: THREE.Camera = camera): number[] {
  const batch = mesh as Batch;
  batch._updateDrawParameters(by, batch.geometry, material);
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

/** An accelerated scene of a mesh, updated once. */
function fastScene(mesh: THREE.BatchedMesh): THREE.Scene {
  const scene = new THREE.Scene().add(mesh);
  accelerated(scene);
  scene.updateMatrixWorld();
  return scene;
}

/** The instances that rays from in front of two of them hit. */
const picks = (target: THREE.Scene | THREE.BatchedMesh): (number | undefined)[] =>
  [50, 60].flatMap((x) =>
    ray(x)
      .intersectObject(target)
      .map(({ batchId }) => batchId),
  );

/** Has the bounding spheres of a mesh throw, until called. */
function breakSpheres(mesh: THREE.BatchedMesh): () => void {
  const read = vi.spyOn(mesh, 'getBoundingSphereAt').mockImplementation(() => {
    throw new Error('broken');
  });
  return () => read.mockRestore();
}

describe('batches of an accelerated scene', () => {
  it.each(['is disposed', 'draws'])('tell of changes that a cast has looked at, once the index %s', (what) => {
    const [mesh, twin] = [crowd(7), crowd(7)];
    for (const one of [mesh, twin]) {
      one.perObjectFrustumCulled = one.sortObjects = false;
      draw(one);
    }
    const scene = new THREE.Scene().add(mesh);
    const index = accelerated(scene);
    scene.updateMatrixWorld();
    const [id] = draw(mesh);
    for (const one of [mesh, twin]) one.setVisibleAt(id, false);
    ray().intersectObject(mesh);
    if (what === 'is disposed') index.dispose();
    expect(draw(mesh)).toEqual(draw(twin));
  });

  it('tell casts of changes that another index has drawn', () => {
    const mesh = crowd(9);
    const scene = new THREE.Scene().add(mesh);
    accelerated(scene);
    const levels = new InstanceIndex(mesh);
    levels.minPixels = 1e-9;
    scene.updateMatrixWorld();
    const hit = () => ray(0, 90).intersectObject(mesh)[0]?.batchId ?? -1;
    const id = hit();
    expect(id).toBeGreaterThanOrEqual(0);
    for (const isVisible of [false, true]) {
      mesh.setVisibleAt(id, isVisible);
      draw(mesh, anyCamera(random(10), 20));
      expect(hit() === id).toBe(isVisible);
    }
    levels.dispose();
  });

  it.each(['the levels', 'an outer scene'])('are told what another index has drawn once %s are gone', (who) => {
    const mesh = crowd(11);
    const inner = new THREE.Scene().add(mesh);
    const outer = new THREE.Scene().add(inner);
    accelerated(inner);
    const by = anyCamera(random(12), 20);
    inner.updateMatrixWorld();
    draw(mesh, by);
    const levels = who === 'the levels' ? new InstanceIndex(mesh) : null;
    const other = levels ?? accelerated(outer);
    if (levels !== null) levels.minPixels = 1e-9;
    outer.updateMatrixWorld();
    const [id] = draw(mesh, by);
    mesh.setVisibleAt(id, false);
    draw(mesh, by);
    other.dispose();
    expect(draw(mesh, by)).not.toContain(id);
  });

  it('come and go', () => {
    const scene = new THREE.Scene();
    const index = accelerated(scene);
    const mesh = crowd(3);
    const acts: [boolean, () => void][] = [
      [true, () => scene.add(mesh).updateMatrixWorld()],
      [false, () => scene.remove(mesh)],
      [false, () => scene.add(mesh)],
      [true, () => index.update()],
      [false, () => index.remove(mesh)],
    ];
    for (const [isDrawn, act] of acts) {
      act();
      expect(isDrawnByIndex(mesh)).toBe(isDrawn);
    }
  });

  it('are left to three where somebody replaced its methods', () => {
    const own = crowd(4);
    const method = () => {};
    own.onBeforeRender = method;
    const index = accelerate(new THREE.Scene().add(own));
    expect(isDrawnByIndex(own)).toBe(false);
    index.dispose();
    expect(own.onBeforeRender).toBe(method);
  });

  it('have one index in scenes within scenes, and may be disposed while they are in a scene', () => {
    const mesh = crowd(5);
    const before = ownNames(mesh);
    const inner = new THREE.Scene().add(mesh);
    const outer = new THREE.Scene().add(inner);
    const indices = [accelerated(inner), accelerated(outer)];
    outer.updateMatrixWorld();
    const by = anyCamera(random(6), 20);
    expect(draw(mesh, by)).toEqual(draw(crowd(5), by));
    for (const index of indices) index.dispose();
    expect(ownNames(mesh)).toEqual(before);
    accelerated(outer);
    mesh.dispose();
    mesh.visible = false;
    expect(() => outer.updateMatrixWorld()).not.toThrow();
  });
});

describe('instances of an accelerated scene', () => {
  it.each([
    ['by three, as the user has an own onBeforeRender', true],
    ['by the index of a scene within', false],
  ])('are picked as they are, though drawn %s', (_, isOwn) => {
    const mesh = row();
    if (isOwn) mesh.onBeforeRender = () => {};
    const inner = new THREE.Scene().add(mesh);
    const outer = new THREE.Scene().add(inner);
    accelerated(outer);
    if (!isOwn) accelerated(inner);
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
    fastScene(mesh);
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
    const mend = breakSpheres(mesh);
    accelerated(scene);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(() => scene.updateMatrixWorld()).not.toThrow();
    expect(warn).toHaveBeenCalledOnce();
    expect(failures.splice(0)).toHaveLength(1);
    mend();
    scene.updateMatrixWorld();
    expect(draw(mesh).length).toBeGreaterThan(5);
  });

  it('are measured again after an exception in the midst of a draw', () => {
    const mesh = row();
    fastScene(mesh);
    mesh.setMatrixAt(299, new THREE.Matrix4());
    const mend = breakSpheres(mesh);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    // Of three, which draws it from now on.
    expect(() => draw(mesh)).toThrow('broken');
    expect(warn).toHaveBeenCalledOnce();
    expect(failures.splice(0)).toHaveLength(1);
    mend();
    expect(draw(mesh)).toContain(299);
  });

  it('of a class with a method of its own are drawn by that, as are all once their class gets another', () => {
    class Own extends THREE.BatchedMesh {}
    Own.prototype.onBeforeRender = () => {};
    const own = Object.setPrototypeOf(row(), Own.prototype) as THREE.BatchedMesh;
    const plain = row();
    accelerated(new THREE.Scene().add(own, plain));
    expect(isDrawnByIndex(own)).toBe(false);
    expect(isDrawnByIndex(plain)).toBe(true);
    const drawn = vi.spyOn(THREE.BatchedMesh.prototype as Batch, '_updateDrawParameters').mockReturnValue();
    draw(plain);
    expect(drawn).toHaveBeenCalledOnce();
  });

  it('are noticed when a batch is copied to another, or shares its matrices with a clone', () => {
    const mesh = row();
    const scene = fastScene(mesh);
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
    fastScene(mesh);
    mesh.perObjectFrustumCulled = false;
    mesh.customSort = (list) => void list.push(...list);
    expect(() => draw(mesh)).not.toThrow();
    expect((mesh as Batch)._multiDrawCount).toBe(600);
  });

  it('of an instanced mesh are picked as by three with a count that is no whole number', () => {
    const mesh = instancedCrowd(random(1), 400, 10);
    mesh.count = 300.5;
    const scene = new THREE.Scene().add(mesh);
    accelerated(scene);
    const next = random(2);
    for (let k = 0; k < 40; k++) {
      scene.updateMatrixWorld();
      const from = new THREE.Vector3(next() - 0.5, next() - 0.5, 2).multiplyScalar(20);
      const raycaster = new THREE.Raycaster(from, new THREE.Vector3(next() - 0.5, next() - 0.5, -3).normalize());
      const hits: unknown[] = [];
      THREE.InstancedMesh.prototype.raycast.call(mesh, raycaster, hits as never);
      expect(raycaster.intersectObject(scene).length).toBe(hits.length);
    }
  });
});
