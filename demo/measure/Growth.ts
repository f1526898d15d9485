import type { Mode } from '../state/Settings.js';

/** How many times the world is there, one after the other; with more, copies for both ways would fill a phone's memory. */
export const TIMES: readonly number[] = [1, 10, 20, 40, 60];
/** Pictures a second below which a way has fallen. */
export const LEAST = 20;
/** Milliseconds, and pictures, in which a way settles, and in which it is measured then. */
const SETTLES = { time: 2000, pictures: 16 };
const MEASURED = { time: 1000, pictures: 8 };
const WAYS = ['three', 'batched'] as const satisfies readonly Mode[];

export type Way = (typeof WAYS)[number];
/** How many times a way drew the world when it fell, or last, and pictures a second then. */
export interface Found {
  readonly times: number;
  readonly rate: number;
  readonly fell: boolean;
}

/** A way to draw the world so many times over, and whether it is measured by now. */
interface Run {
  readonly way: Way;
  readonly times: number;
  readonly isMeasured: boolean;
  readonly since: number;
  /** When the last picture was drawn, and milliseconds from each to the next. */
  last: number;
  readonly intervals: number[];
}

/** Multiplies a world until both ways of drawing it have fallen below 20 pictures a second, each by the same rule. */
export class Growth {
  /** What is known of each way. */
  readonly found: Map<Way, Found> = new Map();
  readonly #onTimes: (times: number) => void;
  #run: Run | null = null;

  /** @param onTimes Called with how many times the world has to be there. */
  constructor(onTimes: (times: number) => void) {
    this.#onTimes = onTimes;
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  start(now: number): void {
    this.found.clear();
    this.#settle(WAYS[0], TIMES[0]!, now);
  }

  /** Leaves the world as often as plain three could not draw it any more, which the address tells then. */
  stop(): void {
    this.#run = null;
    this.#onTimes(this.found.get('three')?.times ?? 1);
  }

  /** The way to draw the next picture; null while it does not run. */
  wayAt(now: number): Way | null {
    const run = this.#run;
    if (run === null) return null;
    const { time, pictures } = run.isMeasured ? MEASURED : SETTLES;
    run.intervals.push(now - run.last);
    run.last = now;
    if (run.intervals.length > pictures && now - run.since >= time) {
      if (run.isMeasured) this.#finish(run, 1000 / medianOf(run.intervals), now);
      else this.#run = { ...run, isMeasured: true, since: now, intervals: [] };
    }
    return this.#run?.way ?? null;
  }

  #settle(way: Way, times: number, now: number): void {
    this.#onTimes(times);
    this.#run = { way, times, isMeasured: false, since: now, last: now, intervals: [] };
  }

  /** Takes the rate of a way, and goes on: with the other way, else with more of the world, for ways that have not fallen. */
  #finish({ way, times }: Run, rate: number, now: number): void {
    this.found.set(way, { times, rate, fell: rate < LEAST });
    const standing = WAYS.filter((one) => this.found.get(one)?.fell !== true);
    const other = standing.find((one) => this.found.get(one)?.times !== times);
    const more = TIMES[TIMES.indexOf(times) + 1];
    if (other !== undefined) this.#settle(other, times, now);
    else if (standing.length > 0 && more !== undefined) this.#settle(standing[0]!, more, now);
    else this.stop();
  }
}

/** A stall, of which no way is the cause, leaves the median as it is. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
