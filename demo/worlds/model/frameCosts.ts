import type { Camera, Scene, WebGLRenderer } from 'three';
import { type AcceleratedScene, accelerate, report, stats, type UnbatchedReport } from '../../../src/index.js';

/** The ways in which a model is drawn. */
export type DrawingMode = 'three' | 'index' | 'batches' | 'levels';

/** The median and the extremes of a figure over several rounds. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What a frame costs in one mode. */
export interface FrameCost {
  /** Milliseconds that `renderer.render` takes on the CPU, the mean of a round. */
  readonly cpu: Spread;
  /** Speed relative to plain three in the same round: 2 is half the time. */
  readonly speed: Spread;
  /** Draw calls and triangles per frame, the means over the path. */
  readonly calls: number;
  readonly triangles: number;
}

/** What the frames of a camera path cost in each mode. */
export interface PathCosts extends Readonly<Record<DrawingMode, FrameCost>> {
  /** Number of places on the path, each drawn once a round. */
  readonly frames: number;
  readonly rounds: number;
  /** What is drawn individually, why, and what to do about it. */
  readonly unbatched: readonly UnbatchedReport[];
  /** Bytes that the index takes. */
  readonly indexBytes: number;
}

/** A camera path through a scene. */
export interface Flight {
  readonly renderer: WebGLRenderer;
  readonly scene: Scene;
  readonly camera: Camera;
  /** Places the camera, and whatever else is to move, for a share of the path from 0 to 1. */
  readonly path: (share: number) => void;
  /** Number of places on the path. */
  readonly frames: number;
  /** After this many seconds no further round begins, once {@link FEWEST} are done. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Called with the share of the work that is done, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Rounds that are needed for a median. */
const FEWEST = 3;
const MOST = 5;
const MODES: readonly DrawingMode[] = ['three', 'index', 'batches', 'levels'];
/** Animation frames in which levels of detail should have been made. */
const PATIENCE = 300;

/**
 * Measures frames along a camera path: in plain three, with an index, in batches, and in these with levels of detail.
 *
 * The modes take turns: in each round every mode first flies the path unmeasured, to create buffers, shaders and
 * batches, and then once measured. One frame is drawn per animation frame, each once the GPU is done with the one before.
 */
export async function frameCosts(flight: Flight): Promise<PathCosts> {
  const { frames, seconds, onProgress } = flight;
  const rows = MODES.map(() => ({ cpu: [] as number[], calls: 0, triangles: 0 }));
  const found: { unbatched: UnbatchedReport[]; indexBytes: number } = { unbatched: [], indexBytes: 0 };
  const end = performance.now() + 1000 * seconds;
  let rounds = 0;
  for (; rounds < MOST && (rounds < FEWEST || performance.now() < end); rounds++) {
    for (let turn = 0; turn < MODES.length; turn++) {
      // Another mode begins each round, so that none is always the first.
      const i = (rounds + turn) % MODES.length;
      onProgress((rounds * MODES.length + turn) / (MOST * MODES.length));
      const { milliseconds, calls, triangles, ...others } = await inMode(MODES[i], flight);
      rows[i].cpu.push(milliseconds);
      Object.assign(rows[i], { calls, triangles });
      Object.assign(found, others);
    }
  }
  onProgress(1);
  const [plain] = rows;
  const costs = rows.map(({ cpu, ...counts }) => ({
    ...counts,
    cpu: spreadOf(cpu),
    speed: spreadOf(cpu.map((time, i) => (time === 0 && plain.cpu[i] === 0 ? 1 : plain.cpu[i] / time))),
  }));
  const [three, index, batches, leveled] = costs;
  return { three, index, batches, levels: leveled, frames, rounds, ...found };
}

/** The means of a path. */
interface Cost {
  readonly milliseconds: number;
  readonly calls: number;
  readonly triangles: number;
}

async function inMode(mode: DrawingMode, flight: Flight): Promise<Cost & Partial<PathCosts>> {
  if (mode === 'three') return measured(flight);
  const isLeveled = mode === 'levels';
  const index = accelerate(flight.scene, { batch: mode !== 'index', levels: isLeveled });
  try {
    await index.ready;
    if (isLeveled) await makeLevels(index, flight);
    const cost = await measured(flight);
    return mode === 'batches' ? { ...cost, unbatched: report(index), indexBytes: stats(index).bytes } : cost;
  } finally {
    index.dispose();
  }
}

/** A flight on which batches are made, and a wait until they have all levels of detail. */
async function makeLevels(index: AcceleratedScene, flight: Flight): Promise<void> {
  await fly(flight);
  const isWaiting = (): boolean => report(index).some(({ reason }) => /yet to be made/.test(reason));
  for (let i = 0; i < PATIENCE && isWaiting(); i++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** A flight on which buffers and shaders are made, then another that counts. */
async function measured(flight: Flight): Promise<Cost> {
  await fly(flight);
  return fly(flight);
}

async function fly(flight: Flight): Promise<Cost> {
  const { frames } = flight;
  let [milliseconds, calls, triangles] = [0, 0, 0];
  for (let i = 0; i < frames; i++) {
    const cost = await drawFrame(flight, i / frames);
    milliseconds += cost.milliseconds / frames;
    calls += cost.calls / frames;
    triangles += cost.triangles / frames;
  }
  return { milliseconds, calls, triangles };
}

async function drawFrame({ renderer, scene, camera, path, signal }: Flight, share: number): Promise<Cost> {
  // Code that is loaded later may arrive meanwhile.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  signal.throwIfAborted();
  path(share);
  const start = performance.now();
  renderer.render(scene, camera);
  const milliseconds = performance.now() - start;
  await gpuIsDone(renderer.getContext() as WebGL2RenderingContext);
  const { calls, triangles } = renderer.info.render;
  return { milliseconds, calls, triangles };
}

/** Frames that queue up would slow down later ones, of another mode as well. */
async function gpuIsDone(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence === null) return;
  gl.flush();
  while (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) await new Promise((resolve) => setTimeout(resolve));
  gl.deleteSync(fence);
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { median, low: sorted[0], high: sorted[sorted.length - 1] };
}
