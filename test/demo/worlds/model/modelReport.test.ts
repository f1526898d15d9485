import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { contentsOf } from '../../../../demo/worlds/model/contents.js';
import type { FrameCost, PathCosts, Spread } from '../../../../demo/worlds/model/frameCosts.js';
import { modelReport } from '../../../../demo/worlds/model/modelReport.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshLambertMaterial();
const mesh = (geometry: THREE.BufferGeometry = box, material: THREE.Material = paint) =>
  new THREE.Mesh(geometry, material);
const points = (count: number) =>
  new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3));

describe('counts', () => {
  const ranged = points(30);
  ranged.setDrawRange(6, 12);

  it.each<[string, THREE.Object3D[], { objects: number; triangles: number }]>([
    ['nothing', [], { objects: 0, triangles: 0 }],
    ['meshes that share a geometry', [mesh(), mesh()], { objects: 2, triangles: 24 }],
    ['a geometry without an index', [mesh(points(9))], { objects: 1, triangles: 3 }],
    ['a draw range', [mesh(ranged)], { objects: 1, triangles: 4 }],
    ['instances', [new THREE.InstancedMesh(box, paint, 10)], { objects: 1, triangles: 120 }],
    [
      'lines, points and sprites',
      [new THREE.Line(), new THREE.Points(), new THREE.Sprite()],
      { objects: 3, triangles: 0 },
    ],
    ['what is hidden', [Object.assign(mesh(), { visible: false })], { objects: 1, triangles: 12 }],
    ['lights and groups', [new THREE.Group().add(mesh()), new THREE.PointLight()], { objects: 1, triangles: 12 }],
  ])('%s', (_label, objects, expected) => {
    const root = new THREE.Group();
    for (const object of objects) root.add(object);
    expect(contentsOf(root)).toMatchObject(expected);
  });

  it('what is shared once: materials, geometries, textures and their bytes', () => {
    const map = new THREE.DataTexture(new Uint8Array(4 * 16), 4, 4);
    const large = Object.assign(new THREE.Texture({ width: 64, height: 32 } as never), { generateMipmaps: true });
    const materials = [new THREE.MeshStandardMaterial({ map, normalMap: large }), new THREE.MeshBasicMaterial({ map })];
    const interleaved = new THREE.InterleavedBuffer(new Float32Array(60), 6);
    const shape = new THREE.BufferGeometry()
      .setAttribute('position', new THREE.InterleavedBufferAttribute(interleaved, 3, 0))
      .setAttribute('normal', new THREE.InterleavedBufferAttribute(interleaved, 3, 3));
    const root = new THREE.Group().add(
      mesh(shape, materials[0]),
      mesh(shape, materials[1]),
      mesh(points(9), materials[1]),
      new THREE.InstancedMesh(shape, materials[0], 3),
    );
    expect(contentsOf(root)).toMatchObject({
      materials: 2,
      geometries: 2,
      textures: 2,
      bytes: {
        geometries: 4 * 60 + 4 * 27,
        textures: 4 * 16 + Math.round((4 * 64 * 32 * 4) / 3),
        instances: 3 * 64,
      },
    });
  });
});

/** Frames that cost the same in all modes, and a report of 9 boxes in a batch and one that is not. */
const same: FrameCost = {
  cpu: { median: 1, low: 1, high: 1 },
  speed: { median: 1, low: 1, high: 1 },
  calls: 1,
  triangles: 5,
};
const odd = { reason: 'it has wireframe: a | b', count: 1, example: mesh(), advice: 'Set it to false.' };
const costs: PathCosts = {
  three: same,
  index: same,
  batches: same,
  levels: same,
  frames: 1,
  rounds: 3,
  unbatched: [odd],
  indexBytes: 5000,
};
const contents = contentsOf(new THREE.Group().add(...Array.from({ length: 10 }, () => mesh())));

describe('Markdown', () => {
  it('has counts, what is in batches and why others are not, and memory; names change no markup', () => {
    const text = modelReport(contents, costs, 'x | <b>_y_\n# z');
    expect(text.split('\n')[0]).toBe('# x \\| \\<b\\>\\_y\\_ \\# z');
    for (const line of [
      '| Objects | Triangles | Materials |',
      '| 10 | 120 | 1 | 1 | 0 |',
      '9 of 10 objects are drawn in batches. The others are drawn individually:',
      '| 1 | it has wireframe: a \\| b | Set it to false. |',
      '| Geometries | 1 kB |',
      '| Added by the index | 5 kB |',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain('Instances');
    expect(modelReport(contents, { ...costs, unbatched: [] }, 'x')).toContain('10 of 10 objects are drawn in batches.');
    const all = [{ ...odd, count: 10 }];
    expect(modelReport(contents, { ...costs, unbatched: all }, 'x')).toContain('No object is drawn in a batch. Why:');
  });

  it('names the most frequent reasons, and counts the others', () => {
    const row = (i: number) => ({ reason: `reason ${i}`, count: 30 - i, example: mesh(), advice: 'None.' });
    const unbatched = Array.from({ length: 23 }, (_, i) => row(i));
    const text = modelReport({ ...contents, objects: 1000 }, { ...costs, unbatched }, 'x');
    expect(text).toContain('| 11 | reason 19 | None. |');
    expect(text).not.toContain('reason 20');
    expect(text).toContain('27 more, for 3 other reasons.');
  });

  it.each([
    [1.5, 1.4, 1.7, '1.5× faster (1.4–1.7×)'],
    [1.5, 0.9, 1.7, 'no clear difference (0.9–1.7×)'],
    [1.02, 1.01, 1.03, 'no clear difference (1.0–1.0×)'],
    [0.98, 0.97, 0.99, 'no clear difference (1.0–1.0×)'],
    [0.5, 0.4, 1.1, 'no clear difference (0.4–1.1×)'],
    [0.5, 0.4, 0.8, '2.0× slower (1.3–2.5×)'],
  ])('says of a ratio of %s, from %s to %s: %s', (median, low, high, words) => {
    const cost = (speed: Spread) => ({ cpu: speed, speed, calls: 1, triangles: 5 });
    const index = cost({ median, low, high });
    expect(modelReport(contents, { ...costs, index }, 'x')).toContain(` | ${words} |`);
  });

  it('tells what a frame costs in each mode, slower as well, with the reason', () => {
    const spread = (median: number, by: number) => ({ median, low: median / by, high: median * by });
    const cost = (cpu: number, speed: number, calls: number) => ({
      cpu: spread(cpu, 1.25),
      speed: spread(speed, 1.25),
      calls,
      triangles: 500,
    });
    const modes = { three: cost(8, 1, 2400), index: cost(7.9, 1.02, 1200), batches: cost(16, 0.5, 12.4) };
    const text = modelReport(contents, { ...costs, ...modes, rounds: 5 }, 'x');
    expect(text).toContain('| Plain three | 2,400 | 500 | 8.00 ms (6.40–10.0 ms) |  |');
    expect(text).toContain(
      '| With the index | 1,200 | 500 | 7.90 ms (6.32–9.88 ms) | no clear difference (0.8–1.3×) |',
    );
    expect(text).toContain('| In batches | 12 | 500 | 16.0 ms (12.8–20.0 ms) | 2.0× slower (1.6–2.5×) |');
    expect(text).toContain('the median of 5 rounds');
    expect(text).toMatch(/\nIn batches: slower, because /);
    expect(text).not.toMatch(/\nWith the index: slower/);
  });
});
