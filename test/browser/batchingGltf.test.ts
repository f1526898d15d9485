import { AmbientLight, type Mesh, type Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accelerate } from '../../src/index.js';

import { loadBatching } from '../helpers/loadBatching.js';
import { LAYOUTS, type Layout, makeTown } from '../helpers/makeTown.js';
import { makeRenderer, otherPixels, readPicture } from '../helpers/pictures.js';
import { eyeAt, sunlit } from './batching.js';
import { BACKENDS, WebGPUPictures } from './webgpuPictures.js';

const SIZE = 192;
/** Meshes of the town, each a draw call of its own. */
const MESHES = 200;
/** Pixels that may differ, of 36,864: by rounding, at edges. */
const FEW = 3;
const camera = eyeAt(24, 22, 32);

/** How files have positions: in which numbers, whether normalized, and whether in one buffer with normals. */
const POSITIONS: Record<Layout, readonly [string, boolean, boolean]> = {
  separate: ['Float32Array', false, false],
  interleaved: ['Float32Array', false, true],
  quantised: ['Int16Array', true, false],
  whole: ['Int16Array', false, false],
};

async function town(layout: Layout): Promise<Scene> {
  const { scene: file } = await new GLTFLoader().parseAsync(makeTown(layout), '');
  return sunlit().add(file, new AmbientLight(0xffffff, 0.5));
}

describe('a town of 200 meshes, as glTF files have it, is drawn in one call', () => {
  const renderer = makeRenderer(SIZE);
  afterAll(() => renderer.dispose());
  const draw = (scene: Scene): Uint8Array => {
    renderer.render(scene, camera);
    return readPicture(renderer);
  };

  test.each(LAYOUTS)('%s', async (layout) => {
    const scene = await town(layout);
    const mesh = scene.getObjectByProperty('isMesh', true) as Mesh;
    const { position, normal } = mesh.geometry.attributes;
    const isShared = 'data' in position && 'data' in normal && position.data === normal.data;
    expect([position.array.constructor.name, position.normalized, isShared]).toEqual(POSITIONS[layout]);
    const plain = draw(scene);
    expect(renderer.info.render.calls).toBe(MESHES);
    const index = accelerate(scene, { batch: { atLeast: 4 } });
    await loadBatching();
    for (let frame = 0; frame < 3; frame++) expect(otherPixels(draw(scene), plain)).toBeLessThanOrEqual(FEW);
    expect(renderer.info.render.calls).toBe(1);
    index.dispose();
  });
});

describe.each(BACKENDS)('in WebGPURenderer with $backend', (kind) => {
  let pictures: WebGPUPictures;
  beforeAll(async () => {
    pictures = await WebGPUPictures.make(kind.forceWebGL);
  });
  afterAll(() => pictures.dispose());

  test.skipIf(kind.isMissing).each(LAYOUTS)('the same town looks the same, %s', async (layout) => {
    const scene = await town(layout);
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
  });
});
