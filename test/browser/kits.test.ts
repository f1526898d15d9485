import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accelerate, explain } from '../../src/index.js';
import { palette, writeKitFile } from '../helpers/kit.js';
import { loadBatching } from '../helpers/loadBatching.js';
import { otherPixels } from '../helpers/pictures.js';
import { BatchTwin, eyeAt, openStudio, sunlit, type World } from './batching.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

const TOWN = new URL('./files/ktx2.glb', import.meta.url).href;
const LIBS = '/node_modules/three/examples/jsm/libs/';
/** Pixels that may differ, of 16,384: by rounding, at edges. */
const FEW = 3;
const camera = eyeAt(10, 12, 16);
const studio = openStudio();
const ktx2 = new KTX2Loader().setTranscoderPath(`${LIBS}basis/`);
beforeAll(() => void ktx2.detectSupport(studio.renderer));
afterAll(() => void ktx2.dispose());

/** Pieces in rows, each several times, in the order of a page that has them at random. */
function placed(pieces: readonly THREE.Object3D[], times: number): World {
  const scene = sunlit();
  const side = Math.ceil(Math.sqrt(pieces.length * times));
  for (let i = 0; i < pieces.length * times; i++) {
    const copy = pieces[i % pieces.length].clone();
    copy.position.set((i % side) * 1.6 - 6, 0, Math.floor(i / side) * 1.6 - 6);
    scene.add(copy);
  }
  return { scene, meshes: [], materials: [], geometries: [] };
}

/** Pictures like those of plain three until batches take so many calls, and for a while from then on. */
async function settle(twin: BatchTwin, calls: number): Promise<void> {
  await twin.settle(camera);
  for (let more = 0; more < 4; more += Number(twin.calls.batched <= calls)) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    twin.frame('comparing', camera);
  }
  expect(twin.calls.batched).toBe(calls);
}

test.each([
  [5, 16],
  [1, 2],
])(
  'a kit of 15 files with a palette of the same pixels each, %i times, is drawn in one call',
  async (times, atLeast) => {
    const files = await Promise.all(Array.from({ length: 15 }, (_, piece) => writeKitFile(piece)));
    const pieces = await Promise.all(files.map((file) => new GLTFLoader().parseAsync(file, '')));
    const scenes = pieces.map(({ scene }) => scene);
    const twin = new BatchTwin(studio, () => placed(scenes, times), { most: FEW }, { atLeast });
    twin.frame('before', camera);
    expect(twin.calls.batched).toBe(15 * times);
    await settle(twin, 1);
    // A texture that is lost is lost for its own file alone.
    const lost = (scenes[14].children[0] as THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>).material;
    const freed = lost.map as THREE.Texture<ImageBitmap>;
    freed.dispose();
    freed.image.close();
    twin.frames(3, 'with a lost texture', camera);
    // One of them brings the texture that is drawn for all, and takes it away.
    for (const piece of scenes.slice(0, 12)) {
      const { name, material } = piece.children[0] as THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
      const map = material.map as THREE.Texture<ImageBitmap>;
      twin.frame(`without ${name}`, camera, ({ scene }) => {
        scene.remove(...scene.children.filter((child) => child.children[0]?.name === name));
        map.dispose();
        map.image.close();
      });
      twin.frame(`after ${name}`, camera);
    }
    expect(twin.calls.batched).toBe(1 + times);
    twin.index.dispose();
  },
);

test('two files with a texture of Basis Universal each are drawn as one', async () => {
  const load = () => new GLTFLoader().setKTX2Loader(ktx2).loadAsync(TOWN);
  const towns = [await load(), await load()].map(({ scene }) => scene.getObjectByProperty('isMesh', true));
  const twin = new BatchTwin(studio, () => placed(towns as THREE.Mesh[], 4), { most: FEW });
  await settle(twin, 1);
  twin.index.dispose();
});

const NONE = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' } as const;
const bitmap = (pixels: ImageData): Promise<ImageBitmap> => createImageBitmap(pixels, NONE);
/** The palette with a pixel that cannot be seen through all the others, but has a colour. */
function hidden(colour: number): ImageData {
  const pixels = palette();
  pixels.data.set([colour, 0, 0, 0], 4 * 40);
  return pixels;
}
const element = async (): Promise<HTMLImageElement> => {
  const canvas = new OffscreenCanvas(16, 16);
  canvas.getContext('2d')?.putImageData(palette(), 0, 0);
  const image = new Image();
  image.src = URL.createObjectURL(await canvas.convertToBlob());
  await image.decode();
  return image;
};

type Images = readonly [one: TexImageSource, other: TexImageSource];
const IMAGES: [what: string, images: () => Promise<Images>, calls: number, setting?: Partial<THREE.Texture>][] = [
  ['bitmaps of the same pixels', async () => [await bitmap(palette()), await bitmap(palette())], 1],
  ['one pixel that differs', async () => [await bitmap(palette()), await bitmap(palette(true))], 2],
  ['a colour that differs below alpha 0', async () => [await bitmap(hidden(255)), await bitmap(hidden(0))], 2],
  // A 2D canvas does not tell.
  ['pixels without opacity', async () => [await bitmap(hidden(255)), await bitmap(hidden(255))], 2],
  ['one setting that differs', async () => [await bitmap(palette()), await bitmap(palette())], 2, { wrapS: 1000 }],
  ['elements whose files are equal', async () => [await element(), await element()], 1],
  ['an element and a bitmap', async () => [await element(), await bitmap(palette())], 2],
];

test.each(IMAGES)('textures with %s', async (_, images, calls, setting) => {
  const [one, other] = await images();
  const materials = [one, one, other].map((image, i) => {
    const map = new THREE.Texture(image as HTMLImageElement);
    map.magFilter = map.minFilter = THREE.NearestFilter;
    if (i === 2) Object.assign(map, setting);
    map.needsUpdate = true;
    return new THREE.MeshBasicMaterial({ map });
  });
  const make = (): World => {
    const scene = new THREE.Scene();
    for (const [i, material] of [...materials, ...materials].entries()) {
      const mesh = new THREE.Mesh(new THREE.PlaneGeometry(9, 9), material);
      mesh.position.set((i % 3) * 10 - 10, Math.floor(i / 3) * 10 - 5, -20);
      scene.add(mesh);
    }
    return { scene, meshes: [], materials, geometries: [] };
  };
  const twin = new BatchTwin(studio, make, {}, { atLeast: 2 });
  await settle(twin, calls);
  twin.index.dispose();
});

test.each(BACKENDS.filter(({ isMissing }) => !isMissing))(
  'in WebGPURenderer with $backend a kit looks the same while files come together, and leave',
  async ({ forceWebGL }) => {
    const files = await Promise.all(Array.from({ length: 8 }, (_, piece) => writeKitFile(piece)));
    const pieces = await Promise.all(files.map((file) => new GLTFLoader().parseAsync(file, '')));
    const make = (): THREE.Scene =>
      placed(
        pieces.map(({ scene }) => scene),
        3,
      ).scene;
    const pictures = await WebGPUPictures.make(forceWebGL);
    const [plain, batched] = [make(), make()];
    const index = accelerate(batched, { batch: { atLeast: 2 } });
    await loadBatching();
    const compare = async (label: string): Promise<void> => {
      const [one, other] = [await pictures.take(plain, camera), await pictures.take(batched, camera)];
      expect(otherPixels(other, one), label).toBeLessThanOrEqual(FEW);
    };
    const drawn = (): string => explain(index, batched.children.at(-1)?.children[0] as THREE.Object3D, camera).join();
    for (let more = 0; more < 3; more += Number(drawn().includes('as 8 textures'))) {
      await new Promise((resolve) => requestIdleCallback(resolve));
      await compare('comparing');
    }
    for (const { scene: piece } of pieces.slice(0, 6)) {
      const { name } = piece.children[0];
      for (const scene of [plain, batched]) {
        scene.remove(...scene.children.filter((child) => child.children[0]?.name === name));
      }
      await compare(`without ${name}`);
      await compare(`after ${name}`);
    }
    index.dispose();
    pictures.dispose();
  },
);
