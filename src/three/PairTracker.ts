import { EventDispatcher, type Layers, type Object3D } from 'three';
import { inWords } from '../core/inWords.js';
import { IdPairs } from '../core/lists/IdPairs.js';
import { readOptions } from '../core/readOptions.js';
import { findPairs } from '../structures/findPairs.js';
import { checkObject } from './objects/checks.js';
import { maskOf } from './objects/maskOf.js';
import type { ObjectRecord } from './objects/ObjectRecord.js';
import type { SceneIndex } from './SceneIndex.js';
import { entriesOf, SceneQueries } from './SceneQueries.js';

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
 * Tells which objects begin to touch each other, go on and cease to, by their bounds. Call {@link update} after the
 * index's own; listen as to any object of three:
 * `tracker.addEventListener('enter', ({ a, b }) => ...)`.
 *
 * A pair is two objects, whatever becomes of their entries: one that changes its parent, or an index that changes its
 * structure, ends nothing. Hidden objects count. Which two objects come into question their layers say, see
 * {@link setMask}, and {@link PairTrackerOptions}.
 *
 * Pairs are kept from update to update, and with them their objects, removed or not: the next update ends those of
 * objects that went, all of them when the index was disposed. Without an update after that, let go of the tracker.
 */
export class PairTracker extends EventDispatcher<PairTrackerEvents> {
  readonly #index: SceneIndex;
  readonly #staticPairs: boolean;
  readonly #masks = new WeakMap<Object3D, number>();
  /** What the index found last, and its version then. */
  readonly #found = new IdPairs();
  #version = -1;
  /** All pairs; those that the last update found anew come last. */
  readonly #pairs: Pair[] = [];
  /** The same by their objects, under one of both. */
  readonly #partners = new Map<Object3D, Map<Object3D, Pair>>();
  #round = 0;
  #isFiring = false;

  /**
   * @param index Whose objects are to be watched.
   * @throws TypeError or RangeError for an index or options that are not legal.
   */
  constructor(index: SceneIndex, options: PairTrackerOptions = {}) {
    if (!(index instanceof SceneQueries)) {
      throw new TypeError(`PairTracker.index: must be a SceneIndex, got ${inWords(index)}`);
    }
    super();
    this.#index = index;
    this.#staticPairs = readOptions(options, { staticPairs: false }, 'PairTracker').staticPairs;
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
   * Compares the pairs of now with those of the last update, and fires `end` for each that is over, then `begin`, then
   * `stay`. All is settled before the first event; a listener that throws keeps no other event from being fired, and
   * what the first of them threw is thrown at the end. Listeners must not call this.
   *
   * While the index is as it was, nothing is searched: layers, masks and rest are looked at again for what was found.
   */
  update(): void {
    if (this.#isFiring) throw new Error('PairTracker.update: called by a listener of its own');
    const begun = this.#look();
    const ended = this.#settle();
    const stayed = this.#pairs.length;
    for (const pair of begun) this.#pairs.push(pair);
    const failures: unknown[] = [];
    this.#isFiring = true;
    for (const pair of ended) this.#fire('leave', pair, failures);
    for (const pair of begun) this.#fire('enter', pair, failures);
    for (let i = 0; i < stayed; i++) this.#fire('stay', this.#pairs[i], failures);
    this.#isFiring = false;
    if (failures.length > 0) throw failures[0];
  }

  /** Marks all pairs of now as seen in a new round, and makes those that are new. */
  #look(): Pair[] {
    const { index, byId } = entriesOf(this.#index);
    if (this.#version !== this.#index.version) {
      findPairs(index, this.#found);
      this.#version = this.#index.version;
    }
    const { ids, length } = this.#found;
    const round = ++this.#round;
    const begun: Pair[] = [];
    for (let i = 0; i < length; i++) {
      const first = byId[ids[2 * i]];
      const second = byId[ids[2 * i + 1]];
      // A getter of another object may have removed one of them.
      if (first === null || second === null || !this.#counts(first, second)) continue;
      const a = first.object;
      const b = second.object;
      const known = this.#partners.get(a)?.get(b) ?? this.#partners.get(b)?.get(a);
      if (known === undefined) begun.push(this.#make(a, b));
      else known.seenIn = round;
    }
    return begun;
  }

  /** Takes out, and returns, the pairs that were not seen in this round. */
  #settle(): Pair[] {
    const pairs = this.#pairs;
    const ended: Pair[] = [];
    let n = 0;
    for (const pair of pairs) {
      if (pair.seenIn === this.#round) pairs[n++] = pair;
      else ended.push(pair);
    }
    pairs.length = n;
    for (const { a, b } of ended) {
      const partners = this.#partners.get(a);
      partners?.delete(b);
      if (partners?.size === 0) this.#partners.delete(a);
    }
    return ended;
  }

  #make(a: Object3D, b: Object3D): Pair {
    const pair = new Pair(a, b, this.#round);
    const partners = this.#partners.get(a);
    if (partners) partners.set(b, pair);
    else this.#partners.set(a, new Map([[b, pair]]));
    return pair;
  }

  #counts(first: ObjectRecord, second: ObjectRecord): boolean {
    if (first.isStatic && second.isStatic && !this.#staticPairs) return false;
    const a = maskOf(first.object);
    const b = maskOf(second.object);
    return ((this.#masks.get(first.object) ?? a) & b) !== 0 && ((this.#masks.get(second.object) ?? b) & a) !== 0;
  }

  #fire(type: keyof PairTrackerEvents, pair: Pair, failures: unknown[]): void {
    pair.type = type;
    try {
      this.dispatchEvent(pair);
    } catch (error) {
      failures.push(error);
    }
  }
}

/** A pair, and the event that tells of it. */
class Pair {
  readonly a: Object3D;
  readonly b: Object3D;
  type: keyof PairTrackerEvents = 'enter';
  /** Set by three while it fires. */
  target: unknown = null;
  /** Round of the tracker in which it was last found. */
  seenIn: number;

  constructor(a: Object3D, b: Object3D, seenIn: number) {
    this.a = a;
    this.b = b;
    this.seenIn = seenIn;
  }
}
