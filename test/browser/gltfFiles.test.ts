import {
  AmbientLight,
  type BufferGeometry,
  type InstancedMesh,
  type Mesh,
  type MeshStandardMaterial,
  type Scene,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { afterAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { eyeAt, sunlit } from './batching.js';

// The town of `makeTown`, compressed by glTF-Transform 4.4: `draco()`, `meshopt()` and `instance()`; and with a texture of
// Basis Universal on all materials, by ktx2-encoder 0.6.
const FILES = import.meta.glob<string>('./files/*.glb', { query: '?url', import: 'default', eager: true });
const LIBS = '/node_modules/three/examples/jsm/libs/';
const SIZE = 192;
const MESHES = 200;
/** Pixels that may differ, of 36,864: by rounding, at edges. */
const FEW = 3;
const camera = eyeAt(24, 22, 32);

describe('a compressed town of 200 meshes', () => {
  const renderer = makeRenderer(SIZE);
  const draco = new DRACOLoader().setDecoderPath(`${LIBS}draco/`);
  const ktx2 = new KTX2Loader().setTranscoderPath(`${LIBS}basis/`).detectSupport(renderer);
  const loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(ktx2).setMeshoptDecoder(MeshoptDecoder);
  afterAll(() => {
    draco.dispose();
    ktx2.dispose();
    renderer.dispose();
  });
  const draw = (scene: Scene): Uint8Array => {
    renderer.render(scene, camera);
    return readPicture(renderer);
  };
  async function load(name: string): Promise<Scene> {
    const { scene } = await loader.loadAsync(FILES[`./files/${name}.glb`]);
    return sunlit().add(scene, new AmbientLight(0xffffff, 0.5));
  }

  test.each([
    // Draco's decoder makes numbers of its own, the others leave them as they are in the file.
    ['draco', 'Float32Array', null],
    ['meshopt', 'Int16Array', null],
    ['ktx2', 'Float32Array', 'CompressedTexture'],
  ])('by %s is drawn in one call, with the same picture', async (name, numbers, texture) => {
    const scene = await load(name);
    const { geometry, material } = scene.getObjectByProperty('isMesh', true) as Mesh<
      BufferGeometry,
      MeshStandardMaterial
    >;
    expect(geometry.attributes.position.array.constructor.name).toBe(numbers);
    expect(material.map?.constructor.name ?? null).toBe(texture);
    const plain = draw(scene);
    expect(renderer.info.render.calls).toBe(MESHES);
    const index = accelerate(scene, { batch: { atLeast: 4 } });
    await loadBatching();
    for (let frame = 0; frame < 3; frame++) expect(otherPixels(draw(scene), plain)).toBeLessThanOrEqual(FEW);
    expect(renderer.info.render.calls).toBe(1);
    index.dispose();
  });

  test('by EXT_mesh_gpu_instancing, with more trees, is five meshes of instances, the trees culled by instance', async () => {
    const scene = await load('instancing');
    const meshes = scene.getObjectsByProperty('isInstancedMesh', true) as InstancedMesh[];
    expect(meshes.map(({ count }) => count).sort()).toEqual([320, 320, 40, 40, 40]);
    const near = eyeAt(2, 3, 4);
    const draw = (): Uint8Array => {
      renderer.render(scene, near);
      return readPicture(renderer);
    };
    const plain = draw();
    const { triangles } = renderer.info.render;
    const index = accelerate(scene);
    // Drawing instances by an index is loaded when it is needed first.
    do {
      expect(otherPixels(draw(), plain)).toBe(0);
      await new Promise((resolve) => setTimeout(resolve));
    } while (renderer.info.render.triangles === triangles);
    expect(renderer.info.render.triangles).toBeLessThan(triangles / 2);
    index.dispose();
  });
});
