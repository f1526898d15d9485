import { EventDispatcher, type Layers, type Object3D } from 'three';
import { IdPairs } from '../core/IdPairs.js';
import { inWords, readOptions } from '../core/options.js';
import { findPairs, findPairsBetween } from '../pairs/findPairs.js';
import type { Entries } from './follow/Entries.js';
import { checkList, checkObject } from './objects/checks.js';
import { maskOf, type ObjectRecord } from './objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';
import type { SceneParts } from './SceneParts.js';
import { fireEach } from './VisibilityTracker.js';

/** Options of a {@link PairTracker}. */
export interface PairTrackerOptions {
  /** Whether two objects that are both static can be a pair. Default false: what rests does not run into what rests. */
  staticPairs?: boolean;
}

/** Two objects whose bounds touch. */
export interface ObjectPair {
  readonly a: Object3D;
  readonly b: Object3D;
}

/** Events of a {@link PairTracker}. The event object belongs to the pair and is used again: copy what you keep. */
export interface PairTrackerEvents {
  /** The bounds of two objects touch that did not. */
  enter: ObjectPair;
  /** They still do. */
  stay: ObjectPair;
  /** They do not any more, or one of the objects is gone. */
  leave: ObjectPair;
}

/**
 * Tracks which objects touch each other, by their bounds: pairs that are new, go on, or are over. Call {@link update}
 * after the index's own, and read {@link entered} and {@link left} or listen as to any object of three:
 * `tracker.addEventListener('enter', ({ a, b }) => ...)`.
 *
 * A pair is two objects, whatever becomes of their entries: an object that changes its parent, or an index that gets
 * another structure, ends nothing. Hidden objects count. Which two objects can be a pair depends on their layers, see
 * {@link setMask}, and on {@link PairTrackerOptions}.
 *
 * A tracker keeps its pairs, and with them their objects, removed or not, until the next update: that ends the pairs of
 * objects that went, all of them when the index was disposed. Without an update after that, call {@link dispose}.
 */
export class PairTracker extends EventDispatcher<PairTrackerEvents> {
  /** Pairs that the last update found and the one before did not. The list is used again by the next update. */
  readonly entered: readonly ObjectPair[];
  /** Pairs that were over at the last update. The list is used again by the next one. */
  readonly left: readonly ObjectPair[];
  readonly #parts: SceneParts;
  readonly #staticPairs: boolean;
  readonly #masks = new WeakMap<Object3D, number>();
  /** What the index found last, and its version then. */
  readonly #found = new IdPairs();
  #version = -1;
  /** All pairs; those that the last update found anew come last. */
  readonly #pairs: Pair[] = [];
  readonly #entered: Pair[] = [];
  readonly #left: Pair[] = [];
  /** All pairs by their objects, each under one of the two. */
  readonly #partners = new Map<Object3D, Map<Object3D, Pair>>();
  #round = 0;
  #isFiring = false;
  #isDisposed = false;

  /**
   * @param index The index whose objects are tracked.
   * @throws TypeError or RangeError for an index or options that are not legal, Error for an index that was disposed.
   */
  constructor(index: SceneIndex, options: PairTrackerOptions = {}) {
    const parts = partsOf(index, 'PairTracker');
    super();
    this.#parts = parts;
    this.#staticPairs = readOptions(options, { staticPairs: false }, 'PairTracker').staticPairs;
    this.entered = this.#entered;
    this.left = this.#left;
  }

  /** Number of pairs as of the last update. */
  get size(): number {
    return this.#pairs.length;
  }

  /**
   * Says which layers an object meets, in place of its own. Two objects can be a pair when the mask of each meets the
   * layers of the other; without masks that is `a.layers.test(b.layers)`.
   * @param layers Copied; null takes the mask back.
   * @throws TypeError or RangeError for an object or layers that are not legal.
   */
  setMask(object: Object3D, layers: Layers | null): void {
    checkObject(object, 'PairTracker.setMask');
    if (layers === null) {
      this.#masks.delete(object);
      return;
    }
    const mask = layers?.mask;
    if (typeof mask !== 'number') {
      throw new TypeError(`PairTracker.setMask: must be Layers or null, got ${inWords(layers)}`);
    }
    if (mask !== mask >> 0 && mask !== mask >>> 0) {
      throw new RangeError(`PairTracker.setMask: a mask must be a whole number of 32 bits, got ${inWords(mask)}`);
    }
    this.#masks.set(object, mask);
  }

  /**
   * Compares the pairs of now with those of the last update, and fires `leave` for each that is over, then `enter` for
   * each that is new, then `stay` for the others. All is settled before the first event; a listener that throws keeps
   * no other event from being fired, and what the first of them threw is thrown at the end. Listeners must not call
   * this.
   *
   * While the index is unchanged nothing is searched: layers, masks and rest are looked at again for what was found.
   */
  update(): void {
    if (this.#isDisposed) throw new Error('PairTracker.update: the tracker was disposed');
    if (this.#isFiring) throw new Error('PairTracker.update: called by a listener of its own');
    this.#search();
    this.#markFound();
    this.#removeUnmarked();
    const stayed = this.#pairs.length;
    for (const pair of this.#entered) this.#pairs.push(pair);
    this.#fireAll(stayed);
  }

  /** Lets go of all pairs, without events. Updates after this throw; a second `dispose` does nothing. */
  dispose(): void {
    this.#isDisposed = true;
    this.#pairs.length = this.#entered.length = this.#left.length = 0;
    this.#partners.clear();
  }

  /** Has the index find pairs, if it changed since the last time. */
  #search(): void {
    const { entries, isDisposed } = this.#parts;
    if (isDisposed) {
      this.#found.length = 0;
      return;
    }
    const { index } = entries;
    if (this.#version === entries.version) return;
    findPairs(index, this.#found);
    this.#version = entries.version;
  }

  /** Marks all pairs of now as found in a new round, and makes those that are new. */
  #markFound(): void {
    const { records } = this.#parts.entries.byId;
    const { ids, length } = this.#found;
    const round = ++this.#round;
    this.#entered.length = 0;
    for (let i = 0; i < length; i++) {
      const first = records[ids[2 * i]];
      const second = records[ids[2 * i + 1]];
      // A getter of another object may have removed one of them.
      if (first === null || second === null || !this.#mayMeet(first, second)) continue;
      const a = first.object;
      const b = second.object;
      const known = this.#partners.get(a)?.get(b) ?? this.#partners.get(b)?.get(a);
      if (known === undefined) this.#entered.push(this.#make(a, b));
      else known.foundIn = round;
    }
  }

  /** Moves the pairs that were not found in this round to `left`. */
  #removeUnmarked(): void {
    const pairs = this.#pairs;
    this.#left.length = 0;
    let n = 0;
    for (const pair of pairs) {
      if (pair.foundIn === this.#round) pairs[n++] = pair;
      else this.#left.push(pair);
    }
    pairs.length = n;
    for (const { a, b } of this.#left) {
      const partners = this.#partners.get(a);
      partners?.delete(b);
      if (partners?.size === 0) this.#partners.delete(a);
    }
  }

  #make(a: Object3D, b: Object3D): Pair {
    const pair = new Pair(a, b, this.#round);
    const partners = this.#partners.get(a);
    if (partners) partners.set(b, pair);
    else this.#partners.set(a, new Map([[b, pair]]));
    return pair;
  }

  /** True when two objects can be a pair, by their rest, layers and masks. */
  #mayMeet(first: ObjectRecord, second: ObjectRecord): boolean {
    if (first.isStatic && second.isStatic && !this.#staticPairs) return false;
    const a = maskOf(first.object);
    const b = maskOf(second.object);
    return ((this.#masks.get(first.object) ?? a) & b) !== 0 && ((this.#masks.get(second.object) ?? b) & a) !== 0;
  }

  #fireAll(stayed: number): void {
    const failures: unknown[] = [];
    this.#isFiring = true;
    fireEach<keyof PairTrackerEvents>(this, 'leave', this.#left, failures);
    fireEach<keyof PairTrackerEvents>(this, 'enter', this.#entered, failures);
    fireEach<keyof PairTrackerEvents>(this, 'stay', this.#pairs, failures, stayed);
    this.#isFiring = false;
    if (failures.length > 0) throw failures[0];
  }
}

/** A pair, and the event that tells of it. */
class Pair implements ObjectPair {
  readonly a: Object3D;
  readonly b: Object3D;
  type: keyof PairTrackerEvents = 'enter';
  /** Set by three while it fires. */
  target: unknown = null;
  /** Round of the tracker in which it was last found. */
  foundIn: number;

  constructor(a: Object3D, b: Object3D, foundIn: number) {
    this.a = a;
    this.b = b;
    this.foundIn = foundIn;
  }
}

/**
 * All pairs of drawables whose bounds touch, each once; an object and one below it are a pair like others.
 * @param out Overwritten.
 * @throws TypeError for an index or a list that is none, Error for an index that was disposed.
 */
export function findObjectPairs(index: SceneIndex, out: [Object3D, Object3D][] = []): [Object3D, Object3D][] {
  const { entries } = partsOf(index, 'findObjectPairs');
  checkList(out, 'findObjectPairs.out');
  return writePairs(findPairs(entries.index), entries, entries, out);
}

/**
 * All pairs of a drawable of one index, first, and one of another, whose bounds touch.
 * @param out Overwritten.
 * @throws TypeError for an index or a list that is none, Error for an index that was disposed.
 */
export function findObjectPairsBetween(
  a: SceneIndex,
  b: SceneIndex,
  out: [Object3D, Object3D][] = [],
): [Object3D, Object3D][] {
  const { entries } = partsOf(a, 'findObjectPairsBetween', 'a');
  const { entries: others } = partsOf(b, 'findObjectPairsBetween', 'b');
  checkList(out, 'findObjectPairsBetween.out');
  return writePairs(findPairsBetween(entries.index, others.index), entries, others, out);
}

function writePairs(
  { ids, length }: IdPairs,
  { byId: left }: Entries,
  { byId: right }: Entries,
  out: [Object3D, Object3D][],
): [Object3D, Object3D][] {
  for (let i = 0; i < length; i++) {
    out[i] = [left.objects[ids[2 * i]] as Object3D, right.objects[ids[2 * i + 1]] as Object3D];
  }
  out.length = length;
  return out;
}
