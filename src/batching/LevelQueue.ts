import type { BufferGeometry, Matrix4, Object3D } from 'three';
import { getOrMake } from '../core/arrays.js';
import { EDIT_REST_MS, inPauses, Pauses } from '../core/pauses.js';
import { type LevelErrors, LevelViews } from '../instances/drawn/LevelViews.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { DrawSlots } from './DrawSlots.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import { LevelChoice, type LevelWishes } from './LevelChoice.js';
import { LeveledInstances } from './LeveledInstances.js';
import { CUT, type LeveledDraw, LeveledPart, TRIANGLES } from './LeveledPart.js';
import { type CopiedSource, drawableLevels, levelSourceOf } from './levelSource.js';
import type { LevelSource, Levels } from './levels/makeLevels.js';
import type { MaterialGeometryCache } from './MaterialGeometryCache.js';
import { type LevelReason, NO_SETS, setsFor, setsOf, whyUnleveledMaterial, whyUnleveledPart } from './whyNoLevels.js';

/**
 * Makes levels of detail of a geometry, or of a geometry group.
 *
 * It may use a worker, or levels made before. May be called while earlier calls are waiting for their levels.
 * @param source Copies of the numbers, to be transferred.
 * @param take May be called with the coarse levels that are ready, while finer levels are being made.
 */
export type LevelMaker = (
  source: LevelSource,
  geometry: BufferGeometry,
  take: (levels: Levels) => void,
) => Levels | Promise<Levels>;

/** Triangles of parts in progress at a time, so that a worker has its next geometry when it is done with one. */
const IN_FLIGHT = 100_000;
/** Milliseconds between messages about levels to a page that draws on demand, while more levels are to come. */
const TELL = 1000;

/** Parts sorted between two pauses: less than a millisecond. */
const PARTS_A_STEP = 500;

/** Levels that have been made, or are being made. */
interface Made {
  readonly revision: number;
  readonly range: DrawRange;
  readonly inCells: boolean;
  readonly sets: number;
  readonly levels: Promise<Levels>;
}

/** Levels by their maker and geometry: the levels of an unchanged geometry are made once, for all callers. */
const madeBy = new WeakMap<LevelMaker, WeakMap<BufferGeometry, Made[]>>();

const makeInWorker: LevelMaker = async (source, _, take) => {
  const code = await import('./levels/inWorker.js');
  return code.makeInWorker(source, take);
};

/**
 * Has levels made of the parts of geometries that batches draw, or would draw for the sake of levels. Parts with most
 * triangles come first. The work is done in the pauses between pictures.
 */
export class LevelQueue {
  readonly views: LevelViews;
  /** Parts with new levels, to be put in the batches that draw them. */
  readonly made: Set<LeveledPart> = new Set();
  /** The meshes with instances that passes have drawn, and their levels. */
  readonly instances: Map<Object3D, LeveledInstances> = new Map();
  /** Callbacks that free levels of instances; pictures in progress may draw these levels once more. */
  readonly #left: (() => void)[] = [];
  readonly #make: LevelMaker;
  readonly #onLevels: () => void;
  readonly #parts = new WeakMap<KnownGeometry, LeveledPart[]>();
  /** Parts that may need levels; `#waiting` has those that do, by the power of two of the triangles of their draws. */
  readonly #asked = new Set<LeveledPart>();
  readonly #waiting: Set<LeveledPart>[] = [];
  /** Parts that changed a short time ago. */
  #restless: LeveledPart[] = [];
  readonly #pauses = new Pauses();
  #inFlight = 0;
  #isRunning = false;
  #isDisposed = false;
  /** The time at which the page was told last. */
  #toldAt = Number.NEGATIVE_INFINITY;
  /** Timer for parts that have to rest; `#teller` is the timer for telling the page. */
  #rest: ReturnType<typeof setTimeout> | undefined;
  #teller: ReturnType<typeof setTimeout> | undefined;
  #hasWarned = false;

  /**
   * @param make Null for the worker of this library.
   * @param onLevels Called when levels have been made, so that the next picture draws fewer triangles.
   */
  constructor(errors: LevelErrors, make: LevelMaker | null, onLevels: () => void) {
    this.views = new LevelViews(errors);
    this.#make = make ?? makeInWorker;
    this.#onLevels = onLevels;
  }

  makeChoice(slots: DrawSlots, wishes: LevelWishes, worldAt: (slot: number) => Matrix4): LevelChoice {
    return new LevelChoice(this.views, slots, wishes, worldAt);
  }

  instancesOf(record: ObjectRecord, cache: MaterialGeometryCache, rules: WeakMap<Object3D, boolean>): LeveledInstances {
    const known = this.instances.get(record.object);
    if (known?.record === record) return known;
    known?.dispose();
    const made = new LeveledInstances(record, this, cache, rules);
    this.instances.set(record.object, made);
    return made;
  }

  /** To be called with each new draw; see {@link leave}. */
  enter(draw: LeveledDraw): void {
    if (!draw.owner.isLeveled) return;
    draw.part = this.#partOf(draw);
    draw.part?.count(draw.group, 1);
    this.want(draw);
  }

  /** To be called with each draw that goes, and before its part changes, or the rule about its levels. */
  leave(draw: LeveledDraw): void {
    draw.part?.count(draw.group, -1);
    draw.part = null;
  }

  /** To be called when a draw may need further levels: it has got a batch, or its material has changed. */
  want({ part, group }: LeveledDraw): void {
    if (part === null) return;
    const sets = setsFor(group.drawn);
    if (sets === NO_SETS) return;
    for (const one of part.cells === null ? [part] : [part, part.cells]) {
      if (one.hasLevels(sets)) this.made.add(one);
      else {
        this.#asked.add(one);
        void this.#run();
      }
    }
  }

  /** To be called when a view shows a draw so large that no level of the whole draw would be near enough. */
  wantCells({ part, group }: LeveledDraw): void {
    if (part === null || part.cells !== null || part.isOld || part.triangles < CUT) return;
    const sets = setsFor(group.drawn);
    if (sets === NO_SETS) return;
    part.cells = new LeveledPart(part.known, part.range, part);
    this.#asked.add(part.cells);
    void this.#run();
  }

  /** True when levels spare the mesh of a draw this share of {@link TRIANGLES}, for which it gets its own batches. */
  isEnough({ owner }: LeveledDraw, share = 1): boolean {
    let spared = 0;
    for (let draw = owner.first; draw !== null; draw = draw.next) spared += this.#sparedOf(draw);
    return spared >= share * TRIANGLES;
  }

  #sparedOf({ part, group }: LeveledDraw): number {
    if (part === null || part.levels === null) return 0;
    const sets = setsFor(group.drawn);
    return sets !== NO_SETS && part.hasLevels(sets) ? part.spared : 0;
  }

  /** Why a draw has no levels; null once they are made, even if no batch has room for them. */
  whyNone(draw: LeveledDraw): LevelReason | null {
    const { owner, group, part } = draw;
    if (!owner.isLeveled) return 'notAllowed';
    const why = whyUnleveledMaterial(group.drawn);
    if (why !== null || part === null) return why ?? 'part';
    if (part.levels === null && this.#isRestless(part)) return 'restless';
    const isMade = part.hasLevels(setsFor(group.drawn));
    const isFew = !group.isLeveled && !(isMade ? this.isEnough(draw) : mayBeEnough(part));
    return whyUnleveledPart(part) ?? (isFew ? 'alone' : isMade && !this.made.has(part) ? null : 'waiting');
  }

  /** Whether a geometry changed a short time ago, and so is likely to go on changing. */
  #isRestless({ known, isOld }: LeveledPart): boolean {
    return !isOld && performance.now() - known.changedAt < EDIT_REST_MS;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#rest);
    clearTimeout(this.#teller);
    this.made.clear();
    for (const instances of [...this.instances.values()]) instances.dispose();
    this.tidy();
  }

  whenDrawn(free: () => void): void {
    if (this.#isDisposed) free();
    else this.#left.push(free);
  }

  /** To be called when no listed draws are still to be drawn. */
  tidy(): void {
    for (const free of this.#left.splice(0)) free();
  }

  /** The part of its geometry that a draw shows; null for a range that is neither all of it nor a geometry group. */
  #partOf({ joined, range }: LeveledDraw): LeveledPart | null {
    const known = joined.geometry;
    const { geometry } = known;
    const all = (geometry.index ?? geometry.attributes.position).count;
    const isGroup = geometry.groups.some(
      ({ start, count }) => start === range.start && Math.min(count, all - start) === range.count,
    );
    if (!isGroup && (range.start !== 0 || range.count !== all)) return null;
    const parts = (this.#parts.get(known) ?? []).filter(({ isOld }) => !isOld);
    let part = parts.find((one) => one.range.start === range.start && one.range.count === range.count);
    if (part === undefined) {
      part = new LeveledPart(known, range);
      parts.push(part);
    }
    this.#parts.set(known, parts);
    return part;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (;;) {
      await this.#pauses.next();
      if (this.#isDisposed) return;
      this.#sort();
      const part = this.#inFlight < IN_FLIGHT ? this.#takeLargest() : null;
      if (part !== null) await this.#request(part, this.#setsOf(part));
      else if (this.#asked.size === 0 || this.#inFlight >= IN_FLIGHT) break;
    }
    this.#isRunning = false;
    this.#tell();
  }

  /** Tells the page of levels: immediately if no more are on their way, else after a while. */
  #tell(): void {
    if (this.made.size === 0) return;
    const isLast = this.#inFlight === 0 && !this.#isRunning;
    const since = performance.now() - this.#toldAt;
    clearTimeout(this.#teller);
    if (!isLast && since < TELL) {
      this.#teller = setTimeout(() => this.#tell(), TELL - since);
      return;
    }
    this.#toldAt = performance.now();
    this.#onLevels();
  }

  /** Sorts some of the requested parts by triangles; parts that changed a short time ago have to rest first. */
  #sort(): void {
    let n = 0;
    for (const part of this.#asked) {
      if (++n > PARTS_A_STEP) return;
      this.#asked.delete(part);
      part.waiting?.delete(part);
      part.waiting = null;
      const sets = this.#setsOf(part);
      if (part.isOld || part.hasFailed || sets === NO_SETS || part.hasLevels(sets) || part.isMaking(sets)) continue;
      if (part.levels === null && whyUnleveledPart(part) !== null) continue;
      if (this.#isRestless(part)) {
        this.#restless.push(part);
        this.#rest ??= setTimeout(this.#askAgain, EDIT_REST_MS);
        continue;
      }
      let users = 0;
      for (const [group, count] of part.users) users += count * group.instances;
      const size = Math.floor(Math.log2(users * part.triangles));
      while (this.#waiting.length <= size) this.#waiting.push(new Set());
      part.waiting = this.#waiting[size].add(part);
    }
  }

  readonly #askAgain = (): void => {
    this.#rest = undefined;
    for (const part of this.#restless.splice(0)) this.#asked.add(part);
    void this.#run();
  };

  #takeLargest(): LeveledPart | null {
    for (let size = this.#waiting.length - 1; size >= 0; size--) {
      for (const part of this.#waiting[size]) {
        this.#waiting[size].delete(part);
        part.waiting = null;
        if (!part.isOld && this.#setsOf(part) !== NO_SETS) return part;
      }
    }
    return null;
  }

  /** The sets of texture coordinates to be weighed for all draws of a part; {@link NO_SETS} if levels are of no use. */
  #setsOf(part: LeveledPart): number {
    let all = NO_SETS;
    for (const group of part.users.keys()) {
      const sets = group.isLeveled || mayBeEnough(part) ? setsFor(group.drawn) : NO_SETS;
      if (sets !== NO_SETS) all = all === NO_SETS ? sets : all | sets;
    }
    return all;
  }

  /** Asks for the levels of a part; resolves when they are on their way. */
  async #request(part: LeveledPart, sets: number): Promise<void> {
    const { geometry } = part.known;
    part.making = sets;
    this.#inFlight += part.triangles;
    // Sets that the geometry lacks cannot be torn, so they count as weighed.
    const weighed = sets | ~setsOf(geometry);
    const byGeometry = getOrMake(madeBy, this.#make, newWeakMap);
    const all = (byGeometry.get(geometry) ?? []).filter(({ revision }) => revision === part.revision);
    byGeometry.set(geometry, all);
    const { range, inCells } = part;
    const isSame = ({ range: { start, count }, inCells: areCells, sets: made }: Made): boolean =>
      start === range.start && count === range.count && areCells === inCells && (sets & ~made) === 0;
    let made = all.find(isSame);
    try {
      if (made === undefined) {
        const isOver = (): boolean => this.#isDisposed || part.isOld;
        const copied = await inPauses(levelSourceOf(geometry, range, sets, inCells), isOver, this.#pauses);
        if (copied === null) return this.#settle(part);
        const levels = this.#ask(geometry, copied, (some) => this.#take(part, some, weighed));
        made = { revision: part.revision, range, inCells, sets: weighed, levels };
        all.push(made);
      }
      const asked = made;
      asked.levels
        .then((levels) => this.#take(part, levels, weighed))
        .catch((error) => {
          // Another scene may try again.
          byGeometry.delete(geometry);
          this.#fail(part, error);
        })
        .finally(() => this.#settle(part));
    } catch (error) {
      this.#fail(part, error);
      this.#settle(part);
    }
  }

  async #ask(
    geometry: BufferGeometry,
    { source, names }: CopiedSource,
    take: (levels: Levels) => void,
  ): Promise<Levels> {
    const isTrusted = this.#make === makeInWorker;
    const drawable = async (levels: Levels): Promise<Levels> =>
      (await inPauses(drawableLevels(levels, names, isTrusted), () => false)) as Levels;
    // Levels that do not fit are refused when all have come.
    const some = (levels: Levels): void => void drawable(levels).then(take, () => {});
    return drawable(await this.#make(source, geometry, some));
  }

  /** Takes levels of a part, unless the part already has as many. */
  #take(part: LeveledPart, levels: Levels, weighed: number): void {
    if (this.#isDisposed || part.isOld) return;
    const before = part.weighed === weighed ? part.levels : null;
    if (before !== null && before.counts.length >= levels.counts.length) return;
    part.levels = levels;
    part.weighed = weighed;
    if (levels.counts.length > 0) this.made.add(part);
    this.#tell();
  }

  #fail(part: LeveledPart, error: unknown): void {
    if (this.#isDisposed || part.isOld) return;
    part.hasFailed = true;
    if (!this.#hasWarned) console.warn('accelerate: levels of detail could not be made:', error);
    this.#hasWarned = true;
  }

  #settle(part: LeveledPart): void {
    part.making = NO_SETS;
    this.#inFlight -= part.triangles;
    if (this.#isDisposed) return;
    void this.#run();
  }
}

function newWeakMap(): WeakMap<BufferGeometry, Made[]> {
  return new WeakMap();
}

/** True for a part of a geometry with enough triangles for levels to spare enough. */
function mayBeEnough({ known }: LeveledPart): boolean {
  return known.indexCount >= 3 * TRIANGLES;
}
