import { existsSync, readFileSync } from 'node:fs';
import { Box3, type Intersection, type Object3D, PerspectiveCamera, Raycaster, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { createIndex, SceneIndex, type StructureName } from '../../src/index.js';
import { expectSameIds } from '../helpers/expectSame.js';
import { entriesOf } from '../helpers/indexed.js';
import { frustumOf } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { validateScene } from '../helpers/validateScene.js';
import { atWidth } from '../helpers/width.js';

const shared = new URL('../../../shared/scenes/', import.meta.url);
const assets = new URL('../../assets/', import.meta.url);
const SCENES: [name: string, file: URL, atLeast: number][] = [
  ['areas.glb', new URL('areas.glb', shared), 50],
  ['town_model.gltf', new URL('town_model.gltf', shared), 50],
  ['many-cubes.gltf', new URL('many-cubes.gltf', shared), 400],
  ['town.glb', new URL('town.glb', assets), 1000],
];

interface Json {
  buffers?: { uri?: string; byteLength: number }[];
  extensionsRequired?: string[];
  [key: string]: unknown;
}

/** Reads a glTF file in Node: no images, and buffers inline, as there is nothing to fetch from. */
async function load(file: URL): Promise<Object3D> {
  Object.assign(globalThis, { self: globalThis, ProgressEvent: globalThis.ProgressEvent ?? class extends Event {} });
  const { json, binary } = parts(readFileSync(file));
  for (const key of ['images', 'textures', 'samplers']) delete json[key];
  dropTextures(json);
  const drop = ['KHR_texture_basisu', 'EXT_texture_webp', 'KHR_texture_transform'];
  json.extensionsRequired = (json.extensionsRequired ?? []).filter((name) => !drop.includes(name));
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri?.startsWith('data:')) continue;
    const bytes = buffer.uri === undefined ? binary : readFileSync(new URL(buffer.uri, file));
    buffer.uri = `data:application/octet-stream;base64,${bytes.subarray(0, buffer.byteLength).toString('base64')}`;
  }
  const { scene } = await new GLTFLoader().parseAsync(JSON.stringify(json), '');
  return scene;
}

function parts(bytes: Buffer): { json: Json; binary: Buffer } {
  if (bytes.toString('latin1', 0, 4) !== 'glTF') return { json: JSON.parse(bytes.toString()), binary: Buffer.alloc(0) };
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + length));
  return { json, binary: bytes.subarray(20 + length + 8) };
}

function dropTextures(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  for (const key of Object.keys(value)) {
    if (key.endsWith('Texture')) delete (value as Json)[key];
    else dropTextures((value as Json)[key]);
  }
}

const VARIANTS: { structure: StructureName; capacity?: number; planar?: boolean }[] = [
  { structure: 'bruteForce' },
  { structure: 'octree', capacity: 16 },
  { structure: 'octree', capacity: 16, planar: true },
  { structure: 'looseOctree', capacity: 16 },
  { structure: 'looseOctree', capacity: 16, planar: true },
];

describe.each(SCENES)('%s', (_name, file, atLeast) => {
  it.skipIf(!existsSync(file))('is culled and picked as three does it, with every structure', async () => {
    const scene = await load(file);
    scene.updateMatrixWorld();
    const world = new Box3().setFromObject(scene);
    const size = world.getSize(new Vector3());
    const next = random(17);
    const somewhere = (): Vector3 => new Vector3(next(), next(), next()).multiply(size).add(world.min);
    const cameras = Array.from({ length: atWidth(50, 10) }, () => {
      const camera = new PerspectiveCamera(30 + next() * 60, 1.5, 0.1, size.length() * (0.1 + next()));
      camera.position.copy(somewhere());
      camera.lookAt(somewhere());
      camera.updateMatrixWorld();
      return camera;
    });
    const rays = Array.from({ length: atWidth(100, 50) }, (_, i) => {
      const from = somewhere();
      if (i % 2) from.y = world.max.y + 10;
      const ray = new Raycaster(from, somewhere().sub(from).normalize());
      return { ray, hits: tell(ray.intersectObject(scene)) };
    });
    expect(rays.reduce((sum, { hits }) => sum + hits.length, 0)).toBeGreaterThan(rays.length / 5);

    for (const { structure, ...options } of VARIANTS) {
      const label = `${structure} ${JSON.stringify(options)}`;
      const index = new SceneIndex(scene, { structure: createIndex(structure, options) });
      expect(validateScene(index), label).toEqual([]);
      expect(index.size, label).toBeGreaterThan(atLeast);
      const drawn = entriesOf(index);
      expect(drawn).toHaveLength(index.size);
      let kept = 0;
      for (const camera of cameras) {
        const frustum = frustumOf(camera);
        const expected = drawn.filter(({ box }) => frustum.intersectsBox(box)).map(({ object }) => object.id);
        const seen = index.cull(camera).map(({ id }) => id);
        expectSameIds(seen, expected, label);
        kept += seen.length;
      }
      expect(kept).toBeGreaterThan(50);
      for (const { ray, hits } of rays) {
        expect(tell(index.raycast(ray)), label).toEqual(hits);
        const first = index.raycastFirst(ray);
        expect(first ? tell([first]) : [], label).toEqual(hits.slice(0, 1));
      }
      index.dispose();
    }
  });
});

function tell(hits: Intersection[]): unknown[] {
  return hits.map(({ object, distance, faceIndex }) => [object.uuid, distance, faceIndex]);
}
