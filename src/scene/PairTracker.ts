import type { Object3D } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { getOrMake } from '../core/arrays.js';
import { IdPairs } from '../core/IdPairs.js';
import { readOptions } from '../core/options.js';
import { findPairs as findIdPairs, findPairsBetween as findIdPairsBetween } from '../pairs/findPairs.js';
import type { Entries } from './follow/Entries.js';
import { checkList } from './objects/checks.js';
import { maskOf, type ObjectRecord } from './objects/ObjectRecord.js';
import { partsIn, partsOf, type SceneIndex } from './SceneIndex.js';
import type { SceneParts } from './SceneParts.js';

/** Two objects whose bounds touch. */
export interface ObjectPair<T extends Object3D = Object3D> {
  readonly a: T;
  readonly b: T;
}

/**
 * Tracks which objects touch each other, by their bounds.
 *
 * Call {@link update} after the index's own update, then read the lists.
 *
 * Reparenting an object or replacing the structure of the index ends no pair. Hidden objects count. Two objects can be
 * a pair when `a.layers.test(b.layers)`, unless both are static; `findPairs` returns static pairs as well.
 *
 * A tracker keeps its pairs, and thereby their objects, removed or not, until the next update. That update ends the
 * pairs of removed objects, or all pairs if the index was disposed.
 *
 * @example
 * ```ts
 * import { PairTracker } from 'three-scene-index';
 *
 * const contacts = new PairTracker(index);
 * renderer.setAnimationLoop(() => {
 *   renderer.render(scene, camera); // updates the index of an accelerated scene
 *   contacts.update();
 *   for (const { a, b } of contacts.entered) console.log(a.name, 'meets', b.name);
 * });
 * ```
 */
export class PairTracker<T extends Object3D = Object3D> {
  /** All pairs as of the last update. The next update overwrites this list and the other lists. */
  readonly pairs: readonly ObjectPair<T>[] = [];
  /** Pairs that began with the last update. */
  readonly entered: readonly ObjectPair<T>[] = [];
  /** Pairs that ended with the last update. */
  readonly left: readonly ObjectPair<T>[] = [];
  readonly #pairs = this.pairs as Pair<T>[];
  readonly #entered = this.entered as Pair<T>[];
  readonly #left = this.left as Pair<T>[];
  readonly #parts: SceneParts;
  /** The pairs found last, and the version of the index at that time. */
  readonly #found = new IdPairs();
  #version = -1;
  /** All pairs, by object `a`, then by object `b`. */
  readonly #partners = new Map<Object3D, Map<Object3D, Pair<T>>>();
  #round = 0;

  /**
   * @param index The index whose objects are tracked.
   * @throws TypeError for an invalid index, Error for a disposed index.
   */
  constructor(index: SceneIndex<T>, options: Record<string, never> = {}) {
    this.#parts = partsOf(index, 'PairTracker');
    readOptions(options, {}, 'PairTracker');
  }

  /** Fills the lists. While the index is unchanged, only layers and static marks of known pairs are checked again. */
  update(): void {
    const { entries, isDisposed } = this.#parts;
    if (isDisposed) this.#found.length = 0;
    else if (this.#version !== entries.version) {
      findIdPairs(entries.index, this.#found);
      this.#version = entries.version;
    }
    this.#round++;
    this.#entered.length = this.#left.length = 0;
    this.#markFound();
    let n = 0;
    for (const pair of this.#pairs) {
      if (pair.foundIn === this.#round) this.#pairs[n++] = pair;
      else this.#end(pair);
    }
    this.#pairs.length = n;
    for (const pair of this.#entered) this.#pairs.push(pair);
  }

  /** Marks the known pairs that were found, and creates the new pairs. */
  #markFound(): void {
    const { records } = this.#parts.entries.byId;
    const { ids, length } = this.#found;
    for (let i = 0; i < length; i++) {
      const first = records[ids[2 * i]];
      const second = records[ids[2 * i + 1]];
      // A getter of another object may have removed one of the two.
      if (first === null || second === null || !mayMeet(first, second)) continue;
      const a = first.object as T;
      const b = second.object as T;
      const known = this.#partners.get(a)?.get(b) ?? this.#partners.get(b)?.get(a);
      if (known === undefined) this.#beginContact({ a, b, foundIn: this.#round });
      else known.foundIn = this.#round;
    }
  }

  #beginContact(pair: Pair<T>): void {
    getOrMake(this.#partners, pair.a, () => new Map<Object3D, Pair<T>>()).set(pair.b, pair);
    this.#entered.push(pair);
  }

  #end(pair: Pair<T>): void {
    const partners = this.#partners.get(pair.a);
    partners?.delete(pair.b);
    if (partners?.size === 0) this.#partners.delete(pair.a);
    this.#left.push(pair);
  }
}

/** True when two objects can be a pair, by their static marks and layers. */
function mayMeet(first: ObjectRecord, second: ObjectRecord): boolean {
  return !(first.isStatic && second.isStatic) && (maskOf(first.object) & maskOf(second.object)) !== 0;
}

/** A pair, and the number of the tracker's update that last found it. */
interface Pair<T extends Object3D> extends ObjectPair<T> {
  foundIn: number;
}

/**
 * Returns all pairs of drawables whose bounds touch, each once. An object and its descendant can be a pair, too. An
 * index without a scene gives pairs of ids, the lower id first, sorted.
 * @param out Overwritten. Default a new list.
 * @throws TypeError for an invalid index or list, Error for a disposed index.
 * @example
 * ```ts
 * import { findPairs } from 'three-scene-index';
 *
 * for (const [a, b] of findPairs(index)) console.log(a.name, 'touches', b.name);
 * ```
 */
export function findPairs<T extends Object3D>(index: SceneIndex<T>, out?: [T, T][]): [T, T][];
export function findPairs(index: SpatialIndex, out?: IdPairs): IdPairs;
export function findPairs(index: SceneIndex | SpatialIndex, out?: ObjectPairs | IdPairs): ObjectPairs | IdPairs {
  const parts = partsIn(index, 'findPairs');
  if (parts === null) return findIdPairs(index as SpatialIndex, out as IdPairs);
  const { entries } = parts;
  const list = checkPairs(out, 'findPairs');
  return writePairs(findIdPairs(entries.index), entries, entries, list);
}

/**
 * Returns all touching pairs of drawables of two indices, by their bounds. The object of `a` comes first. Two indices
 * without a scene give pairs of ids, sorted.
 * @param out Overwritten. Default a new list.
 * @throws TypeError for an invalid index or list, Error for a disposed index.
 * @example
 * ```ts
 * import { Group } from 'three';
 * import { findPairsBetween, SceneIndex } from 'three-scene-index';
 *
 * const players = new SceneIndex(new Group());
 * const zones = new SceneIndex(new Group());
 * for (const [one, zone] of findPairsBetween(players, zones)) console.log(one.name, 'is in', zone.name);
 * ```
 */
export function findPairsBetween<A extends Object3D, B extends Object3D>(
  a: SceneIndex<A>,
  b: SceneIndex<B>,
  out?: [A, B][],
): [A, B][];
export function findPairsBetween(a: SpatialIndex, b: SpatialIndex, out?: IdPairs): IdPairs;
export function findPairsBetween(
  a: SceneIndex | SpatialIndex,
  b: SceneIndex | SpatialIndex,
  out?: ObjectPairs | IdPairs,
): ObjectPairs | IdPairs {
  const where = 'findPairsBetween';
  const parts = partsIn(a, where);
  if (parts === null) return findIdPairsBetween(a as SpatialIndex, b as SpatialIndex, out as IdPairs);
  const { entries } = parts;
  const { entries: others } = partsOf(b as SceneIndex, where, 'b');
  const list = checkPairs(out, where);
  return writePairs(findIdPairsBetween(entries.index, others.index), entries, others, list);
}

type ObjectPairs = [Object3D, Object3D][];

function checkPairs(out: ObjectPairs | IdPairs = [], where: string): ObjectPairs {
  checkList(out, where);
  return out as ObjectPairs;
}

function writePairs({ ids, length }: IdPairs, left: Entries, right: Entries, out: ObjectPairs): ObjectPairs {
  const { objects } = left.byId;
  const { objects: others } = right.byId;
  for (let i = 0; i < length; i++) out[i] = [objects[ids[2 * i]] as Object3D, others[ids[2 * i + 1]] as Object3D];
  out.length = length;
  return out;
}
