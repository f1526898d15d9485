import type { Camera, Object3D, Scene } from 'three';
import { inWords, ownOptions, refuseOthers } from '../core/options.js';
import { type AccelerateOptions, readAccelerateOptions } from '../render/AccelerateOptions.js';
import { accelerate, checkScene, isAccelerated } from '../render/accelerate.js';
import { checkCamera } from '../scene/objects/checks.js';
import { type SceneSurvey, survey } from './survey.js';

/** The ways in which {@link measurePath} draws a scene. */
export type DrawingMode = 'three' | 'index' | 'batches';

/** The median and the extremes of a figure over several rounds. */
export interface Spread {
  /** The median of the rounds. */
  median: number;
  /** The lowest round. */
  low: number;
  /** The highest round. */
  high: number;
}

/** What a frame costs in one mode. */
export interface FrameCost {
  /** Milliseconds that `renderer.render` takes on the CPU, the mean of a round. */
  cpu: Spread;
  /** Speed relative to plain three in the same round: 2 is half the time. */
  speed: Spread;
  /** Draw calls per frame, the mean over the path. */
  calls: number;
}

/** What the frames of a camera path cost in each mode, from {@link measurePath}. */
export interface PathCosts extends Record<DrawingMode, FrameCost> {
  /** Number of places on the path, each drawn once a round. */
  frames: number;
  /** Number of rounds; each round measures every mode. */
  rounds: number;
  /** What the scene consisted of, at the end of the last round in batches. */
  survey: SceneSurvey;
}

/** Options of {@link measurePath}. */
export interface MeasurePathOptions {
  /** Number of places on the path. Default 12. */
  frames?: number;
  /** Number of rounds; each round measures every mode. Default 5. */
  rounds?: number;
  /** After this many seconds no further round begins, once three are done. Default 10. */
  seconds?: number;
  /** Options of `accelerate` for the modes 'index' and 'batches'. The mode sets `batch`, unless it is an object. */
  accelerate?: AccelerateOptions;
  /** Stops the measurement early: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called with the share of the work that is done, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** The parts of a renderer that `measurePath` uses. `WebGLRenderer` and `WebGPURenderer` have them. */
export interface MeasuredRenderer {
  render(scene: Object3D, camera: Camera): unknown;
  readonly info: { reset(): void; readonly render: { calls: number; drawCalls?: number } };
  /** The WebGL context, which tells when the GPU is done with a frame. */
  getContext?(): unknown;
}

/** Rounds that are needed for a median. */
const FEWEST = 3;
const MODES: readonly DrawingMode[] = ['three', 'index', 'batches'];

/**
 * Measures frames along a camera path: in plain three, with an index, and in batches.
 *
 * The modes take turns: in each round every mode first flies the path unmeasured, to create buffers, shaders and
 * batches, and then once measured. `cpu` is the time in `renderer.render`, matrix update included, without the GPU's
 * work afterwards. One frame is drawn per animation frame, into the current render target, each once the GPU is done
 * with the one before. This takes some seconds, fewer with a small canvas. The scene is accelerated meanwhile, and
 * plain again at the end.
 * @param path Places the camera, and whatever else is to move, for a share of the path from 0 to 1.
 * @throws TypeError or RangeError for invalid arguments, Error for a scene that is accelerated already.
 * @example
 * ```ts
 * import { measurePath, toMarkdown } from 'three-scene-index';
 *
 * const costs = await measurePath(renderer, scene, camera, (share) => {
 *   camera.position.set(50 * Math.sin(2 * Math.PI * share), 5, 50 * Math.cos(2 * Math.PI * share));
 *   camera.lookAt(0, 0, 0);
 * });
 * console.log(toMarkdown(costs.survey, costs));
 * ```
 */
export async function measurePath(
  renderer: MeasuredRenderer,
  scene: Scene,
  camera: Camera,
  path: (share: number) => void,
  options: MeasurePathOptions = {},
): Promise<PathCosts> {
  const { frames, rounds: most, seconds, accelerate: settings, signal, onProgress } = readOptions(options);
  checkScene(scene, 'measurePath');
  checkCamera(camera, 'measurePath.camera');
  if (typeof path !== 'function') throw new TypeError('measurePath.path: must be a function');
  if (isAccelerated(scene)) throw new Error('measurePath: the scene is accelerated; dispose its index first');
  const rows = MODES.map(() => ({ cpu: [] as number[], calls: 0 }));
  let found: SceneSurvey | undefined;
  const flight = { renderer, scene, camera, path, frames, signal };
  const end = performance.now() + 1000 * seconds;
  let rounds = 0;
  for (; rounds < most && (rounds < FEWEST || performance.now() < end); rounds++) {
    for (let turn = 0; turn < MODES.length; turn++) {
      // Another mode begins each round, so that none is always the first.
      const i = (rounds + turn) % MODES.length;
      onProgress?.((rounds * MODES.length + turn) / (most * MODES.length));
      const { milliseconds, calls, survey = found } = await inMode(MODES[i], flight, settings);
      rows[i].cpu.push(milliseconds);
      rows[i].calls = calls;
      found = survey;
    }
  }
  onProgress?.(1);
  const [plain] = rows;
  const [three, index, batches] = rows.map(({ cpu, calls }) => ({
    cpu: spreadOf(cpu),
    speed: spreadOf(cpu.map((time, i) => (time === 0 && plain.cpu[i] === 0 ? 1 : plain.cpu[i] / time))),
    calls,
  }));
  return { three, index, batches, frames, rounds, survey: found as SceneSurvey };
}

interface Flight {
  readonly renderer: MeasuredRenderer;
  readonly scene: Scene;
  readonly camera: Camera;
  readonly path: (share: number) => void;
  readonly frames: number;
  readonly signal: AbortSignal | undefined;
}

async function inMode(mode: DrawingMode, flight: Flight, settings: AccelerateOptions): Promise<Cost> {
  if (mode === 'three') return measured(flight);
  const { batch } = settings;
  const isBatched = mode === 'batches';
  const index = accelerate(flight.scene, {
    ...settings,
    batch: isBatched && (typeof batch === 'object' ? batch : true),
  });
  try {
    await index.ready;
    const cost = await measured(flight);
    return isBatched ? { ...cost, survey: survey(index) } : cost;
  } finally {
    index.dispose();
  }
}

interface Cost {
  readonly milliseconds: number;
  /** Of a frame, on average. */
  readonly calls: number;
  readonly survey?: SceneSurvey;
}

/** A flight on which buffers and shaders are made, then another that counts. */
async function measured(flight: Flight): Promise<Cost> {
  await fly(flight);
  return fly(flight);
}

/** The mean of all frames of a path. */
async function fly(flight: Flight): Promise<Cost> {
  const { frames } = flight;
  let [milliseconds, calls] = [0, 0];
  for (let i = 0; i < frames; i++) {
    const cost = await drawFrame(flight, i / frames);
    milliseconds += cost.milliseconds / frames;
    calls += cost.calls / frames;
  }
  return { milliseconds, calls };
}

async function drawFrame(flight: Flight, share: number): Promise<Cost> {
  const { renderer, scene, camera, path, signal } = flight;
  await nextFrame();
  signal?.throwIfAborted();
  path(share);
  const { info } = renderer;
  info.reset();
  const start = performance.now();
  renderer.render(scene, camera);
  const milliseconds = performance.now() - start;
  await gpuIsDone(renderer.getContext?.() as Partial<WebGL2RenderingContext> | undefined);
  return { milliseconds, calls: info.render.drawCalls ?? info.render.calls };
}

/** Frames that queue up would slow down later ones, of another mode as well. Only WebGL can be asked. */
async function gpuIsDone(context: Partial<WebGL2RenderingContext> | undefined): Promise<void> {
  if (typeof context?.fenceSync !== 'function') return;
  const gl = context as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence === null) return;
  gl.flush();
  while (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) await soon();
  gl.deleteSync(fence);
}

const soon = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

/** Code that is loaded later may arrive meanwhile. */
function nextFrame(): Promise<unknown> {
  if (typeof requestAnimationFrame !== 'function') return soon();
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { median, low: sorted[0], high: sorted[sorted.length - 1] };
}

type Read = Required<Omit<MeasurePathOptions, 'signal' | 'onProgress'>> & MeasurePathOptions;

function readOptions(options: MeasurePathOptions): Read {
  const given = ownOptions(options, 'measurePath: options must be');
  const { frames = 12, rounds = 5, seconds = 10, accelerate: settings = {}, signal, onProgress, ...others } = given;
  refuseOthers(others, ['frames', 'rounds', 'seconds', 'accelerate', 'signal', 'onProgress'], 'measurePath');
  for (const [name, value] of Object.entries({ frames, rounds })) {
    if (!(Number.isInteger(value) && value >= 1)) {
      throw new RangeError(`measurePath.${name}: must be a whole number, 1 or more, got ${inWords(value)}`);
    }
  }
  if (!(seconds >= 0)) throw new RangeError(`measurePath.seconds: must be 0 or more, got ${inWords(seconds)}`);
  readAccelerateOptions(settings, 'measurePath.accelerate', []);
  return { frames, rounds, seconds, accelerate: settings, signal, onProgress } as Read;
}
