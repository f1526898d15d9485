import { type BufferAttribute, type BufferGeometry, DataUtils, type Material, MathUtils } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { inPauses, pause, REST } from '../../core/pauses.js';
import { offsetOf, strideOf, type VertexAttribute } from '../../scene/objects/attributes.js';
import { isHalfFloat } from '../../scene/objects/drawnAttributes.js';
import { LevelChoice, type LevelErrors, type LeveledSlots, LevelViews } from './LevelChoice.js';
import { type LevelSource, type Levels, makeLevels, type Simplifier } from './makeLevels.js';
import {
  hasLevels,
  isWhole,
  type LeveledDraw,
  type LeveledGeometry,
  type LevelReason,
  sampledSets,
  setsOf,
  UV_SETS,
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
  readonly draws: Iterable<LeveledDraw>;
}

/** By geometry: the triangles that levels of it may spare, and the sets of texture coordinates to weigh. */
export type LevelWishes = Map<LeveledGeometry, { triangles: number; sets: number }>;

/** An index that names fewer of the vertices between its first and its last has them sorted, which takes less than to scan all. */
const SPARSE = 16;

/**
 * Makes levels of the geometries that are drawn in batches, one after the other, in the pauses between pictures: first those
 * that may spare most triangles.
 */
export class LevelQueue {
  readonly views: LevelViews;
  /** Geometries that have got levels, to be put in their batches. */
  readonly made: LeveledGeometry[] = [];
  readonly #simplifier: Simplifier | LevelMaker;
  readonly #findSpared: (spared: LevelWishes) => void;
  readonly #onLevels: () => void;
  #waiting: [LeveledGeometry, { readonly sets: number }][] = [];
  /** Geometries may have come. */
  #isStale = true;
  /** The queue looks again when edited geometries may have rested. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isBusy = false;
  #isDisposed = false;
  readonly #warned = new Set<string>();

  /**
   * @param findSpared Adds the geometries of which levels would be of use, and how many triangles they may spare.
   * @param onLevels Called when levels have been made, so that the next picture draws fewer triangles.
   */
  constructor(settings: LevelSettings, findSpared: (spared: LevelWishes) => void, onLevels: () => void) {
    this.views = new LevelViews(settings);
    this.#simplifier = settings.simplifier;
    this.#findSpared = findSpared;
    this.#onLevels = onLevels;
  }

  get hasWorker(): boolean {
    return typeof this.#simplifier === 'function';
  }

  makeChoice(slots: LeveledSlots): LevelChoice {
    return new LevelChoice(this.views, slots, () => this.look());
  }

  /** Call when geometries came or changed, or materials look textures up in other sets of coordinates. */
  look(): void {
    this.#isStale = true;
    void this.#run();
  }

  /**
   * Triangles that levels spare at most, of all draws of a group.
   * @param isMade Of levels that are there; else of those that may be made as well, which spare all that there are.
   * @param toMake To which those are added that are to be made, by geometry.
   */
  sparedIn({ drawn, draws }: LeveledGroup, isMade: boolean, toMake?: LevelWishes): number {
    if (whyUnleveledMaterial(drawn) !== null) return 0;
    const sets = sampledSets(drawn);
    let sum = 0;
    for (const draw of draws) {
      const { owner, range } = draw;
      const { geometry: known } = draw.joined;
      if (!owner.isLeveled || !isWhole(draw)) continue;
      const isThere = hasLevels(known, sets);
      if (isMade && !isThere) continue;
      const reason = whyUnleveledGeometry(known, this.hasWorker);
      if (reason !== null && reason !== 'worker') continue;
      const triangles = (range.count - (known.levels?.counts.at(-1) ?? 0)) / 3;
      sum += triangles;
      if (toMake === undefined || isThere) continue;
      if (reason === null) {
        const wish = getOrMake(toMake, known, () => ({ triangles: 0, sets: known.weighed }));
        wish.triangles += triangles;
        wish.sets |= sets;
      } else this.#warn('a geometry of more than 12,000 triangles needs the worker (levels.simplifier) for its levels');
    }
    return sum;
  }

  /** Why a draw has no levels; null for one that has, or would have in a batch with room for them. */
  whyNone(draw: LeveledDraw): LevelReason | null {
    const { owner, material } = draw;
    const { geometry } = draw.joined;
    if (!owner.isLeveled) return 'notAllowed';
    const why = whyUnleveledMaterial(material) ?? whyUnleveledGeometry(geometry, this.hasWorker);
    if (why !== null || !isWhole(draw)) return why ?? 'part';
    if (this.#isRestless(geometry)) return 'changes';
    const isThere = hasLevels(geometry, sampledSets(material)) && !this.made.includes(geometry);
    return isThere ? null : 'waiting';
  }

  /** Whether a geometry changed a short time ago: it may change again. */
  #isRestless({ changedAt, levels }: LeveledGeometry): boolean {
    return levels === null && performance.now() - changedAt < REST;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.made.length = 0;
  }

  async #run(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = await this.#next(); next !== null; next = await this.#next()) await this.#make(...next);
    this.#isBusy = false;
    // All at once, as a page that draws on demand is told so few times.
    if (this.made.length > 0) this.#onLevels();
  }

  /** The geometry that is to get levels next, and for which sets of texture coordinates; null for none. */
  async #next(): Promise<[LeveledGeometry, number] | null> {
    await pause();
    if (this.#isDisposed) return null;
    if (this.#isStale) {
      this.#isStale = false;
      const spared: LevelWishes = new Map();
      this.#findSpared(spared);
      this.#waiting = [...spared].sort(([, a], [, b]) => a.triangles - b.triangles);
    }
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const [known, { sets }] = next;
      if (known.levelsFailed || hasLevels(known, sets)) continue;
      if (!this.#isRestless(known)) return [known, sets];
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.look(), REST);
    }
    return null;
  }

  /** Makes the levels of a geometry, unless it changes meanwhile. */
  async #make(known: LeveledGeometry, sets: number): Promise<void> {
    const { revision } = known;
    const isOver = (): boolean => this.#isDisposed || known.revision !== revision;
    try {
      const simplifier = this.#simplifier;
      const isElsewhere = typeof simplifier === 'function';
      if (!isElsewhere) await simplifier.ready;
      const named = namedVertices(known.geometry);
      const source = levelSourceOf(known.geometry, sets, named);
      const levels = await (isElsewhere ? simplifier(source) : inPauses(makeLevels(source, simplifier), isOver));
      this.#isStale ||= isOver();
      if (isOver()) return;
      const { index, counts, errors } = checked(levels, named.vertices.length);
      known.levels = { index: index.map((vertex) => named.vertices[vertex]), counts, errors };
      // Sets that the geometry lacks tear nothing.
      known.weighed = sets | ~setsOf(known.geometry);
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

/** The vertices that an index names, in order, and the index in places among these vertices. */
interface NamedVertices {
  readonly vertices: Uint32Array;
  readonly index: Uint32Array;
}

/** Finds the named vertices. Other geometries may share the buffers, so the work must not grow with the size of these. */
export function namedVertices(geometry: BufferGeometry): NamedVertices {
  const { array } = geometry.index as BufferAttribute;
  let [low, high] = [Number.POSITIVE_INFINITY, -1];
  for (let i = 0; i < array.length; i++) {
    if (array[i] < low) low = array[i];
    if (array[i] > high) high = array[i];
  }
  // For each vertex from `low` on: whether the index names it, then its place. Memory that is not read costs nothing.
  const places = new Uint32Array(Math.max(0, high - low + 1));
  const found = new Uint32Array(Math.min(array.length, places.length));
  let count = 0;
  for (let i = 0; i < array.length; i++) {
    if (places[array[i] - low] === 0) found[count++] = array[i];
    places[array[i] - low] = 1;
  }
  const vertices = found.slice(0, count);
  if (SPARSE * count < places.length) vertices.sort();
  else for (let i = 0, place = 0; place < count; i++) if (places[i] === 1) vertices[place++] = low + i;
  for (let place = 0; place < count; place++) places[vertices[place] - low] = place;
  const index = new Uint32Array(array.length);
  for (let i = 0; i < array.length; i++) index[i] = places[array[i] - low];
  return { vertices, index };
}

/**
 * Copies the numbers of a geometry with an index: of named vertices, and of attributes that count in pictures.
 * @param sets The {@link sampledSets} of the materials that draw the geometry.
 */
export function levelSourceOf(
  geometry: BufferGeometry,
  sets = 0,
  { vertices, index }: NamedVertices = namedVertices(geometry),
): LevelSource {
  const { attributes } = geometry;
  const sampled = UV_SETS.filter((_, set) => (sets & (1 << set)) !== 0);
  const textured = sampled.map((name) => ({ name, size: 2, weight: 1, isTexture: true }));
  const weighed = [...WEIGHED, ...textured].filter(({ name }) => attributes[name] !== undefined);
  return {
    positions: numbersOf(attributes.position as VertexAttribute, 3, vertices),
    attributes: weighed.map(({ name, size, weight, isTexture }) => {
      return { numbers: numbersOf(attributes[name] as VertexAttribute, size, vertices), weight, isTexture };
    }),
    index,
  };
}

/** Numbers of some vertices as shaders read them, at most `most` for each vertex. */
function numbersOf(attribute: VertexAttribute, most: number, vertices: Uint32Array): Float32Array {
  const { array, normalized } = attribute;
  const isHalf = isHalfFloat(attribute);
  const [stride, offset, size] = [strideOf(attribute), offsetOf(attribute), Math.min(most, attribute.itemSize)];
  const { length, 0: first = 0, [length - 1]: last = -1 } = vertices;
  if (array instanceof Float32Array && stride === size && !normalized && last - first + 1 === length) {
    return array.slice(size * first, size * (last + 1));
  }
  const numbers = new Float32Array(size * vertices.length);
  for (let v = 0, to = 0; v < vertices.length; v++) {
    for (let i = 0, from = stride * vertices[v] + offset; i < size; i++, from++, to++) {
      numbers[to] = isHalf ? DataUtils.fromHalfFloat(array[from]) : array[from];
      if (normalized && !isHalf) numbers[to] = MathUtils.denormalize(array[from], array as never);
    }
  }
  return numbers;
}

/** @throws TypeError for levels that cannot be drawn. */
function checked(levels: Levels | null, vertices: number): Levels {
  const { index, counts, errors } = levels ?? { index: [], counts: [], errors: [0] };
  const isSum = counts.reduce((sum, count) => sum + count, 0) === index.length && errors.length === counts.length;
  const isSound = isSum && errors.every((error, k) => error >= (errors[k - 1] ?? 0));
  let highest = -1;
  for (const vertex of index) if (vertex > highest) highest = vertex;
  if (levels !== null && isSound && highest < vertices) return levels;
  throw new TypeError('accelerate.levels.simplifier: made levels that do not fit their geometry');
}
