import type { Mode } from '../state/Settings.js';
import { Meter } from './Meter.js';
import { inverse, Speed, type Spread } from './Speed.js';

/** Calls back once the GPU is done with what was drawn so far. */
export type WhenDone = (then: () => void) => void;

/** The cost of frames drawn in one way. */
export interface Cost {
  /** CPU time of a frame. */
  readonly cpu: Meter;
  /** The time until the picture is done, the GPU's work included. */
  readonly done: Meter;
  /** What the last frame drew, once the first frames of its block were over; batches come together in these. */
  drawn: number;
}

/** So many frames in a row are drawn in one way. */
const BLOCK = 8;
/** So many of these are not measured: caches hold what the way before needed, and batches come together. */
const SETTLING = 4;
/** Batches that have come together draw less by such a factor. */
const TOGETHER = 4;

/** The measured frames of a block. */
interface Block {
  readonly way: Mode;
  readonly cpu: number[];
  readonly done: number[];
}

/**
 * Of several ways to draw the same picture one is used, and the others now and then, so that the cost of all is known.
 * Frames are measured in pairs of blocks: some frames in the way in use, and right after them some in another, so that
 * both see the same camera path on the same machine.
 */
export class Turns {
  readonly costs: Readonly<Record<Mode, Cost>> = { index: newCost(), batched: newCost(), three: newCost() };
  readonly ways: readonly Mode[];
  readonly #every: number;
  /** Of each two ways, in the order of `ways`. */
  readonly #speeds = new Map<string, Speed>();
  readonly #known = new Set<Mode>();
  /** What ways drew at the end of their last block. */
  readonly #last = new Map<Mode, number>();
  readonly #settled = new Set<Mode>();
  #mode: Mode | null = null;
  #way: Mode = 'index';
  #frames = 0;
  #blocks = 0;
  #pairs = 0;
  /** The block that is being measured, and the one before it of the same pair. */
  #block: Block | null = null;
  #first: Block | null = null;

  /** @param every Of so many blocks in the way in use one is measured; all of them until its speed is reliable. */
  constructor(ways: readonly Mode[], every: number) {
    this.ways = ways;
    this.#every = every;
  }

  /**
   * Draws a frame in a way, or in the way whose turn it is.
   * @param draw Draws in a way; returns how much was drawn.
   * @param whenDone Calls back when the GPU has drawn it, before the next frame; without it that time is not measured.
   */
  take(mode: Mode, draw: (mode: Mode) => number, whenDone?: WhenDone): void {
    const others = this.ways.filter((way) => way !== mode);
    // What others draw is known from the first frame on.
    for (const way of others) if (!this.#known.has(way)) this.#draw(way, draw);
    this.#next(mode, others);
    if (this.#block && this.#frames > SETTLING) this.#measure(this.#block, draw, whenDone);
    else this.#draw(this.#way, draw);
    // Earlier frames that the GPU is not through with would hold up those that are measured.
    if (this.#block && this.#frames === SETTLING) whenDone?.(() => {});
  }

  /** Draws a frame in a way, and never in another: nothing is measured. */
  stay(mode: Mode, draw: (mode: Mode) => number): void {
    this.#next(mode, []);
    this.#draw(mode, draw);
  }

  /** What a frame draws in a way; null while that is not known, for batches until they have come together. */
  drawn(way: Mode): number | null {
    return (way === 'batched' ? this.#settled : this.#known).has(way) ? this.costs[way].drawn : null;
  }

  /** How many times as fast a way is as another, in CPU time. */
  speed(way: Mode, than: Mode): Spread {
    const isInOrder = this.ways.indexOf(way) <= this.ways.indexOf(than);
    const { spread } = isInOrder ? this.#speedOf(way, than) : this.#speedOf(than, way);
    return isInOrder ? spread : inverse(spread);
  }

  /** Drops all costs, because they are about to change. */
  reset(): void {
    this.#known.clear();
    this.#last.clear();
    this.#settled.clear();
    this.#mode = null;
    for (const way of ['index', 'batched', 'three'] as const) {
      this.#forget(way);
      this.costs[way].drawn = 0;
    }
  }

  /** Counts a frame, the first of a block where the last one is over. */
  #next(mode: Mode, others: readonly Mode[]): void {
    const isOver = this.#frames === BLOCK;
    if (this.#mode !== null && isOver) this.#settle(this.#way);
    if (mode !== this.#mode || isOver) this.#begin(mode, others);
    this.#frames++;
  }

  /** Begins a block: after the first of a pair comes one of another way. */
  #begin(mode: Mode, others: readonly Mode[]): void {
    const before = mode === this.#mode ? this.#block : null;
    if (this.#first && before) this.#addPair(this.#first, before);
    const isSecond = before !== null && this.#first === null;
    this.#first = isSecond ? before : null;
    const unsure = others.find((way) => !this.speed(mode, way).isReliable);
    if (mode !== this.#mode) this.#blocks = 0;
    const isDue = () => others.length > 0 && (unsure !== undefined || ++this.#blocks % this.#every === 0);
    const isMeasured = isSecond || isDue();
    this.#way = isSecond ? (unsure ?? others[this.#pairs++ % others.length]!) : mode;
    this.#block = isMeasured ? { way: this.#way, cpu: [], done: [] } : null;
    this.#mode = mode;
    this.#frames = 0;
  }

  /** Adds a pair, unless one of its ways is warming up. */
  #addPair(first: Block, second: Block): void {
    const pair = [first, second];
    if (!pair.every(({ way }) => this.#settled.has(way))) return;
    for (const { way, cpu, done } of pair) {
      for (const time of cpu) this.costs[way].cpu.add(time);
      for (const time of done) this.costs[way].done.add(time);
    }
    const [one, other] = pair.sort((a, b) => this.ways.indexOf(a.way) - this.ways.indexOf(b.way)) as [Block, Block];
    this.#speedOf(one.way, other.way).add(sum(one.cpu), sum(other.cpu));
  }

  /** Ends a block. In the first of a way, and when its batches have come together since the last, it warms up: what was measured goes. */
  #settle(way: Mode): void {
    const last = this.#last.get(way);
    const { drawn } = this.costs[way];
    this.#last.set(way, drawn);
    if (last !== undefined && (way !== 'batched' || drawn >= last / TOGETHER)) this.#settled.add(way);
    else {
      this.#settled.delete(way);
      this.#forget(way);
    }
  }

  /** Drops the times of a way, and all that they were compared with. */
  #forget(way: Mode): void {
    this.costs[way].cpu.reset();
    this.costs[way].done.reset();
    for (const [ways, speed] of this.#speeds) if (ways.split('/').includes(way)) speed.reset();
  }

  #speedOf(one: Mode, other: Mode): Speed {
    const ways = `${one}/${other}`;
    const speed = this.#speeds.get(ways) ?? new Speed();
    this.#speeds.set(ways, speed);
    return speed;
  }

  #draw(way: Mode, draw: (mode: Mode) => number): void {
    const drawn = draw(way);
    if (this.#known.has(way) && this.#frames <= SETTLING) return;
    this.costs[way].drawn = drawn;
    this.#known.add(way);
  }

  #measure({ way, cpu, done }: Block, draw: (mode: Mode) => number, whenDone: WhenDone | undefined): void {
    const start = performance.now();
    this.#draw(way, draw);
    cpu.push(performance.now() - start);
    whenDone?.(() => done.push(performance.now() - start));
  }
}

function newCost(): Cost {
  return { cpu: new Meter(), done: new Meter(), drawn: 0 };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
