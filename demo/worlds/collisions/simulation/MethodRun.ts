import {
  createIndex,
  forEachNode,
  IdList,
  IdPairs,
  type IndexOptions,
  type SpatialIndex,
} from '../../../../src/standalone.js';
import type { Method, MethodId } from '../setup/methods.js';
import { type Bodies, CORNERS } from './Bodies.js';
import { polygonsOverlap } from './polygonsOverlap.js';

/** What one frame cost, and what it found. Times in milliseconds. */
export interface Cost {
  /** Updating the index. */
  update: number;
  /** Finding the pairs by their bounds and, for turned bodies, by their shapes. */
  query: number;
  /** Bounds compared one by one. */
  boxTests: number;
  /** Overlapping bounds. */
  candidates: number;
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
  readonly #idOf: number[] = [];
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
    // `addAll` sorts a list, which then compares near boxes only: no longer brute force.
    if (method.structure === 'bruteForce') this.#addNew();
    else {
      this.index.addAll(bodies.boxes.subarray(0, 6 * bodies.count)).forEach((id, body) => {
        this.#setId(id, body);
      });
    }
  }

  /** Follows the bodies and finds the pairs. */
  frame(): Cost {
    const { bodies, index, found } = this;
    const start = this.#now();
    const known = this.#idOf.length;
    for (let body = 0; body < known; body++) index.update(this.#idOf[body], this.#boxOf(body));
    this.#addNew();
    const kept = this.#now();
    const itemsTested = this.#findPairs();
    const candidates = found.length;
    if (bodies.turned) keepOverlapping(found, bodies, this.bodyOf);
    const done = this.#now();
    return { update: kept - start, query: done - kept, boxTests: itemsTested, candidates, pairs: found.length };
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

  /** Bodies that were added since the last frame. */
  #addNew(): void {
    const { bodies } = this;
    while (this.#idOf.length < bodies.count) {
      const body = this.#idOf.length;
      this.#setId(this.index.add(this.#boxOf(body)), body);
    }
  }

  #setId(id: number, body: number): void {
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

/** A part of the world: minX minY minZ maxX maxY maxZ. */
export type Region = readonly [number, number, number, number, number, number];

/** What a search of a region tests. */
export interface Candidates {
  /** All bodies stored in nodes that touch the region. */
  readonly bodies: ReadonlySet<number>;
  /** The number of nodes that store them. */
  readonly nodes: number;
}

/** The candidates of a region: everything stored in a node that touches it. */
export function candidatesOf(methodRun: MethodRun, region: Region): Candidates {
  const bodies = new Set<number>();
  let nodes = 0;
  forEachNode(methodRun.index, ({ box, ids }) => {
    if (ids.length === 0) return;
    for (let c = 0; c < 3; c++) if (box[c] > region[c + 3] || region[c] > box[c + 3]) return;
    nodes++;
    for (const id of ids) bodies.add(methodRun.bodyOf[id]);
  });
  return { bodies, nodes };
}

/** How many candidates of a region each method has. */
export function compareCandidates(
  methods: readonly Method[],
  bodies: Bodies,
  options: IndexOptions,
  region: Region,
): Map<MethodId, Candidates> {
  return new Map(methods.map((method) => [method.id, candidatesOf(new MethodRun(method, bodies, options), region)]));
}

/** Of one body. */
const near = new IdList();
const first = new Float64Array(CORNERS);
const second = new Float64Array(CORNERS);

/** Drops the pairs of which only the bounds overlap, by separating axes. `bodyOf`: the body of each id. */
function keepOverlapping(pairs: IdPairs, { corners }: Bodies, bodyOf: ArrayLike<number>): void {
  const { ids } = pairs;
  let kept = 0;
  for (let i = 0; i < 2 * pairs.length; i += 2) {
    copyCorners(corners, bodyOf[ids[i]], first);
    copyCorners(corners, bodyOf[ids[i + 1]], second);
    if (!polygonsOverlap(first, second)) continue;
    ids[kept] = ids[i];
    ids[kept + 1] = ids[i + 1];
    kept += 2;
  }
  pairs.length = kept / 2;
}

function copyCorners(corners: Float64Array, body: number, out: Float64Array): void {
  for (let i = 0, o = CORNERS * body; i < CORNERS; i++) out[i] = corners[o + i];
}
