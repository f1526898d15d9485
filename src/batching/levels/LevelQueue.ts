import type { BufferGeometry } from 'three';
import { isInMemory, type VertexAttribute } from '../../scene/objects/attributes.js';
import { LevelChoice, type LevelErrors } from './LevelChoice.js';
import { FEWEST_TRIANGLES, type LevelSource, type Levels, makeLevels, type Simplifier } from './makeLevels.js';

/** A geometry that is drawn in batches. */
export interface LeveledGeometry {
  readonly geometry: BufferGeometry;
  /** Grows with each change of its numbers. */
  readonly revision: number;
  levels: Levels | null;
}

export interface LevelSettings extends LevelErrors {
  readonly simplifier: Simplifier;
}

/** Milliseconds of a pause between two pictures that the simplifier may take. */
const SLICE = 4;
/** Pictures in which a geometry has to stay as it is before levels are made of it. */
const REST = 8;
/** One step for so many triangles takes longer than a slice: these are left to a worker. */
const MOST_TRIANGLES = 12_000;

/** What waits: how many draws have it, and since which picture it has been as it is. */
interface Waiting {
  users: number;
  revision: number;
  since: number;
}

/**
 * Makes levels of the geometries that are drawn in batches, one after the other, in the pauses between pictures: first those
 * that would spare most triangles.
 */
export class LevelQueue {
  readonly #settings: LevelSettings;
  readonly #onLevels: () => void;
  readonly #waiting = new Map<LeveledGeometry, Waiting>();
  /** Geometries that have got levels since the last picture. */
  #made: LeveledGeometry[] = [];
  #picture = 0;
  #isReady = false;
  #isRunning = false;
  #isDisposed = false;

  /** @param onLevels Called when levels have been made, so that the next picture draws fewer triangles. */
  constructor(settings: LevelSettings, onLevels: () => void) {
    this.#settings = settings;
    this.#onLevels = onLevels;
    void settings.simplifier.ready.then(() => {
      this.#isReady = true;
      this.#run();
    });
  }

  /** What chooses the levels of a batch. */
  makeChoice(): LevelChoice {
    return new LevelChoice(this.#settings);
  }

  /** A draw of a geometry has got a place in a batch, or the geometry has changed. */
  want(known: LeveledGeometry): void {
    if (known.levels !== null || whyNoLevels(known.geometry) !== null) return;
    const waiting = this.#waiting.get(known);
    if (waiting !== undefined) waiting.users++;
    else this.#waiting.set(known, { users: 1, revision: known.revision, since: this.#picture });
  }

  /** To be called when a picture begins: the geometries that have levels now. */
  takeMade(): LeveledGeometry[] {
    this.#picture++;
    const made = this.#made;
    if (made.length > 0) this.#made = [];
    this.#run();
    return made;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#waiting.clear();
    this.#made = [];
  }

  /** Makes the levels of one geometry after the other, until none waits. */
  #run(): void {
    const next = this.#isReady && !this.#isRunning ? this.#next() : null;
    if (next === null) return;
    this.#isRunning = true;
    this.#waiting.delete(next);
    const { revision } = next;
    const steps = makeLevels(levelSourceOf(next.geometry), this.#settings.simplifier);
    const isOver = (): boolean => {
      if (this.#isDisposed) return true;
      if (next.revision !== revision) {
        this.want(next);
        return true;
      }
      const { done, value } = steps.next();
      if (done !== true) return false;
      next.levels = value;
      if (value.counts.length > 0) this.#made.push(next);
      return true;
    };
    const slice = (): void => {
      for (const end = performance.now() + SLICE; performance.now() < end; ) {
        if (isOver()) {
          this.#isRunning = false;
          this.#run();
          // All at once, as a page that draws on demand is told so few times.
          if (!this.#isRunning && this.#made.length > 0) this.#onLevels();
          return;
        }
      }
      pause(slice);
    };
    pause(slice);
  }

  /** The geometry that is to get levels next; null for none. One that has changed is left alone until it rests. */
  #next(): LeveledGeometry | null {
    let best: LeveledGeometry | null = null;
    let most = 0;
    for (const [known, waiting] of this.#waiting) {
      const { revision } = known;
      if (revision !== waiting.revision) Object.assign(waiting, { revision, since: this.#picture });
      if (revision > 1 && this.#picture - waiting.since < REST) continue;
      const triangles = waiting.users * trianglesOf(known.geometry);
      if (triangles > most) [most, best] = [triangles, known];
    }
    return best;
  }
}

/** Why a geometry has no levels; null when it may have some. */
export function whyNoLevels(geometry: BufferGeometry): string | null {
  const { attributes, index } = geometry;
  if (index === null) return 'its geometry has no index';
  if (trianglesOf(geometry) < FEWEST_TRIANGLES) return 'its geometry has few triangles';
  if (trianglesOf(geometry) > MOST_TRIANGLES) return 'its geometry needs the worker';
  const isThere = WEIGHED.every(([name]) => !attributes[name] || isInMemory(attributes[name] as VertexAttribute));
  return isThere ? null : 'its numbers are not in memory';
}

function trianglesOf({ index }: BufferGeometry): number {
  return (index?.count ?? 0) / 3;
}

function pause(next: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(next);
  else setTimeout(next);
}

/** Attributes that count for what is drawn, how many of their numbers, and what each weighs. */
const WEIGHED: readonly (readonly [name: string, numbers: number, weight: number])[] = [
  ['normal', 3, 0.5],
  ['uv', 2, 0.5],
  ['color', 4, 1],
];

/** The numbers of a geometry with an index, copied: they may be sent to a worker. */
export function levelSourceOf({ attributes, index }: BufferGeometry): LevelSource {
  const position = attributes.position as VertexAttribute;
  const { count } = position;
  const positions = new Float32Array(3 * count);
  copyNumbers(position, 3, positions, 3, 0);
  const weights: number[] = [];
  const parts: [attribute: VertexAttribute, numbers: number, first: number][] = [];
  for (const [name, most, weight] of WEIGHED) {
    const attribute = attributes[name] as VertexAttribute | undefined;
    if (attribute === undefined) continue;
    const numbers = Math.min(most, attribute.itemSize);
    parts.push([attribute, numbers, weights.length]);
    for (let i = 0; i < numbers; i++) weights.push(weight);
  }
  const numbers = new Float32Array(weights.length * count);
  for (const [attribute, size, first] of parts) copyNumbers(attribute, size, numbers, weights.length, first);
  return { positions, attributes: numbers, weights, index: Uint32Array.from(index?.array ?? []) };
}

function copyNumbers(from: VertexAttribute, size: number, to: Float32Array, stride: number, first: number): void {
  const { count } = from;
  for (let v = 0; v < count; v++) for (let i = 0; i < size; i++) to[stride * v + first + i] = from.getComponent(v, i);
}
