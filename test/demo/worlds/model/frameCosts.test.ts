import * as THREE from 'three';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Flight, frameCosts } from '../../../../demo/worlds/model/frameCosts.js';
import { cameraAt, loadAllBatching } from '../../../batching/Stage.js';
import { drawnTriangles } from '../../../helpers/drawnTriangles.js';

const box = new THREE.BoxGeometry();
const paint = new THREE.MeshLambertMaterial();
const camera = cameraAt(10);
const still = () => {};

beforeAll(loadAllBatching);
beforeAll(() => void vi.stubGlobal('requestAnimationFrame', setTimeout));
afterAll(() => void vi.unstubAllGlobals());

function sceneOf(count: number): THREE.Scene {
  return new THREE.Scene().add(...Array.from({ length: count }, () => new THREE.Mesh(box, paint)));
}

/** A renderer that notes how scenes were when it drew them, and takes the time that it is told to. */
class Recorder {
  readonly info = { render: { calls: 0, triangles: 0 } };
  readonly modes: string[] = [];
  readonly #take: (mode: string, picture: number) => void;
  readonly #gl: object;

  constructor(take: (mode: string, picture: number) => void = () => {}, gl: object = { fenceSync: () => null }) {
    this.#take = take;
    this.#gl = gl;
  }

  getContext(): object {
    return this.#gl;
  }

  render(scene: THREE.Scene, of: THREE.PerspectiveCamera): void {
    scene.updateMatrixWorld();
    this.info.render.calls = drawnTriangles(scene, of, of).calls;
    this.info.render.triangles = 12 * scene.children.length;
    const mode = Object.hasOwn(scene, 'updateMatrixWorld') ? 'accelerated' : 'plain';
    this.#take(mode, this.modes.length);
    this.modes.push(mode);
  }
}

/** A flight of two frames and three rounds, in which nothing moves. */
function flightOf(recorder: Recorder, scene: THREE.Scene, options: Partial<Flight> = {}): Flight {
  const { signal } = new AbortController();
  const renderer = recorder as unknown as THREE.WebGLRenderer;
  return { renderer, scene, camera, path: still, frames: 2, seconds: 0, signal, onProgress: still, ...options };
}

describe('a camera path', () => {
  it('is flown by all modes in turns, unmeasured and then measured', async () => {
    const scene = sceneOf(20);
    const shares: number[] = [];
    const recorder = new Recorder();
    const done: number[] = [];
    const path = (share: number) => void shares.push(share);
    const onProgress = (share: number) => void done.push(share);
    const costs = await frameCosts(flightOf(recorder, scene, { path, onProgress, frames: 4 }));
    expect(shares).toEqual(Array.from({ length: 108 }, (_, i) => (i % 4) / 4));
    // Another mode begins each round: three, index, batches, levels; index, batches, levels, three; batches, levels, three, index.
    const runs: [mode: string, pictures: number][] = [];
    for (const mode of recorder.modes) {
      if (runs.at(-1)?.[0] !== mode) runs.push([mode, 0]);
      (runs.at(-1) as [string, number])[1]++;
    }
    expect(runs.map(([mode, pictures]) => `${pictures} ${mode}`)).toEqual([
      '8 plain',
      '56 accelerated',
      '8 plain',
      '20 accelerated',
      '8 plain',
      '8 accelerated',
    ]);
    expect(costs).toMatchObject({
      frames: 4,
      rounds: 3,
      three: { calls: 20, triangles: 240 },
      index: { calls: 20 },
      batches: { calls: 1 },
      levels: { calls: 1 },
      unbatched: [],
    });
    expect(costs.indexBytes).toBeGreaterThan(0);
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
      // All flights but the last of each turn take an hour a frame. That with levels has three, which begin with the fourth,
      // seventh and tenth turn.
      const turns = Array.from({ length: 12 }, (_, turn) => (turn % 3 === 0 && turn > 0 ? 3 : 2));
      const isFirst = turns.flatMap((flights) => Array.from({ length: 2 * flights }, (_, i) => i < 2 * (flights - 1)));
      const recorder = new Recorder((_, picture) => {
        if (isFirst[picture]) skew += 3.6e6;
      });
      const { three, index, batches, levels } = await frameCosts(flightOf(recorder, sceneOf(3)));
      for (const { cpu } of [three, index, batches, levels]) expect(cpu.high).toBeLessThan(1e6);
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
        const round = Math.floor(picture / 9);
        clock += (mode === 'plain' ? 6 : 2) * (round + 1);
      });
      const costs = await frameCosts(flightOf(recorder, sceneOf(3), { frames: 1 }));
      expect(costs.three.cpu).toEqual({ median: 12, low: 6, high: 18 });
      expect(costs.index.cpu).toEqual({ median: 4, low: 2, high: 6 });
      expect(costs.index.speed).toEqual({ median: 3, low: 3, high: 3 });
    } finally {
      performance.now = now;
    }
  });

  it.each([
    [0, 3],
    [3600, 5],
  ])('of at most %s seconds has %s rounds', async (seconds, rounds) => {
    const costs = await frameCosts(flightOf(new Recorder(), sceneOf(1), { frames: 1, seconds }));
    expect(costs.rounds).toBe(rounds);
  });

  it('draws a frame once the GPU is done with the one before', async () => {
    let waits = 0;
    const asked: string[] = [];
    const gl = {
      TIMEOUT_EXPIRED: 1,
      fenceSync: () => ({}),
      flush() {},
      deleteSync: () => asked.push('done'),
      clientWaitSync: () => (++waits % 3 === 0 ? 2 : 1),
    };
    const recorder = new Recorder(() => void asked.push('frame'), gl);
    await frameCosts(flightOf(recorder, sceneOf(1)));
    expect(asked).toEqual(Array.from({ length: 108 }, (_, i) => (i % 2 ? 'done' : 'frame')));
    expect(waits).toBe(162);
  });

  it('ends by a signal, or an error of the path, and leaves the scene as it was', async () => {
    const scene = sceneOf(3);
    const stop = new AbortController();
    let drawn = 0;
    const path = () => {
      // In the turn of the index.
      if (++drawn === 6) stop.abort(new Error('enough'));
    };
    const { signal } = stop;
    await expect(frameCosts(flightOf(new Recorder(), scene, { path, signal }))).rejects.toThrow('enough');
    const fail = () => {
      if (++drawn === 12) throw new Error('lost');
    };
    await expect(frameCosts(flightOf(new Recorder(), scene, { path: fail }))).rejects.toThrow('lost');
    expect(Object.keys(scene)).toEqual(Object.keys(sceneOf(3)));
  });
});
