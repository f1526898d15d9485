import {
  createIndex,
  enableSimd,
  findPairs,
  IdPairs,
  type IndexOptions,
  type SpatialIndex,
} from '../../src/standalone.js';
import type { Bodies } from './Bodies.js';
import type { Method } from './methods.js';
import { keepOverlapping } from './narrowPhase.js';

/** What one frame cost, and what it found. Times in milliseconds. */
export interface Cost {
  /** Telling the index where everything is now. */
  upkeep: number;
  /** Finding the pairs, by their bounds and where these say too little by their shapes. */
  check: number;
  /** Bounds compared one by one. */
  checks: number;
  /** Overlapping bounds. */
  candidates: number;
  /** Overlapping bodies. */
  pairs: number;
}

/** One method at work on some bodies. */
export class Contender {
  readonly method: Method;
  readonly bodies: Bodies;
  readonly index: SpatialIndex;
  /** The overlapping bodies as of the last frame, as pairs of ids. */
  readonly found = new IdPairs();
  /** The body of each id. */
  readonly bodyOf: number[] = [];
  readonly #idOf: number[] = [];
  readonly #now: () => number;
  readonly #box = new Float64Array(6);

  /**
   * @param options What is not said by the method: capacity, depth and the like.
   * @param now A clock, in milliseconds.
   */
  constructor(method: Method, bodies: Bodies, options: IndexOptions, now: () => number = () => performance.now()) {
    this.method = method;
    this.bodies = bodies;
    this.#now = now;
    this.index = createIndex(method.structure, { ...options, ...method.options });
    // Given all at once, a list without a tree would be sorted, and compare near ones only: brute force it is not then.
    if (method.structure === 'bruteForce') this.#takeNew();
    else {
      this.index.addAll(bodies.boxes.subarray(0, 6 * bodies.count)).forEach((id, body) => {
        this.#know(id, body);
      });
    }
  }

  /** Follows the bodies and finds the pairs. */
  frame(): Cost {
    const { bodies, index, found } = this;
    const start = this.#now();
    const known = this.#idOf.length;
    for (let body = 0; body < known; body++) index.update(this.#idOf[body], this.#boxOf(body));
    this.#takeNew();
    const kept = this.#now();
    this.#findPairs();
    const { itemsTested } = index.counters;
    const candidates = found.length;
    if (bodies.turned) keepOverlapping(found, bodies, this.bodyOf);
    const done = this.#now();
    return { upkeep: kept - start, check: done - kept, checks: itemsTested, candidates, pairs: found.length };
  }

  /** A number for the set of pairs found: equal sets give equal numbers, in whatever order they were found. */
  digest(): number {
    const { ids, length } = this.found;
    let sum = 0;
    for (let i = 0; i < 2 * length; i += 2) {
      const a = this.bodyOf[ids[i]];
      const b = this.bodyOf[ids[i + 1]];
      let h = Math.imul(Math.min(a, b) + 1, 0x9e3779b1) ^ Math.imul(Math.max(a, b) + 1, 0x85ebca6b);
      h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
      sum = (sum + (h ^ (h >>> 13))) | 0;
    }
    return sum;
  }

  #findPairs(): void {
    // By SIMD a list is put in order first: brute force it is not then.
    const isBrute = this.method.structure === 'bruteForce';
    const before = enableSimd(!isBrute);
    findPairs(this.index, this.found);
    enableSimd(before);
  }

  /** Bodies that were added since the last frame. */
  #takeNew(): void {
    const { bodies } = this;
    while (this.#idOf.length < bodies.count) {
      const body = this.#idOf.length;
      this.#know(this.index.add(this.#boxOf(body)), body);
    }
  }

  #know(id: number, body: number): void {
    this.#idOf[body] = id;
    this.bodyOf[id] = body;
  }

  #boxOf(body: number): Float64Array {
    const { boxes } = this.bodies;
    const box = this.#box;
    for (let c = 0, o = 6 * body; c < 6; c++) box[c] = boxes[o + c];
    return box;
  }
}
