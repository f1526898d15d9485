import type { BufferAttribute, BufferGeometry, Material } from 'three';
import type { VertexAttribute } from '../../scene/objects/attributes.js';
import { LevelChoice, type LevelErrors, type LeveledSlots, LevelViews } from './LevelChoice.js';
import { type LevelSource, type Levels, makeLevels, type Simplifier } from './makeLevels.js';
import {
  isWhole,
  type LeveledDraw,
  type LeveledGeometry,
  type LevelReason,
  WEIGHED,
  whyUnleveledGeometry,
  whyUnleveledMaterial,
} from './whyNoLevels.js';

/** Makes levels of detail elsewhere, as in a worker. */
export type LevelMaker = (source: LevelSource) => Promise<Levels>;

export interface LevelSettings extends LevelErrors {
  readonly simplifier: Simplifier | LevelMaker;
}

/** Draws that one call draws, or could. */
interface LeveledGroup {
  readonly drawn: Material;
  readonly entries: Iterable<LeveledDraw>;
}

/** Milliseconds of a pause between two pictures that the simplifier may take. */
const SLICE = 4;
/** Passes of cameras in which a geometry has to stay as it is before levels are made of it again. */
const REST = 8;

/**
 * Makes levels of the geometries that are drawn in batches, one after the other, in the pauses between pictures: first those
 * that may spare most triangles.
 */
export class LevelQueue {
  readonly views: LevelViews;
  /** Geometries that have got levels, to be put in their batches. */
  readonly made: LeveledGeometry[] = [];
  /** The number of the last pass of a camera. */
  frame = 0;
  readonly #simplifier: Simplifier | LevelMaker;
  readonly #findSpared: (spared: Map<LeveledGeometry, number>) => void;
  readonly #onLevels: () => void;
  #waiting: LeveledGeometry[] = [];
  /** Geometries may have come, or have to rest. */
  #isStale = true;
  #isBusy = false;
  #isDisposed = false;
  readonly #warned = new Set<string>();

  /**
   * @param findSpared Adds the geometries of which levels would be of use, and how many triangles they may spare.
   * @param onLevels Called when levels have been made, so that the next picture draws fewer triangles.
   */
  constructor(
    settings: LevelSettings,
    findSpared: (spared: Map<LeveledGeometry, number>) => void,
    onLevels: () => void,
  ) {
    this.views = new LevelViews(settings);
    this.#simplifier = settings.simplifier;
    this.#findSpared = findSpared;
    this.#onLevels = onLevels;
  }

  get hasWorker(): boolean {
    return typeof this.#simplifier === 'function';
  }

  makeChoice(slots: LeveledSlots): LevelChoice {
    return new LevelChoice(this.views, slots);
  }

  /** To be called when geometries have come or changed. */
  look(): void {
    this.#isStale = true;
    void this.#run();
  }

  /** To be called when a picture begins: what had to rest may be due. */
  begin(frame: number): void {
    this.frame = frame;
    if (this.#isStale) void this.#run();
  }

  /**
   * Triangles that levels spare at most, of all draws of a group.
   * @param isMade Of levels that are there; else of those that may be made as well, which spare all that there are.
   * @param toMake To which those are added that are to be made, by geometry.
   */
  sparedIn({ drawn, entries }: LeveledGroup, isMade: boolean, toMake?: Map<LeveledGeometry, number>): number {
    if (whyUnleveledMaterial(drawn) !== null) return 0;
    let sum = 0;
    for (const entry of entries) {
      const { geometry: known, isLeveled } = entry.owner;
      if (known === null || (isMade && known.levels === null) || !isLeveled || !isWhole(entry)) continue;
      const reason = whyUnleveledGeometry(known, this.hasWorker);
      if (reason !== null && reason !== 'worker') continue;
      const triangles = (entry.range.count - (known.levels?.counts.at(-1) ?? 0)) / 3;
      sum += triangles;
      if (toMake === undefined || known.levels !== null) continue;
      if (reason === null) toMake.set(known, (toMake.get(known) ?? 0) + triangles);
      else this.#warn('a geometry of more than 12,000 triangles needs the worker (levels.simplifier) for its levels');
    }
    return sum;
  }

  /** Why a draw has no levels; null for one that has, or would have in a batch with room for them. */
  whyNone(draw: LeveledDraw): LevelReason | null {
    const { owner, known } = draw;
    const { geometry, isLeveled } = owner;
    if (geometry === null || known === null) return 'waiting';
    if (!isLeveled) return 'notAllowed';
    const why = whyUnleveledMaterial(known.material) ?? whyUnleveledGeometry(geometry, this.hasWorker);
    if (why !== null || !isWhole(draw)) return why ?? 'part';
    if (this.#isRestless(geometry)) return 'changes';
    return geometry.levels === null || this.made.includes(geometry) ? 'waiting' : null;
  }

  /** Whether a geometry changed a short time ago: it may change again. */
  #isRestless({ revision, changedIn, levels }: LeveledGeometry): boolean {
    return levels === null && revision > 1 && this.frame - changedIn < REST;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.made.length = 0;
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let known = await this.#next(); known !== null; known = await this.#next()) await this.#make(known);
    this.#isBusy = false;
    // All at once, as a page that draws on demand is told so few times.
    if (this.made.length > 0) this.#onLevels();
  }

  /** The geometry that is to get levels next; null for none. */
  async #next(): Promise<LeveledGeometry | null> {
    await pause();
    if (this.#isDisposed) return null;
    if (this.#isStale) {
      this.#isStale = false;
      const spared = new Map<LeveledGeometry, number>();
      this.#findSpared(spared);
      this.#waiting = [...spared].sort(([, a], [, b]) => a - b).map(([known]) => known);
    }
    for (let known = this.#waiting.pop(); known !== undefined; known = this.#waiting.pop()) {
      if (known.levels !== null || known.levelsFailed) continue;
      if (!this.#isRestless(known)) return known;
      this.#isStale = true;
    }
    return null;
  }

  /** Makes the levels of a geometry, unless it changes meanwhile. */
  async #make(known: LeveledGeometry): Promise<void> {
    const { revision } = known;
    const isOver = (): boolean => this.#isDisposed || known.revision !== revision;
    try {
      const simplifier = this.#simplifier;
      if (typeof simplifier !== 'function') await simplifier.ready;
      const source = levelSourceOf(known.geometry);
      const isElsewhere = typeof simplifier === 'function';
      const levels = await (isElsewhere ? simplifier(source) : inSlices(makeLevels(source, simplifier), isOver));
      this.#isStale ||= isOver();
      if (isOver()) return;
      known.levels = checked(levels, known.vertices);
      if (known.levels.counts.length > 0) this.made.push(known);
    } catch (error) {
      if (isOver()) return;
      known.levelsFailed = true;
      this.#warn('levels of detail could not be made:', error);
    }
  }

  /** Warns once of the same. */
  #warn(what: string, ...more: unknown[]): void {
    if (!this.#warned.has(what)) console.warn(`accelerate: ${what}`, ...more);
    this.#warned.add(what);
  }
}

/** Goes through steps in the pauses between pictures, as long as none is likely to take the time of a slice; null if it is over. */
async function inSlices<T>(steps: Iterator<void, T>, isOver: () => boolean): Promise<T | null> {
  for (;;) {
    await pause();
    if (isOver()) return null;
    let now = performance.now();
    const end = now + SLICE;
    for (let last = 0; now + last <= end; ) {
      const { done, value } = steps.next();
      if (done === true) return value;
      const then = now;
      now = performance.now();
      last = now - then;
    }
  }
}

/** Resolved in a pause between pictures; on a page that has none, some time later. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 200 });
    else setTimeout(resolve, 16);
  });
}

/** The numbers of a geometry with an index, copied. */
export function levelSourceOf({ attributes, index }: BufferGeometry): LevelSource {
  const weighed = WEIGHED.filter(([name]) => attributes[name] !== undefined);
  return {
    positions: numbersOf(attributes.position as VertexAttribute, 3),
    attributes: weighed.map(([name, size, weight]) => {
      return { numbers: numbersOf(attributes[name] as VertexAttribute, size), weight };
    }),
    index: Uint32Array.from((index as BufferAttribute).array),
  };
}

function numbersOf(attribute: VertexAttribute, most: number): Float32Array {
  const { array, count, itemSize, normalized } = attribute;
  const size = Math.min(most, itemSize);
  const isPlain = array instanceof Float32Array && size === itemSize && !normalized;
  if (isPlain && !('data' in attribute)) return array.slice(0, size * count);
  const numbers = new Float32Array(size * count);
  for (let v = 0; v < count; v++) for (let i = 0; i < size; i++) numbers[size * v + i] = attribute.getComponent(v, i);
  return numbers;
}

/** @throws TypeError for levels that cannot be drawn. */
function checked(levels: Levels | null, vertices: number): Levels {
  const { index, counts, errors } = levels ?? { index: [], counts: [], errors: [0] };
  const isSum = counts.reduce((sum, count) => sum + count, 0) === index.length && errors.length === counts.length;
  const isSound = isSum && errors.every((error, k) => error >= (errors[k - 1] ?? 0));
  if (levels !== null && isSound && levels.index.every((vertex) => vertex < vertices)) return levels;
  throw new TypeError('accelerate.levels.simplifier: made levels that do not fit their geometry');
}
