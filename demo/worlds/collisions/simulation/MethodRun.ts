import {
  createIndex,
  forEachNode,
  IdList,
  IdPairs,
  type IndexOptions,
  type SpatialIndex,
} from '../../../../src/standalone.js';
import type { Method } from '../setup/methods.js';
import type { Bodies } from './Bodies.js';

/** What one frame cost, and what it found. Times in milliseconds. */
export interface Cost {
  /** Updating the index. */
  update: number;
  /** Finding the pairs by their bounds and, for turned bodies, by their shapes. */
  query: number;
  /** Bounds compared one by one. */
  boxTests: number;
  /** Overlapping bodies. */
  pairs: number;
}

/** One method running on some bodies. */
export class MethodRun {
  readonly method: Method;
  readonly bodies: Bodies;
  readonly index: SpatialIndex;
  /** The overlapping bodies as of the last frame, as pairs of ids. */
  readonly found = new IdPairs();
  /** The body of each id. */
  readonly bodyOf: number[] = [];
  readonly #idOf: readonly number[];
  readonly #now: () => number;
  readonly #box = new Float64Array(6);

  /**
   * @param options Options that the method leaves open, such as capacity and depth.
   * @param now A clock, in milliseconds.
   */
  constructor(method: Method, bodies: Bodies, options: IndexOptions, now: () => number = () => performance.now()) {
    this.method = method;
    this.bodies = bodies;
    this.#now = now;
    this.index = createIndex(method.structure, { ...options, ...method.options });
    const bodyNumbers = Array.from({ length: bodies.count }, (_, body) => body);
    // `addAll` sorts a list, which then compares near boxes only: no longer brute force.
    const isList = method.structure === 'bruteForce';
    this.#idOf = isList
      ? bodyNumbers.map((body) => this.index.add(this.#boxOf(body)))
      : [...this.index.addAll(bodies.boxes.subarray(0, 6 * bodies.count))];
    for (const body of bodyNumbers) this.bodyOf[this.#idOf[body]] = body;
  }

  /** Follows the bodies and finds the pairs. */
  frame(): Cost {
    const { bodies, index, found } = this;
    const start = this.#now();
    for (let body = 0; body < bodies.count; body++) index.update(this.#idOf[body], this.#boxOf(body));
    const kept = this.#now();
    const itemsTested = this.#findPairs();
    if (bodies.turned) this.#keepTouching();
    const done = this.#now();
    return { update: kept - start, query: done - kept, boxTests: itemsTested, pairs: found.length };
  }

  /** A hash of the set of pairs, whatever their order. */
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

  /**
   * Asks for each body which others touch its bounds, so that the structure finds them; `findPairs` does not depend on it.
   * @returns how many bounds were tested.
   */
  #findPairs(): number {
    const { index, found } = this;
    let tested = 0;
    found.length = 0;
    for (let body = 0; body < this.#idOf.length; body++) {
      const id = this.#idOf[body];
      index.queryBox(this.#boxOf(body), near);
      tested += index.counters.itemsTested;
      const ids = found.reserve(near.length);
      for (let i = 0; i < near.length; i++) {
        if (near.ids[i] <= id) continue;
        ids[2 * found.length] = id;
        ids[2 * found.length++ + 1] = near.ids[i];
      }
    }
    return tested;
  }

  /** Drops the pairs of which only the bounds overlap. */
  #keepTouching(): void {
    const { bodies, bodyOf, found } = this;
    const { ids } = found;
    let kept = 0;
    for (let i = 0; i < 2 * found.length; i += 2) {
      if (!bodies.touch(bodyOf[ids[i]], bodyOf[ids[i + 1]])) continue;
      ids[kept] = ids[i];
      ids[kept + 1] = ids[i + 1];
      kept += 2;
    }
    found.length = kept / 2;
  }

  #boxOf(body: number): Float64Array {
    const { boxes } = this.bodies;
    const box = this.#box;
    for (let c = 0, o = 6 * body; c < 6; c++) box[c] = boxes[o + c];
    return box;
  }
}

/** A part of the world: minX minY minZ maxX maxY maxZ. */
export type Region = readonly [number, number, number, number, number, number];

/** What a search of a region tests, and what it finds. */
export interface Candidates {
  /** All bodies stored in nodes that touch the region. */
  readonly bodies: ReadonlySet<number>;
  /** The number of nodes that store them. */
  readonly nodes: number;
  /** The number of bodies whose bounds touch the region. */
  readonly found: number;
}

/** The candidates of a region: everything stored in a node that touches it. */
export function candidatesOf({ index, bodyOf }: MethodRun, region: Region): Candidates {
  const bodies = new Set<number>();
  let nodes = 0;
  forEachNode(index, ({ box, ids }) => {
    if (ids.length === 0) return;
    for (let c = 0; c < 3; c++) if (box[c] > region[c + 3] || region[c] > box[c + 3]) return;
    nodes++;
    for (const id of ids) bodies.add(bodyOf[id]);
  });
  return { bodies, nodes, found: index.queryBox(region).length };
}

/** Of one body. */
const near = new IdList();
