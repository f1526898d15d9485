import { type Material, Mesh, MeshBasicMaterial, MeshPhysicalMaterial, PlaneGeometry, Scene } from 'three';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { cameraAt, loadAllBatching } from './Stage.js';

beforeAll(loadAllBatching);
afterEach(() => vi.restoreAllMocks());

type Accept = (mesh: Mesh, material: Material) => boolean;

const plane = new PlaneGeometry();
const camera = cameraAt(10);

class Paint extends MeshBasicMaterial {
  override readonly type: string = 'Paint';
}

const patched = (): Material => Object.assign(new MeshBasicMaterial(), { onBeforeCompile() {} });
const noded = (): Material => Object.assign(new MeshBasicMaterial(), { colorNode: {} });

/** Draws six meshes for some frames. */
function draw(materials: readonly Material[], accept?: Accept) {
  const scene = new Scene();
  const meshes = Array.from({ length: 6 }, (_, i) => new Mesh(plane, materials[i % materials.length]));
  scene.add(...meshes);
  for (const [i, mesh] of meshes.entries()) mesh.position.z = i / 8;
  const index = accelerate(scene, { batch: accept === undefined ? { atLeast: 2 } : { atLeast: 2, accept } });
  const frames = (count = 4): number => {
    for (let i = 1; i < count; i++) drawnTriangles(scene, camera, camera);
    return drawnTriangles(scene, camera, camera).calls;
  };
  return { scene, meshes, index, calls: frames(), frames };
}

it.each([
  ['changed in onBeforeCompile', patched],
  ['with nodes', noded],
  ['of a class of its own', () => new Paint()],
])('a material that is %s joins when its author vouches for it', (_label, make) => {
  expect(draw([make()]).calls).toBe(6);
  expect(draw([make()], () => true).calls).toBe(1);
  expect(draw([make()], () => false).calls).toBe(6);
});

it('meshes share a batch where they have the same material', () => {
  expect(draw([patched(), patched()], () => true).calls).toBe(2);
});

it('it is asked about each mesh, once', () => {
  const asked: unknown[] = [];
  const material = patched();
  const { meshes, calls, frames } = draw([material], (mesh, given) => {
    expect(given).toBe(material);
    return asked.push(mesh) > 1;
  });
  expect(calls).toBe(2);
  frames(10);
  expect(asked).toEqual(meshes);
});

it('it is asked again when the mesh has another material, or that is another', () => {
  const asked: Material[] = [];
  const [first, second] = [patched(), patched()];
  const { meshes, frames } = draw([first], (_mesh, material) => asked.push(material) > 0);
  asked.length = 0;
  meshes[0].material = second;
  frames(8);
  expect(asked).toEqual([second]);
  asked.length = 0;
  first.colorWrite = false;
  frames(2);
  expect(asked).toEqual([]);
  first.colorWrite = true;
  // Without a new version it would be compared only now and then.
  first.needsUpdate = true;
  frames(2);
  expect(asked).toHaveLength(5);
});

it('it is not asked about what is known, or cannot join', () => {
  const accept = vi.fn(() => true);
  const glass = Object.assign(new MeshPhysicalMaterial({ transmission: 1 }), { onBeforeCompile() {} });
  expect(draw([new MeshBasicMaterial()], accept).calls).toBe(1);
  expect(draw([glass], accept).calls).toBe(6);
  expect(draw([Object.assign(patched(), { wireframe: true })], accept).calls).toBe(6);
  expect(accept).not.toHaveBeenCalled();
});

it.each([1, 'yes', {}, undefined, null, Promise.resolve(true)])('only true accepts, not %s', (answer) => {
  expect(draw([patched()], () => answer as never).calls).toBe(6);
});

it('one that throws refuses, and is told of once', () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const error = new Error('of the user');
  const { calls, frames, index, meshes } = draw([patched()], () => {
    throw error;
  });
  expect([calls, frames()]).toEqual([6, 6]);
  expect(told).toHaveBeenCalledTimes(1);
  expect(told.mock.calls[0]).toContain(error);
  expect(explain(index, meshes[0], camera).join()).toContain('onBeforeCompile');
});

it.each([true, 'all', null, {}])('%s is no function', (accept) => {
  expect(() => accelerate(new Scene(), { batch: { accept: accept as never } })).toThrow(
    /accelerate\.batch\.accept: must be a function/,
  );
});
