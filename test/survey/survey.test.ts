import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { report, SceneIndex, type Spread, survey, toMarkdown } from '../../src/index.js';
import { cameraAt, loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { accelerated, indexOf } from '../helpers/indexed.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshLambertMaterial();
const mesh = (geometry: THREE.BufferGeometry = box, material: THREE.Material = paint) =>
  new THREE.Mesh(geometry, material);
const points = (count: number) =>
  new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3));

beforeAll(loadAllBatching);

describe('counts', () => {
  const instanced = new THREE.InstancedMesh(box, paint, 10);
  const batch = new THREE.BatchedMesh(8, 100, 200, paint);
  const shapes = [batch.addGeometry(box), batch.addGeometry(new THREE.PlaneGeometry())];
  for (let i = 0; i < 4; i++) batch.addInstance(shapes[i % 2]);
  batch.deleteInstance(0);
  const ranged = points(30);
  ranged.setDrawRange(6, 12);
  const lod = new THREE.LOD().addLevel(mesh(), 0).addLevel(mesh(), 10);

  it.each<[string, THREE.Object3D[], { objects: number; triangles: number }]>([
    ['nothing', [], { objects: 0, triangles: 0 }],
    ['meshes that share a geometry', [mesh(), mesh()], { objects: 2, triangles: 24 }],
    ['a geometry without an index', [mesh(points(9))], { objects: 1, triangles: 3 }],
    ['a draw range', [mesh(ranged)], { objects: 1, triangles: 4 }],
    ['instances', [instanced], { objects: 1, triangles: 120 }],
    ['a batch of three, one of which was deleted', [batch], { objects: 1, triangles: 2 + 12 + 2 }],
    [
      'lines, points and sprites',
      [new THREE.Line(), new THREE.Points(), new THREE.Sprite()],
      { objects: 3, triangles: 0 },
    ],
    ['levels of detail', [lod], { objects: 2, triangles: 24 }],
    ['what is hidden', [Object.assign(mesh(), { visible: false })], { objects: 1, triangles: 12 }],
    ['lights and groups', [new THREE.Group().add(mesh()), new THREE.PointLight()], { objects: 1, triangles: 12 }],
  ])('%s', (_label, objects, expected) => {
    const index = indexOf(...objects);
    expect(survey(index)).toMatchObject(expected);
    index.dispose();
  });

  it('what is shared once: materials, geometries, textures and their bytes', () => {
    const map = new THREE.DataTexture(new Uint8Array(4 * 16), 4, 4);
    const large = Object.assign(new THREE.Texture({ width: 64, height: 32 } as never), { generateMipmaps: true });
    const materials = [new THREE.MeshStandardMaterial({ map, normalMap: large }), new THREE.MeshBasicMaterial({ map })];
    const interleaved = new THREE.InterleavedBuffer(new Float32Array(60), 6);
    const shape = new THREE.BufferGeometry()
      .setAttribute('position', new THREE.InterleavedBufferAttribute(interleaved, 3, 0))
      .setAttribute('normal', new THREE.InterleavedBufferAttribute(interleaved, 3, 3));
    const index = indexOf(mesh(shape, materials[0]), mesh(shape, materials[1]), mesh(points(9), materials[1]));
    const found = survey(index);
    expect(found).toMatchObject({ materials: 2, geometries: 2, textures: 2, batched: 0, batches: 0, unbatched: [] });
    expect(found.memory).toMatchObject({
      geometries: 4 * 60 + 4 * 27,
      textures: 4 * 16 + Math.round((4 * 64 * 32 * 4) / 3),
      instances: 0,
      batches: 0,
    });
    expect(found.memory.index).toBeGreaterThan(0);
    index.dispose();
    expect(() => survey(index)).toThrow(/disposed/);
    expect(() => survey(null as never)).toThrow(TypeError);
  });
});

describe('of a scene in batches', () => {
  function shown() {
    const odd = mesh(box, Object.assign(new THREE.MeshLambertMaterial({ wireframe: true }), { name: 'a | b' }));
    const scene = new THREE.Scene().add(...Array.from({ length: 9 }, () => mesh()), odd);
    const index = accelerated(scene, { batch: { atLeast: 4 } });
    for (let frame = 0; frame < 4; frame++) {
      scene.updateMatrixWorld();
      drawnTriangles(scene, cameraAt(10), cameraAt(10));
    }
    return index;
  }

  it('it tells what is in them, and what is not is the report', () => {
    const index = shown();
    const found = survey(index);
    expect(found).toMatchObject({ objects: 10, batched: 9, batches: 1 });
    expect(found.memory.batches).toBeGreaterThan(1000);
    expect(found.unbatched).toEqual(report(index));
    expect(found.unbatched).toHaveLength(1);
  });

  it('Markdown has all of it, and names change no markup', () => {
    const found = survey(shown());
    const text = toMarkdown(found, undefined, 'x | <b>_y_\n# z');
    expect(text.split('\n')[0]).toBe('# x \\| \\<b\\>\\_y\\_ \\# z');
    for (const line of [
      '| Objects | Triangles | Materials |',
      '| 10 | 120 | 2 | 1 | 0 |',
      '9 of 10 objects are drawn in 1 batch.',
    ]) {
      expect(text).toContain(line);
    }
    const [{ count, reason, advice }] = found.unbatched;
    expect(text).toContain(`| ${count} | ${reason} | ${advice} |`);
    expect(text).not.toContain('## A frame');
  });

  it('Markdown names the most frequent reasons, and counts the others', () => {
    const row = (i: number) => ({ reason: `reason ${i}`, count: 30 - i, example: mesh(), advice: 'None.' });
    const unbatched = Array.from({ length: 23 }, (_, i) => row(i));
    const text = toMarkdown({ ...survey(shown()), unbatched });
    expect(text).toContain('| 11 | reason 19 | None. |');
    expect(text).not.toContain('reason 20');
    expect(text).toContain('27 more, for 3 other reasons.');
  });
});

it.each([
  [1.5, 1.4, 1.7, '1.5× faster (1.4–1.7×)'],
  [1.5, 0.9, 1.7, 'no clear difference (0.9–1.7×)'],
  [1.02, 1.01, 1.03, 'no clear difference (1.0–1.0×)'],
  [0.98, 0.97, 0.99, 'no clear difference (1.0–1.0×)'],
  [0.5, 0.4, 1.1, 'no clear difference (0.4–1.1×)'],
  [0.5, 0.4, 0.8, '2.0× slower (1.3–2.5×)'],
])('a ratio of %s, from %s to %s, is %s', (median, low, high, words) => {
  const cost = (speed: Spread) => ({ cpu: speed, speed, calls: 1 });
  const same = cost({ median: 1, low: 1, high: 1 });
  const index = new SceneIndex(new THREE.Scene());
  const found = survey(index);
  index.dispose();
  const costs = { three: same, index: cost({ median, low, high }), batches: same, frames: 1, rounds: 3, survey: found };
  expect(toMarkdown(found, costs)).toContain(` | ${words} |`);
});

it('Markdown tells what a frame costs in each mode, slower as well, with the reason', () => {
  const spread = (median: number, by: number) => ({ median, low: median / by, high: median * by });
  const cost = (cpu: number, speed: number, calls: number) => ({
    cpu: spread(cpu, 1.25),
    speed: spread(speed, 1.25),
    calls,
  });
  const costs = {
    three: cost(8, 1, 2400),
    index: cost(7.9, 1.02, 1200),
    batches: cost(16, 0.5, 12.4),
    frames: 12,
    rounds: 5,
  };
  const index = new SceneIndex(new THREE.Scene());
  const found = survey(index);
  const text = toMarkdown(found, { ...costs, survey: found });
  index.dispose();
  expect(text).toContain('| Plain three | 2,400 | 8.00 ms (6.40–10.0 ms) |  |');
  expect(text).toContain('| With the index | 1,200 | 7.90 ms (6.32–9.88 ms) | no clear difference (0.8–1.3×) |');
  expect(text).toContain('| In batches | 12 | 16.0 ms (12.8–20.0 ms) | 2.0× slower (1.6–2.5×) |');
  expect(text).toContain('the median of 5 rounds');
  expect(text).toMatch(/\nIn batches: slower, because /);
  expect(text).not.toMatch(/\nWith the index: slower/);
});
