import { AmbientLight, type BufferGeometry, type InstancedMesh, type Mesh, type MeshStandardMaterial } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { otherPixels } from '../helpers/pictures.js';
import { eyeAt, openStudio, sunlit } from './batching.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

// A small town: houses with a roof and a door below their walls, and trees; 40 of each. As glTF-Transform 4.4 writes it, with
// attributes one after the other or in turns, by `quantize()`, `draco()`, `meshopt()` and `instance()`; by gltfpack 1.3
// (-kn -km), whose numbers stand for themselves; and with a texture of Basis Universal on all materials, by ktx2-encoder 0.6.
const FILES = import.meta.glob<string>('./files/*.glb', { query: '?url', import: 'default', eager: true });
const LIBS = '/node_modules/three/examples/jsm/libs/';
/** Meshes of the town, each a draw call of its own. */
const MESHES = 200;
/** Pixels that may differ, of 16,384: by rounding, at edges. */
const FEW = 3;
const camera = eyeAt(24, 22, 32);
const studio = openStudio();

const draco = new DRACOLoader().setDecoderPath(`${LIBS}draco/`);
const ktx2 = new KTX2Loader().setTranscoderPath(`${LIBS}basis/`);
const loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(ktx2).setMeshoptDecoder(MeshoptDecoder);
beforeAll(() => void ktx2.detectSupport(studio.renderer));
afterAll(() => {
  draco.dispose();
  ktx2.dispose();
});

/** The town as a file has it, in the sun. */
async function town(name: string) {
  const { scene } = await loader.loadAsync(FILES[`./files/${name}.glb`]);
  return sunlit().add(scene, new AmbientLight(0xffffff, 0.5));
}

test.each([
  ['separate', 'Float32Array', false, false, null],
  ['interleaved', 'Float32Array', false, true, null],
  ['quantised', 'Int16Array', true, false, null],
  ['whole', 'Uint16Array', false, false, null],
  // Draco's decoder makes numbers of its own, the others leave them as they are in the file.
  ['draco', 'Float32Array', false, false, null],
  ['meshopt', 'Int16Array', true, false, null],
  ['ktx2', 'Float32Array', false, true, 'CompressedTexture'],
])('a town of 200 meshes, in a file that is %s, is drawn in one call', async (name, numbers, ...how) => {
  const scene = await town(name);
  const mesh = scene.getObjectByProperty('isMesh', true) as Mesh<BufferGeometry, MeshStandardMaterial>;
  const { position, normal } = mesh.geometry.attributes;
  const isShared = 'data' in position && 'data' in normal && position.data === normal.data;
  const texture = mesh.material.map?.constructor.name ?? null;
  expect([position.array.constructor.name, position.normalized, isShared, texture]).toEqual([numbers, ...how]);
  const plain = studio.draw(scene, camera);
  expect(plain.calls).toBe(MESHES);
  const index = accelerate(scene, { batch: { atLeast: 4 } });
  await loadBatching();
  for (let frame = 0; frame < 3; frame++) {
    expect(otherPixels(studio.draw(scene, camera).pixels, plain.pixels)).toBeLessThanOrEqual(FEW);
  }
  expect(studio.draw(scene, camera).calls).toBe(1);
  index.dispose();
});

test('by EXT_mesh_gpu_instancing, with more trees, it is five meshes of instances, the trees culled by instance', async () => {
  const scene = await town('instancing');
  const meshes = scene.getObjectsByProperty('isInstancedMesh', true) as InstancedMesh[];
  expect(meshes.map(({ count }) => count).sort()).toEqual([320, 320, 40, 40, 40]);
  const near = eyeAt(2, 3, 4);
  const { info } = studio.renderer;
  const plain = studio.draw(scene, near).pixels;
  const { triangles } = info.render;
  const index = accelerate(scene);
  // Drawing instances by an index is loaded when it is needed first.
  do {
    expect(otherPixels(studio.draw(scene, near).pixels, plain)).toBe(0);
    await new Promise((resolve) => setTimeout(resolve));
  } while (info.render.triangles === triangles);
  expect(info.render.triangles).toBeLessThan(triangles / 2);
  index.dispose();
});

describe.each(BACKENDS)('in WebGPURenderer with $backend', (kind) => {
  let pictures: WebGPUPictures;
  beforeAll(async () => {
    pictures = await WebGPUPictures.make(kind.forceWebGL);
  });
  afterAll(() => pictures.dispose());

  test.skipIf(kind.isMissing).each(['separate', 'interleaved', 'quantised', 'whole'])(
    'the same town looks the same, %s',
    async (name) => {
      const scene = await town(name);
      await pictures.take(scene, camera);
      const plain = await pictures.take(scene, camera);
      const index = accelerate(scene, { batch: { atLeast: 4 } });
      await loadBatching();
      for (let frame = 0; frame < 4; frame++) {
        pictures.renderer.info.reset();
        const taken = await pictures.take(scene, camera);
        expect(otherPixels(taken, plain), `frame ${frame}`).toBeLessThanOrEqual(FEW);
      }
      // WebGPU has no draw calls of many draws.
      if (kind.forceWebGL) expect(pictures.renderer.info.render.drawCalls).toBeLessThan(10);
      index.dispose();
    },
  );
});
