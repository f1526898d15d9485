import { type BufferGeometry, Object3D } from 'three';
import { getOrMake, lengthen } from '../../core/arrays.js';
import { geometryOf } from '../bounds/worldBounds.js';
import { type GeometryFacts, geometryFacts } from '../facts/GeometryFacts.js';
import { BONE, isSame, MANAGED, type ObjectRecord } from '../objects/ObjectRecord.js';

/** References kept of each object: itself, its parent's record, its geometry, `raycast` and `matrix`. */
const REFS = 5;
/** Bits kept of each: its bounds depend on nothing but its shape and world matrix; its `frustumCulled`. */
const PLAIN = 1;
const CULLED = 2;
/** Most objects that are looked at before those found are dealt with. */
export const LONGEST = 64;
/** A page has 2^12 slots. Where there are more objects there are more pages, so that growing copies one page at most. */
const PAGE_BITS = 12;
const LAST = 2 ** PAGE_BITS - 1;
/** Room of the first page of a scene without objects yet. */
const FEWEST = 64;
/** Numbers kept of each object: position, quaternion and scale; and three rows of its world matrix, by columns. */
const LOCAL = 10;
const WORLD = 12;

/** All pages of what the objects of a scene were like. */
export class LastLooks {
  readonly geometries: UsedGeometries = new UsedGeometries();
  /** What {@link LastLook.list} found: slots of plain objects, and `~slot` of all others. */
  readonly found: Int32Array = new Int32Array(LONGEST);
  /** The slot behind the last one that it looked at. */
  foundTo = 0;
  #pages: LastLook[] = [];

  /** The page that has a slot. */
  at(slot: number): LastLook {
    return this.#pages[slot >> PAGE_BITS];
  }

  /** Adds an object at the slot behind all others. */
  add(record: ObjectRecord): void {
    const pages = this.#pages.length;
    if (record.slot >> PAGE_BITS === pages) this.#addPage(pages > 0 ? LAST + 1 : FEWEST);
    this.at(record.slot).add(record);
  }

  /** Moves what is kept at these slots to the slots from 0 on, and forgets the rest. */
  arrange(slots: readonly number[]): void {
    const before = this.#pages;
    // In place where all stay in order, as when some between them have gone.
    const isInOrder = slots.every((from, i) => i === 0 || from > slots[i - 1]);
    if (!isInOrder) {
      this.#pages = [];
      for (let more = slots.length; more > 0; more -= LAST + 1) this.#addPage(Math.min(more, LAST + 1));
    }
    slots.forEach((from, to) => {
      this.at(to).copy(to, before[from >> PAGE_BITS], from);
    });
    if (isInOrder) this.#forgetFrom(slots.length);
  }

  #addPage(room: number): void {
    this.#pages.push(new LastLook(this, room));
  }

  /** Forgets what is kept at a slot and behind it; room on its page stays. */
  #forgetFrom(slot: number): void {
    const page = slot >> PAGE_BITS;
    this.#pages.length = Math.min(this.#pages.length, page + 1);
    this.#pages[page]?.forgetFrom(slot & LAST);
  }

  clear(): void {
    this.#pages = [];
    this.geometries.clear();
  }
}

/**
 * What objects that may move were like at the last update, by slot: those of one page. Kept side by side in memory, so that an
 * unchanged object is passed without reading its record.
 */
export class LastLook {
  readonly #all: LastLooks;
  #refs: unknown[];
  #childCounts: Int32Array;
  #bits: Uint8Array;
  #local: Float64Array;
  #world: Float64Array;

  /** @param room Number of objects that there is room for. */
  constructor(all: LastLooks, room: number) {
    this.#all = all;
    this.#refs = new Array(REFS * room).fill(null);
    this.#childCounts = new Int32Array(room);
    this.#bits = new Uint8Array(room);
    this.#local = new Float64Array(LOCAL * room);
    this.#world = new Float64Array(WORLD * room);
  }

  #doubleRoom(): void {
    const room = Math.min(2 * this.#bits.length, LAST + 1);
    this.#childCounts = lengthen(this.#childCounts, room);
    const known = this.#refs.length;
    this.#refs.length = REFS * room;
    this.#refs.fill(null, known);
    this.#bits = lengthen(this.#bits, room);
    this.#local = lengthen(this.#local, LOCAL * room);
    this.#world = lengthen(this.#world, WORLD * room);
  }

  /** Adds an object at a slot. It counts as changed until something is kept of it. */
  add({ slot, object }: ObjectRecord): void {
    const i = slot & LAST;
    if (i === this.#bits.length) this.#doubleRoom();
    this.#refs[REFS * i] = object;
    this.#childCounts[i] = object.children.length;
    this.#world[WORLD * i] = Number.NaN;
  }

  remove(slot: number): void {
    const r = REFS * (slot & LAST);
    const geometry = this.#refs[r + 2] as BufferGeometry | null;
    if (geometry !== null) this.#all.geometries.drop(geometry);
    this.#refs.fill(null, r, r + REFS);
  }

  /** Forgets what is kept at a place and behind it. */
  forgetFrom(i: number): void {
    this.#refs.fill(null, REFS * i);
  }

  /** Keeps at a slot what a page keeps at another. */
  copy(slot: number, page: LastLook, from: number): void {
    const i = slot & LAST;
    const o = from & LAST;
    for (let r = 0; r < REFS; r++) this.#refs[REFS * i + r] = page.#refs[REFS * o + r];
    this.#childCounts[i] = page.#childCounts[o];
    this.#bits[i] = page.#bits[o];
    for (let c = 0; c < LOCAL; c++) this.#local[LOCAL * i + c] = page.#local[LOCAL * o + c];
    for (let c = 0; c < WORLD; c++) this.#world[WORLD * i + c] = page.#world[WORLD * o + c];
  }

  /**
   * Lists in `found` the slots from `from` to `end` - 1, {@link LONGEST} at most and none of the next page, whose objects are not known to be
   * unchanged, and returns their number. Of plain objects, which have no children either, nothing but the matrices can
   * have changed.
   *
   * An object is unchanged when three makes both its matrices from position, quaternion, scale and parent, and none of
   * these changed, nor did anything that its bounds or traits depend on. The world matrix is compared as well, as other
   * code may have written it, or updated it while the object was elsewhere for a moment. So by induction over the
   * hierarchy every world matrix is what three would make now. With `asIs` only the world matrix counts, as it is not made;
   * then what is above may have changed `since` an earlier pass.
   *
   * Objects are listed first and dealt with afterwards, as a processor that guesses wrong whether one has moved loses
   * what it has begun to read of the next.
   */
  list(from: number, end: number, since: number, asIs: boolean): number {
    const { found } = this.#all;
    const refs = this.#refs;
    const haveShapesChanged = this.#all.geometries.changed.size > 0;
    const last = Math.min(end - 1, from | LAST);
    let count = 0;
    let slot = from;
    try {
      for (; slot <= last; slot++) {
        const i = slot & LAST;
        const hasNewShape = haveShapesChanged && this.#hasNewShape(i);
        const object = refs[REFS * i] as Object3D | null;
        if (object === null) continue;
        const isKnown = !hasNewShape && this.#isKnown(i, object);
        if (isKnown && (asIs || (refs[REFS * i + 1] as ObjectRecord).changed < since)) {
          if ((asIs || this.#localUnchanged(i, object)) && !this.worldChanged(slot, object)) continue;
        }
        const isAloneHere = isKnown && !asIs && (this.#bits[i] & PLAIN) !== 0 && isAlone(object);
        found[count++] = isAloneHere ? slot : ~slot;
      }
    } catch {
      // A getter threw: reported when the object is measured.
      found[count++] = ~slot++;
    }
    this.#all.foundTo = slot;
    return count;
  }

  /** Keeps everything but the matrices. Call it once changes of bounds and traits have been handled. */
  snapshotRefs(record: ObjectRecord): void {
    const { slot, object, parent, hasInstances, shape } = record;
    const refs = this.#refs;
    const i = slot & LAST;
    const r = REFS * i;
    let geometry: BufferGeometry | null = null;
    // An object without a parent here never counts as unchanged: so the number of instances is read each time.
    let known = hasInstances ? null : parent;
    try {
      geometry = geometryOf(object);
    } catch {
      known = null;
    }
    if (geometry !== refs[r + 2]) {
      if (geometry !== null) this.#all.geometries.use(geometry);
      if (refs[r + 2] !== null) this.#all.geometries.drop(refs[r + 2] as BufferGeometry);
    }
    const isPlain = shape !== null && !record.has(MANAGED | BONE);
    this.#bits[i] = (isPlain ? PLAIN : 0) | (object.frustumCulled ? CULLED : 0);
    refs[r + 1] = known;
    refs[r + 2] = geometry;
    refs[r + 3] = object.raycast;
    refs[r + 4] = object.matrix;
  }

  /**
   * Keeps the transforms of an object; true when its world matrix is not the one that was kept. Unless three makes its
   * matrices of these alone, and has just made them, they count as changed from now on.
   */
  snapshotTransforms(record: ObjectRecord, asIs: boolean): boolean {
    const { slot, object, parent } = record;
    const hasMoved = this.worldChanged(slot, object);
    this.#keep(slot, object);
    const isMadeOfThese =
      !asIs &&
      object.matrixAutoUpdate &&
      object.matrixWorldAutoUpdate &&
      !object.pivot &&
      !record.has(MANAGED) &&
      (parent === null ? object.parent === null : isSame(object.parent, parent.object));
    // NaN equals nothing. It stands in the rotation, which also tells whether an object only shifted.
    if (!isMadeOfThese) this.#local[LOCAL * (slot & LAST) + 3] = Number.NaN;
    return hasMoved;
  }

  /**
   * Keeps the transforms of a plain object that {@link list} found, once its matrices are made of them. Returns false when
   * it only shifted: as long as rotation, scale and everything above are as they were, nothing but the position of the
   * world matrix can differ.
   */
  keepMoved(slot: number, object: Object3D, since: number): boolean {
    const { position: p, quaternion: q, scale: s, matrixWorld } = object;
    const local = this.#local;
    const i = slot & LAST;
    const o = LOCAL * i;
    // biome-ignore format: aligned lines show the symmetry
    const isTurned = q.x !== local[o + 3] || q.y !== local[o + 4] || q.z !== local[o + 5] || q.w !== local[o + 6]
        || s.x !== local[o + 7] || s.y !== local[o + 8] || s.z !== local[o + 9]
        || (this.#refs[REFS * i + 1] as ObjectRecord).changed >= since;
    if (isTurned) {
      this.#keep(slot, object);
      return true;
    }
    local[o] = p.x;
    local[o + 1] = p.y;
    local[o + 2] = p.z;
    const e = matrixWorld.elements;
    for (let row = 0; row < 3; row++) this.#world[WORLD * i + 9 + row] = e[12 + row];
    return false;
  }

  #keep(slot: number, { position: p, quaternion: q, scale: s, matrixWorld: { elements: e } }: Object3D): void {
    const local = this.#local;
    const i = slot & LAST;
    const o = LOCAL * i;
    local[o] = p.x;
    local[o + 1] = p.y;
    local[o + 2] = p.z;
    local[o + 3] = q.x;
    local[o + 4] = q.y;
    local[o + 5] = q.z;
    local[o + 6] = q.w;
    local[o + 7] = s.x;
    local[o + 8] = s.y;
    local[o + 9] = s.z;
    const w = this.#world;
    // `set` takes long to copy a plain array.
    for (let to = WORLD * i, from = 0; from < 16; from += 4, to += 3) {
      w[to] = e[from];
      w[to + 1] = e[from + 1];
      w[to + 2] = e[from + 2];
    }
    // The fourth row is not kept: whatever follows a projective matrix counts as another.
    if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1) w[WORLD * i] = Number.NaN;
  }

  /** True when the world matrix of an object is not the one kept; one with NaN in it, or a projective one, always differs. */
  worldChanged(slot: number, { matrixWorld: { elements: e } }: Object3D): boolean {
    const w = this.#world;
    const k = WORLD * (slot & LAST);
    // Written out, as with a loop a pass takes a third longer; the position first, as it changes most often.
    // biome-ignore format: a column of the matrix to a line
    return e[12] !== w[k + 9] || e[13] !== w[k + 10] || e[14] !== w[k + 11] || e[15] !== 1
        || e[0] !== w[k] || e[1] !== w[k + 1] || e[2] !== w[k + 2] || e[3] !== 0
        || e[4] !== w[k + 3] || e[5] !== w[k + 4] || e[6] !== w[k + 5] || e[7] !== 0
        || e[8] !== w[k + 6] || e[9] !== w[k + 7] || e[10] !== w[k + 8] || e[11] !== 0;
  }

  /** Takes account of an event: an object got so many children more; NaN leaves 0, which only a list without any has. */
  countChildren(slot: number, more: number): void {
    this.#childCounts[slot & LAST] += more;
  }

  /** How many children of an object are known. */
  knownChildren(slot: number): number {
    return this.#childCounts[slot & LAST];
  }

  #hasNewShape(i: number): boolean {
    return this.#all.geometries.changed.has(this.#refs[REFS * i + 2] as BufferGeometry);
  }

  /** True when nothing but the matrices of an object may have changed, and three makes them as it does by default. */
  #isKnown(i: number, object: Object3D): boolean {
    const refs = this.#refs;
    const r = REFS * i;
    const parent = refs[r + 1] as ObjectRecord | null;
    if (parent === null || parent.has(MANAGED)) return false;
    return (
      object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
      object.matrixAutoUpdate &&
      object.matrixWorldAutoUpdate &&
      !object.matrixWorldNeedsUpdate &&
      isSame(object.parent, parent.object) &&
      !this.hasOtherTraits(i, object) &&
      object.matrix === refs[r + 4] &&
      object.children.length === this.#childCounts[i] &&
      geometryOf(object) === refs[r + 2] &&
      !object.pivot
    );
  }

  /** True when an object has another `raycast`, or another `frustumCulled`, than was kept. */
  hasOtherTraits(slot: number, { raycast, frustumCulled }: Object3D): boolean {
    const i = slot & LAST;
    return raycast !== this.#refs[REFS * i + 3] || Boolean(frustumCulled) !== ((this.#bits[i] & CULLED) !== 0);
  }

  /**
   * True when three would make the local matrix of an object from what it made it of before. Of the matrix itself, which
   * three would make anew whatever was written there, only the position is compared: comparing all of it would cost more
   * than making it.
   */
  #localUnchanged(i: number, object: Object3D): boolean {
    const local = this.#local;
    const o = LOCAL * i;
    const p = object.position;
    // The position changes most often: what moves is told by it alone.
    if (p.x !== local[o] || p.y !== local[o + 1] || p.z !== local[o + 2]) return false;
    const q = object.quaternion;
    const s = object.scale;
    const { elements } = object.matrix;
    // biome-ignore format: aligned lines show the symmetry
    return q.x === local[o + 3] && q.y === local[o + 4] && q.z === local[o + 5] && q.w === local[o + 6]
        && s.x === local[o + 7] && s.y === local[o + 8] && s.z === local[o + 9]
        && p.x === elements[12] && p.y === elements[13] && p.z === elements[14];
  }
}

/** True while nothing is below an object and its local matrix is made as by default. */
function isAlone({ children, updateMatrix }: Object3D): boolean {
  return children.length === 0 && updateMatrix === Object3D.prototype.updateMatrix;
}

interface Used {
  readonly facts: GeometryFacts;
  /** The stamp of its shape, as seen last. */
  stamp: number;
  /** Number of objects that have it. */
  users: number;
}

/** The geometries of a scene: each is checked for changes once, however many objects share it. */
class UsedGeometries {
  /** Geometries that changed between the last two calls of {@link findChanged}. */
  readonly changed: Set<BufferGeometry> = new Set();
  readonly #used = new Map<BufferGeometry, Used>();

  findChanged(): void {
    if (this.changed.size > 0) this.changed.clear();
    for (const used of this.#used.values()) {
      const stamp = readShape(used.facts);
      if (stamp === used.stamp) continue;
      used.stamp = stamp;
      this.changed.add(used.facts.geometry);
    }
  }

  /** One more object has the geometry. */
  use(geometry: BufferGeometry): void {
    getOrMake(this.#used, geometry, makeUsed).users++;
  }

  /** One object less has it. */
  drop(geometry: BufferGeometry): void {
    const used = this.#used.get(geometry) as Used;
    if (--used.users === 0) this.#used.delete(geometry);
  }

  clear(): void {
    this.changed.clear();
    this.#used.clear();
  }
}

function makeUsed(geometry: BufferGeometry): Used {
  const facts = geometryFacts(geometry);
  return { facts, stamp: readShape(facts), users: 0 };
}

/** NaN for a geometry that cannot be read, so that it differs each time and is measured, which reports the problem. */
function readShape(facts: GeometryFacts): number {
  try {
    return facts.lookAtShape();
  } catch {
    return Number.NaN;
  }
}
