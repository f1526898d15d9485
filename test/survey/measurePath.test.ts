import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AcceleratedScene, accelerate, type MeasuredRenderer, measurePath } from '../../src/index.js';
import { cameraAt, loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshLambertMaterial();
const camera = cameraAt(10);

beforeAll(loadAllBatching);

function sceneOf(count: number): THREE.Scene {
  return new THREE.Scene().add(...Array.from({ length: count }, () => new THREE.Mesh(box, paint)));
}

/** A renderer that notes how scenes were when it drew them, and takes the time that it is told to. */
class Recorder implements MeasuredRenderer {
  readonly info = { reset: () => {}, render: { calls: 0 } };
  readonly modes: string[] = [];
  readonly #take: (mode: string, picture: number) => void;

  constructor(take: (mode: string, picture: number) => void = () => {}) {
    this.#take = take;
  }

  render(scene: THREE.Scene, of: THREE.Camera): void {
    scene.updateMatrixWorld();
    this.info.render.calls = drawnTriangles(scene, of as THREE.PerspectiveCamera, of as THREE.PerspectiveCamera).calls;
    const mode = Object.hasOwn(scene, 'updateMatrixWorld') ? 'accelerated' : 'plain';
    this.#take(mode, this.modes.length);
    this.modes.push(mode);
  }
}

const still = () => {};

describe('a camera path', () => {
  it('is flown by all modes in turns, unmeasured and then measured', async () => {
    const scene = sceneOf(3);
    const shares: number[] = [];
    const recorder = new Recorder();
    const done: number[] = [];
    const onProgress = (share: number) => done.push(share);
    const costs = await measurePath(recorder, scene, camera, (share) => shares.push(share), {
      frames: 4,
      rounds: 3,
      onProgress,
      accelerate: { batch: { atLeast: 2 } },
    });
    expect(shares).toEqual(Array.from({ length: 72 }, (_, i) => (i % 4) / 4));
    // Another mode begins each round: three, index, batches; index, batches, three; batches, three, index.
    const runs: [mode: string, pictures: number][] = [];
    for (const mode of recorder.modes) {
      if (runs.at(-1)?.[0] !== mode) runs.push([mode, 0]);
      (runs.at(-1) as [string, number])[1]++;
    }
    expect(runs.map(([mode, pictures]) => `${pictures} ${mode}`)).toEqual([
      '8 plain',
      '32 accelerated',
      '8 plain',
      '8 accelerated',
      '8 plain',
      '8 accelerated',
    ]);
    expect(costs).toMatchObject({
      frames: 4,
      rounds: 3,
      three: { calls: 3 },
      index: { calls: 3 },
      batches: { calls: 1 },
    });
    expect(costs.survey).toMatchObject({ objects: 3, triangles: 36, batched: 3, batches: 1, unbatched: [] });
    expect([costs.three.speed.low, costs.three.speed.high]).toEqual([1, 1]);
    expect([done[0], done.at(-1)]).toEqual([0, 1]);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(Object.hasOwn(scene, 'updateMatrixWorld')).toBe(false);
  });

  it('does not measure what the first flights of a turn take', async () => {
    const now = performance.now.bind(performance);
    let skew = 0;
    performance.now = () => now() + skew;
    try {
      // The first flight of each turn takes an hour a frame.
      const isFirst = Array.from({ length: 36 }, (_, i) => i % 4 < 2);
      const recorder = new Recorder((_, picture) => {
        if (isFirst[picture]) skew += 3.6e6;
      });
      const { three, index, batches } = await measurePath(recorder, sceneOf(3), camera, still, {
        frames: 2,
        rounds: 3,
      });
      for (const { cpu } of [three, index, batches]) expect(cpu.high).toBeLessThan(1e6);
    } finally {
      performance.now = now;
    }
  });

  it('gives ratios of the same round, with their spread', async () => {
    const now = performance.now.bind(performance);
    let clock = 0;
    performance.now = () => clock;
    try {
      const recorder = new Recorder((mode, picture) => {
        const round = Math.floor(picture / 6);
        clock += (mode === 'plain' ? 6 : 2) * (round + 1);
      });
      const costs = await measurePath(recorder, sceneOf(3), camera, still, { frames: 1, rounds: 3 });
      expect(costs.three.cpu).toEqual({ median: 12, low: 6, high: 18 });
      expect(costs.index.cpu).toEqual({ median: 4, low: 2, high: 6 });
      expect(costs.index.speed).toEqual({ median: 3, low: 3, high: 3 });
    } finally {
      performance.now = now;
    }
  });

  it.each([
    [0, 9, 3],
    [0, 2, 2],
    [3600, 4, 4],
  ])('of at most %s seconds and %s rounds has %s rounds', async (seconds, rounds, expected) => {
    const costs = await measurePath(new Recorder(), sceneOf(1), camera, still, { frames: 1, rounds, seconds });
    expect(costs.rounds).toBe(expected);
  });

  it('draws a frame once the GPU is done with the one before', async () => {
    let waits = 0;
    const asked: string[] = [];
    const recorder = new Recorder(() => asked.push('frame'));
    const gl = {
      TIMEOUT_EXPIRED: 1,
      fenceSync: () => ({}),
      flush() {},
      deleteSync: () => asked.push('done'),
      clientWaitSync: () => (++waits % 3 === 0 ? 2 : 1),
    };
    const renderer = Object.assign(recorder, { getContext: () => gl });
    await measurePath(renderer, sceneOf(1), camera, still, { frames: 2, rounds: 1 });
    expect(asked).toEqual(Array.from({ length: 24 }, (_, i) => (i % 2 ? 'done' : 'frame')));
    expect(waits).toBe(36);
  });

  it('ends by a signal, or an error of the path, and leaves the scene as it was', async () => {
    const scene = sceneOf(3);
    const stop = new AbortController();
    let drawn = 0;
    const path = () => {
      // In the turn of the index.
      if (++drawn === 6) stop.abort(new Error('enough'));
    };
    const options = { frames: 2, rounds: 2 };
    await expect(measurePath(new Recorder(), scene, camera, path, { ...options, signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    const fail = () => {
      if (++drawn === 12) throw new Error('lost');
    };
    await expect(measurePath(new Recorder(), scene, camera, fail, options)).rejects.toThrow('lost');
    expect(Object.keys(scene)).toEqual(Object.keys(sceneOf(3)));
  });

  it('is refused where the scene is accelerated, and where arguments are wrong', async () => {
    const scene = sceneOf(1);
    const index: AcceleratedScene = accelerate(scene);
    const measure = (...args: unknown[]) => (measurePath as (...all: unknown[]) => Promise<unknown>)(...args);
    const recorder = new Recorder();
    await expect(measure(recorder, scene, camera, still)).rejects.toThrow(/accelerated.*dispose/);
    index.dispose();
    for (const [args, error] of [
      [[recorder, new THREE.Group(), camera, still], /must be a Scene/],
      [[recorder, scene, {}, still], /measurePath\.camera/],
      [[recorder, scene, camera, 1], /measurePath\.path/],
      [[recorder, scene, camera, still, { frames: 0 }], /measurePath\.frames/],
      [[recorder, scene, camera, still, { seconds: -1 }], /measurePath\.seconds/],
      [[recorder, scene, camera, still, { round: 1 }], /rounds/],
      [[recorder, scene, camera, still, { accelerate: { bacth: true } }], /batch/],
    ] as const) {
      await expect(measure(...args)).rejects.toThrow(error);
    }
    expect(recorder.modes).toEqual([]);
  });
});
