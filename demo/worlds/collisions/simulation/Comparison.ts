import type { IndexOptions } from '../../../../src/standalone.js';
import { Meter } from '../../../measure/Meter.js';
import { METHOD_IDS, type MethodId, methodOf } from '../setup/methods.js';
import { SCENES, type Setup } from '../setup/scenes.js';
import { Bodies } from './Bodies.js';
import { type Cost, MethodRun } from './MethodRun.js';
import { Ramp, type RampOptions, type RampResult } from './Ramp.js';

/** Cost of the last frames of a method: mean times in milliseconds, and the counts of the last frame. */
export interface Reading extends Cost {
  /** From frame to frame, drawing included. */
  frame: number;
}

/** The measurements of a method for the current setup. */
export interface Row extends Reading {
  /** Frames of the trial that it was measured in, the same for all methods; 0 for what was measured live. */
  frames: number;
  /** One number for the pairs of all these frames. */
  digest: number;
}

/** Above this, brute force takes seconds per frame. */
export const MOST_BY_BRUTE_FORCE = 20_000;
const TICK = 1 / 60;
/** Milliseconds of one frame of the page that the ramp may fill with frames of its own. */
const RAMP_SHARE = 30;

/** All methods over the same frames, from the same start. `current` is the next method and the number of its frame. */
class Trial {
  readonly frames: number;
  readonly #methods: readonly MethodId[];
  #done = 0;

  constructor(methods: readonly MethodId[], frames: number) {
    this.#methods = methods;
    this.frames = frames;
  }

  /** Null at the end. */
  get current(): { method: MethodId; frame: number } | null {
    const method = this.#methods[Math.floor(this.#done / this.frames)];
    return method ? { method, frame: this.#done % this.frames } : null;
  }

  /** Share of all frames that are done. */
  get progress(): number {
    return this.#done / (this.frames * this.#methods.length);
  }

  advance(): void {
    this.#done++;
  }
}

/**
 * Runs one method live, or all of them one after the other. Each frame moves the bodies, lets the current method find
 * the pairs, and records the cost.
 */
export class Comparison {
  readonly rows = new Map<MethodId, Row>();
  setup!: Setup;
  bodies!: Bodies;
  methodRun: MethodRun | null = null;
  seconds = 0;
  trial: Trial | null = null;
  ramp: Ramp | null = null;
  /** Of the current method; null before its first frame. */
  latest: Reading | null = null;
  /** Results of the last ramp, which outlive it. */
  rampResults: readonly RampResult[] = [];
  /** The chosen one. */
  method: MethodId;
  /** Capacity, depth and the like, for all methods that have them. */
  options: IndexOptions;
  readonly #now: () => number;
  #rampSeconds = 0;
  #digest = 0;
  readonly #update = new Meter();
  readonly #query = new Meter();
  readonly #frame = new Meter();

  constructor(setup: Setup, method: MethodId, options: IndexOptions, now: () => number = () => performance.now()) {
    this.#now = now;
    this.method = method;
    this.options = options;
    this.begin(setup);
  }

  /** The current method: the chosen one or, in a trial or ramp, the one whose turn it is. */
  get running(): MethodId {
    return this.trial?.current?.method ?? this.ramp?.current?.method ?? this.method;
  }

  /** Makes new bodies, not more than a frame can hold the pairs of. All measurements are dropped. */
  begin(setup: Setup): void {
    this.setup = { ...setup, count: Math.min(setup.count, SCENES[setup.scene].most) };
    this.rows.clear();
    this.rampResults = [];
    this.seconds = 0;
    this.bodies = new Bodies(this.setup);
    this.stop();
  }

  choose(method: MethodId): void {
    this.method = method;
    this.stop();
  }

  /** Takes other options: all was measured with those before. */
  setOptions(options: IndexOptions): void {
    this.options = options;
    this.rows.clear();
    this.rampResults = [];
    this.stop();
  }

  canRun(method: MethodId): boolean {
    return method !== 'brute' || this.bodies.count <= MOST_BY_BRUTE_FORCE;
  }

  /** Adds a body. The rows are dropped, as they were measured without it. */
  add(x: number, y: number, z: number): void {
    this.stop();
    this.rows.clear();
    this.bodies.add(x, y, z);
  }

  /** Runs every method over the same frames. */
  runAll(frames: number): void {
    this.stop();
    this.rows.clear();
    this.trial = new Trial(
      METHOD_IDS.filter((method) => this.canRun(method)),
      frames,
    );
  }

  /** Finds out how many bodies each method can handle. */
  startRamp(options: RampOptions): void {
    this.stop();
    this.ramp = new Ramp(METHOD_IDS, { ...options, most: Math.min(options.most, SCENES[this.setup.scene].most) });
    this.rampResults = this.ramp.results;
  }

  /** Back to the chosen method, live. */
  stop(): void {
    // Replaces the bodies of the ramp.
    if (this.ramp) this.bodies = new Bodies(this.setup);
    this.trial = null;
    this.ramp = null;
    this.#start();
  }

  /**
   * One frame of the page.
   * @param passed Seconds of the bodies' time; 0 while paused.
   * @param interval Milliseconds since the frame before.
   */
  frame(passed: number, interval: number): void {
    if (this.trial) this.#trialFrame(this.trial, interval);
    else if (this.ramp) this.#rampFrames(this.ramp, interval);
    else this.#liveFrame(passed, interval);
  }

  /** Whether a method found the pairs that the others found in the trial; null while there is none to compare. */
  agrees(method: MethodId): boolean | null {
    const compared = [...this.rows].filter(([, { frames }]) => frames > 0);
    const own = this.rows.get(method);
    if (!own || own.frames === 0 || compared.length < 2) return null;
    // Brute force is the reference if it was run.
    const [, measure] = compared.find(([id]) => id === 'brute') ?? compared.find(([id]) => id !== method)!;
    return measure.digest === own.digest;
  }

  #liveFrame(passed: number, interval: number): void {
    this.seconds += passed;
    this.bodies.moveTo(this.seconds);
    this.latest = null;
    if (!this.canRun(this.method)) return;
    const methodRun = this.#methodRun(this.method);
    this.#note(methodRun.frame(), interval);
    // Results of a trial are more exact than live ones.
    if (!this.rows.get(this.method)?.frames) this.rows.set(this.method, { ...this.latest!, frames: 0, digest: 0 });
  }

  #trialFrame(trial: Trial, interval: number): void {
    const { method, frame } = trial.current!;
    if (frame === 0) this.#start();
    this.bodies.moveTo(this.seconds + frame * TICK);
    const methodRun = this.#methodRun(method);
    this.#note(methodRun.frame(), interval);
    this.#digest = (Math.imul(this.#digest, 31) + methodRun.digest()) | 0;
    trial.advance();
    if (frame === trial.frames - 1)
      this.rows.set(method, { ...this.latest!, frames: trial.frames, digest: this.#digest });
    if (!trial.current) this.stop();
  }

  #rampFrames(ramp: Ramp, interval: number): void {
    const until = this.#now() + RAMP_SHARE;
    for (let { current } = ramp; current; current = ramp.current) {
      if (this.methodRun?.method.id !== current.method || this.bodies.count !== current.count) {
        this.#start();
        this.bodies = new Bodies({ ...this.setup, count: current.count });
        this.#rampSeconds = 0;
      }
      // Built before the bodies move, so that the frame measures an update.
      const methodRun = this.#methodRun(current.method);
      this.#rampSeconds += TICK;
      this.bodies.moveTo(this.#rampSeconds);
      const cost = methodRun.frame();
      this.#note(cost, interval);
      ramp.report(cost.update + cost.query);
      if (this.#now() >= until) break;
    }
    if (!ramp.current) this.stop();
  }

  /** Drops the current method and its times. */
  #start(): void {
    this.methodRun = null;
    this.#digest = 0;
    for (const meter of [this.#update, this.#query, this.#frame]) meter.reset();
  }

  #note(cost: Cost, interval: number): void {
    this.#update.add(cost.update);
    this.#query.add(cost.query);
    this.#frame.add(interval);
    const mean = (meter: Meter, now: number) => (meter.isEmpty ? now : meter.mean);
    this.latest = {
      ...cost,
      update: mean(this.#update, cost.update),
      query: mean(this.#query, cost.query),
      frame: mean(this.#frame, interval),
    };
  }

  #methodRun(method: MethodId): MethodRun {
    if (this.methodRun?.method.id !== method) {
      this.methodRun = new MethodRun(methodOf(method), this.bodies, this.options, this.#now);
    }
    return this.methodRun;
  }
}
