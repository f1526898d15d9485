import * as THREE from 'three';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contentsOf } from '../../demo/worlds/model/contents.js';
import { type Flight, type FrameCost, frameCosts, type PathCosts } from '../../demo/worlds/model/frameCosts.js';
import { modelReport } from '../../demo/worlds/model/modelReport.js';
import { cameraAt, loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { ownNames } from '../helpers/scene.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshLambertMaterial();
const mesh = (geometry: THREE.BufferGeometry = box, material: THREE.Material = paint) =>
  new THREE.Mesh(geometry, material);
const points = (count: number) =>
  new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3));
const sceneOf = (count: number) => new THREE.Scene().add(...Array.from({ length: count }, () => mesh()));

describe('a camera path', () => {
  let clock = 0;
  beforeAll(async () => {
    await loadAllBatching();
    vi.stubGlobal('requestAnimationFrame', setTimeout);
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** Of two frames and three rounds, in which nothing moves; pictures take the time that is told, and are noted as well. */
  function flightOf(
    scene: THREE.Scene,
    timeOf: (mode: string, picture: number) => number,
    options: Partial<Flight> = {},
    gl: object = { fenceSync: () => null },
  ): { flight: Flight; modes: string[] } {
    const modes: string[] = [];
    const info = { render: { calls: 0, triangles: 0 } };
    const render = (_: THREE.Scene, of: THREE.PerspectiveCamera) => {
      scene.updateMatrixWorld();
      info.render.calls = drawnTriangles(scene, of, of).calls;
      info.render.triangles = 12 * scene.children.length;
      const mode = Object.hasOwn(scene, 'updateMatrixWorld') ? 'accelerated' : 'plain';
      clock += timeOf(mode, modes.length);
      modes.push(mode);
    };
    const renderer = { info, render, getContext: () => gl } as unknown as THREE.WebGLRenderer;
    const { signal } = new AbortController();
    const still = { path: () => {}, onProgress: () => {}, frames: 2, seconds: 0, signal };
    return { modes, flight: { renderer, scene, camera: cameraAt(10), ...still, ...options } };
  }

  it('is flown by all modes in turns, unmeasured and then measured', async () => {
    const scene = sceneOf(20);
    const [shares, done]: [number[], number[]] = [[], []];
    const path = (share: number) => void shares.push(share);
    const onProgress = (share: number) => void done.push(share);
    const { flight, modes } = flightOf(scene, () => 1, { path, onProgress, frames: 4 });
    const costs = await frameCosts(flight);
    expect(shares).toEqual(Array.from({ length: 108 }, (_, i) => (i % 4) / 4));
    // Another mode begins each round: three, index, batches, levels; index, batches, levels, three; batches, levels, three, index.
    const [first, second, third] = [8 + 8 + 8 + 12, 8 + 8 + 12, 8 + 12];
    const turns = [8, first - 8 + second, 8, third, 8, 8];
    expect(modes).toEqual(turns.flatMap((pictures, i) => Array(pictures).fill(i % 2 ? 'accelerated' : 'plain')));
    const [three, index, batches] = [{ calls: 20, triangles: 240 }, { calls: 20 }, { calls: 1 }];
    expect(costs).toMatchObject({ frames: 4, rounds: 3, three, index, batches, levels: batches, unbatched: [] });
    expect(costs.indexBytes).toBeGreaterThan(0);
    expect([done[0], done.at(-1)]).toEqual([0, 1]);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(ownNames(scene)).toEqual(ownNames(sceneOf(20)));
  });

  it('does not measure what the first flights of a turn take', async () => {
    // All flights but the last of each turn take an hour a frame. That with levels has three, which begin with the fourth,
    // seventh and tenth turn.
    const turns = Array.from({ length: 12 }, (_, turn) => (turn % 3 === 0 && turn > 0 ? 3 : 2));
    const isFirst = turns.flatMap((flights) => Array.from({ length: 2 * flights }, (_, i) => i < 2 * (flights - 1)));
    const { flight } = flightOf(sceneOf(3), (_, picture) => (isFirst[picture] ? 3.6e6 : 1));
    const { three, index, batches, levels } = await frameCosts(flight);
    for (const { cpu } of [three, index, batches, levels]) expect(cpu.high).toBe(1);
  });

  it('gives ratios of the same round, with their spread', async () => {
    const timeOf = (mode: string, picture: number) => (mode === 'plain' ? 6 : 2) * (Math.floor(picture / 9) + 1);
    const { three, index } = await frameCosts(flightOf(sceneOf(3), timeOf, { frames: 1 }).flight);
    expect(three.cpu).toEqual({ median: 12, low: 6, high: 18 });
    expect(index.cpu).toEqual({ median: 4, low: 2, high: 6 });
    expect(index.speed).toEqual({ median: 3, low: 3, high: 3 });
  });

  it('is drawn frame by frame, each once the GPU is done with the one before; more often where there is time', async () => {
    const asked: string[] = [];
    let waits = 0;
    const gl = {
      TIMEOUT_EXPIRED: 1,
      fenceSync: () => ({}),
      flush() {},
      deleteSync: () => asked.push('done'),
      clientWaitSync: () => (++waits % 3 === 0 ? 2 : 1),
    };
    const { flight } = flightOf(sceneOf(1), () => asked.push('frame'), { frames: 1, seconds: 3600 }, gl);
    expect((await frameCosts(flight)).rounds).toBe(5);
    expect(asked).toEqual(Array.from({ length: 90 }, (_, i) => (i % 2 ? 'done' : 'frame')));
    expect(waits).toBe(135);
  });

  it('ends by a signal, or an error of the path, and leaves the scene as it was', async () => {
    const scene = sceneOf(3);
    const stop = new AbortController();
    const { signal } = stop;
    let drawn = 0;
    // In the turn of the index.
    const stopLater = () => ++drawn === 6 && stop.abort(new Error('enough'));
    const fail = () => {
      if (++drawn === 12) throw new Error('lost');
    };
    await expect(frameCosts(flightOf(scene, () => 1, { path: stopLater, signal }).flight)).rejects.toThrow('enough');
    await expect(frameCosts(flightOf(scene, () => 1, { path: fail }).flight)).rejects.toThrow('lost');
    expect(ownNames(scene)).toEqual(ownNames(sceneOf(3)));
  });
});

describe('what a model has', () => {
  const ranged = points(30);
  ranged.setDrawRange(6, 12);

  it.each<[string, THREE.Object3D[], number, number]>([
    ['meshes that share a geometry', [mesh(), mesh()], 2, 24],
    ['a geometry without an index', [mesh(points(9))], 1, 3],
    ['a draw range', [mesh(ranged)], 1, 4],
    ['instances', [new THREE.InstancedMesh(box, paint, 10)], 1, 120],
    ['lines, points and sprites', [new THREE.Line(), new THREE.Points(), new THREE.Sprite()], 3, 0],
    ['lights and groups', [new THREE.Group().add(mesh()), new THREE.PointLight()], 1, 12],
  ])('counts %s', (_label, children, objects, triangles) => {
    const root = new THREE.Group();
    for (const child of children) root.add(child);
    expect(contentsOf(root)).toMatchObject({ objects, triangles });
  });

  it('counts what is shared once: materials, geometries and textures', () => {
    const [map, normalMap] = [new THREE.Texture(), new THREE.Texture()];
    const materials = [new THREE.MeshStandardMaterial({ map, normalMap }), new THREE.MeshBasicMaterial({ map })];
    const shape = points(9);
    const root = new THREE.Group().add(
      ...[mesh(shape, materials[0]), mesh(shape, materials[1]), mesh(points(9), materials[1])],
      new THREE.InstancedMesh(shape, materials[0], 3),
    );
    expect(contentsOf(root)).toMatchObject({ materials: 2, geometries: 2, textures: 2 });
  });
});

describe('a report', () => {
  const spread = (median: number, low = median / 1.25, high = median * 1.25) => ({ median, low, high });
  const cost = (cpu: number, speed: number, calls: number): FrameCost => {
    return { cpu: spread(cpu), speed: spread(speed), calls, triangles: 500 };
  };
  /** 9 boxes in a batch and one that is not. */
  const odd = { reason: 'it has wireframe: a | b', count: 1, example: mesh(), advice: 'Set it to false.' };
  const costs: PathCosts = {
    three: cost(8, 1, 2400),
    index: cost(7.9, 1.02, 1200),
    batches: cost(16, 0.5, 12.4),
    levels: cost(1, 1, 1),
    frames: 1,
    rounds: 5,
    unbatched: [odd],
    indexBytes: 5000,
  };
  const contents = contentsOf(sceneOf(10));
  const reportOf = (given: Partial<PathCosts>, title = 'x') =>
    modelReport(contents, { ...costs, ...given }, { name: title, leftOut: [], missing: [] });

  it('has counts, what a frame costs in each mode, slower as well, and what is not in batches and why', () => {
    const text = reportOf({}, 'x | <b>_y_\n# z');
    expect(text.split('\n')[0], 'no markup of a name').toBe('# x \\| \\<b\\>\\_y\\_ \\# z');
    for (const line of [
      '| Objects | Triangles | Materials |',
      '| 10 | 120 | 1 | 1 | 0 |',
      '| Plain three | 2,400 | 500 | 8.00 ms (6.40–10.0 ms) |  |',
      '| With the index | 1,200 | 500 | 7.90 ms (6.32–9.88 ms) | no clear difference (0.8–1.3×) |',
      '| In batches | 12 | 500 | 16.0 ms (12.8–20.0 ms) | 2.0× slower (1.6–2.5×) |',
      'the median of 5 rounds',
      '\nIn batches: slower, because ',
      '9 of 10 objects are drawn in batches. The others are drawn individually:',
      '| 1 | it has wireframe: a \\| b | Set it to false. |',
      'Added by the index: 5 kB of memory.',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toMatch(/\nWith the index: slower/);
    expect(reportOf({ unbatched: [] })).toContain('10 of 10 objects are drawn in batches.');
    expect(reportOf({ unbatched: [{ ...odd, count: 10 }] })).toContain('No object is drawn in a batch. Why:');
  });

  it('begins with the pieces of a kit, and with what is missing', () => {
    const kit = { pieces: 15, files: 1016, placements: 225 };
    const leftOut = Array.from({ length: 7 }, (_, i) => `a_${i}.glb is damaged.`);
    const [, first, second] = modelReport(contents, costs, { name: 'kit', kit, leftOut, missing: [] }).split('\n\n');
    const calls = 'a frame takes 2,400 draw calls in plain three and 12 in batches.';
    expect(first).toBe(`15 pieces from 1,016 files in 225 placements: ${calls}`);
    expect(second).toMatch(/^Left out: a\\_0\.glb is damaged\. .*a\\_4\.glb is damaged\. And 2 more\.$/);
  });

  it.each([
    [1.5, 1.4, 1.7, '1.5× faster (1.4–1.7×)'],
    [1.5, 0.9, 1.7, 'no clear difference (0.9–1.7×)'],
    [1.02, 1.01, 1.03, 'no clear difference (1.0–1.0×)'],
    [0.5, 0.4, 1.1, 'no clear difference (0.4–1.1×)'],
    [0.5, 0.4, 0.8, '2.0× slower (1.3–2.5×)'],
  ])('says of a ratio of %s, from %s to %s: %s', (median, low, high, words) => {
    const index = { ...costs.index, speed: spread(median, low, high) };
    expect(reportOf({ index })).toContain(` | ${words} |`);
  });
});
