import { type BufferGeometry, Object3D } from 'three';
import { getOrMake, lengthen } from '../../core/arrays.js';
import { geometryOf } from '../bounds/worldBounds.js';
import { type GeometryFacts, geometryFacts } from '../facts/GeometryFacts.js';
import { BONE, isSame, MANAGED, type ObjectRecord } from '../objects/ObjectRecord.js';

/** Number of references kept of each object: itself, its parent's record, its geometry, `raycast` and `matrix`. */
const REFS = 5;
/** Bits kept of each object: its bounds depend on its shape and world matrix alone; its `frustumCulled`. */
const PLAIN = 1;
const CULLED = 2;
/** Most objects that are compared before the changed objects among them are updated. */
export const MOST_FOUND = 64;
/** Each page holds 2^12 objects. More objects get more pages, so that growing copies one page at most. */
const PAGE_BITS = 12;
const PAGE_MASK = 2 ** PAGE_BITS - 1;
/** Room of the first page of a scene without objects. */
const FIRST_ROOM = 64;
/** Numbers kept of each object: position, quaternion and scale; and three rows of its world matrix, by columns. */
const LOCAL = 10;
const WORLD = 12;

/** All pages of the last known state of the objects that may move. */
export class LastLooks {
  readonly geometries: UsedGeometries = new UsedGeometries();
  /** Result of {@link LastLook.list}: walk indices of plain objects, and `~index` of all other objects. */
  readonly found: Int32Array = new Int32Array(MOST_FOUND);
  /** The walk index behind the last object that {@link LastLook.list} compared. */
  foundTo = 0;
  #pages: LastLook[] = [];

  /** The page that holds a walk index. */
  at(walkIndex: number): LastLook {
    return this.#pages[walkIndex >> PAGE_BITS];
  }

  /** Adds an object at the walk index behind all others. */
  add(record: ObjectRecord): void {
    const pages = this.#pages.length;
    if (record.walkIndex >> PAGE_BITS === pages) this.#addPage(pages > 0 ? PAGE_MASK + 1 : FIRST_ROOM);
    this.at(record.walkIndex).add(record);
  }

  /** Moves the state kept at the given walk indices to the indices from 0 on, and forgets all other state. */
  arrange(indices: readonly number[]): void {
    const before = this.#pages;
    // The pages are reused when all objects stay in order, as when some between them have gone.
    const isInOrder = indices.every((from, i) => i === 0 || from > indices[i - 1]);
    if (!isInOrder) {
      this.#pages = [];
      for (let more = indices.length; more > 0; more -= PAGE_MASK + 1) this.#addPage(Math.min(more, PAGE_MASK + 1));
    }
    indices.forEach((from, to) => {
      this.at(to).copy(to, before[from >> PAGE_BITS], from);
    });
    if (isInOrder) this.#forgetFrom(indices.length);
  }

  #addPage(room: number): void {
    this.#pages.push(new LastLook(this, room));
  }

  /** Forgets the state kept from a walk index on; room on its page stays. */
  #forgetFrom(walkIndex: number): void {
    const page = walkIndex >> PAGE_BITS;
    this.#pages.length = Math.min(this.#pages.length, page + 1);
    this.#pages[page]?.forgetFrom(walkIndex & PAGE_MASK);
  }

  clear(): void {
    this.#pages = [];
    this.geometries.clear();
  }
}

/** One page of the states at the last update, by walk index, side by side: no record of an unchanged object is read. */
export class LastLook {
  readonly #all: LastLooks;
  #refs: unknown[];
  #childCounts: Int32Array;
  #bits: Uint8Array;
  #local: Float64Array;
  #world: Float64Array;

  /** @param room Number of objects that the page has room for. */
  constructor(all: LastLooks, room: number) {
    this.#all = all;
    this.#refs = new Array(REFS * room).fill(null);
    this.#childCounts = new Int32Array(room);
    this.#bits = new Uint8Array(room);
    this.#local = new Float64Array(LOCAL * room);
    this.#world = new Float64Array(WORLD * room);
  }

  #doubleRoom(): void {
    const room = Math.min(2 * this.#bits.length, PAGE_MASK + 1);
    this.#childCounts = lengthen(this.#childCounts, room);
    const known = this.#refs.length;
    this.#refs.length = REFS * room;
    this.#refs.fill(null, known);
    this.#bits = lengthen(this.#bits, room);
    this.#local = lengthen(this.#local, LOCAL * room);
    this.#world = lengthen(this.#world, WORLD * room);
  }

  /** Adds an object at its walk index. The object counts as changed until its state is kept. */
  add({ walkIndex, object }: ObjectRecord): void {
    const i = walkIndex & PAGE_MASK;
    if (i === this.#bits.length) this.#doubleRoom();
    this.#refs[REFS * i] = object;
    this.#childCounts[i] = object.children.length;
    this.#world[WORLD * i] = Number.NaN;
  }

  remove(walkIndex: number): void {
    const r = REFS * (walkIndex & PAGE_MASK);
    const geometry = this.#refs[r + 2] as BufferGeometry | null;
    if (geometry !== null) this.#all.geometries.drop(geometry);
    this.#refs.fill(null, r, r + REFS);
  }

  /** Forgets the state kept from an index of this page on. */
  forgetFrom(i: number): void {
    this.#refs.fill(null, REFS * i);
  }

  /** Copies to a walk index the state that a page keeps at another walk index. */
  copy(walkIndex: number, page: LastLook, from: number): void {
    const i = walkIndex & PAGE_MASK;
    const o = from & PAGE_MASK;
    for (let r = 0; r < REFS; r++) this.#refs[REFS * i + r] = page.#refs[REFS * o + r];
    this.#childCounts[i] = page.#childCounts[o];
    this.#bits[i] = page.#bits[o];
    for (let c = 0; c < LOCAL; c++) this.#local[LOCAL * i + c] = page.#local[LOCAL * o + c];
    for (let c = 0; c < WORLD; c++) this.#world[WORLD * i + c] = page.#world[WORLD * o + c];
  }

  /**
   * Lists in `found` the objects that are not known to be unchanged, and returns their number. Objects are compared
   * from walk index `from` to `end` - 1, at most {@link MOST_FOUND} and none of the next page. An object found as plain
   * has no children, and nothing but its matrices can have changed.
   *
   * An object is unchanged when three makes both its matrices from position, quaternion, scale and parent, and neither
   * these nor any source of its bounds or traits changed. The world matrix is compared as well, as other code may have
   * written it, or updated it while the object was elsewhere for a moment. So by induction over the hierarchy every
   * world matrix equals the matrix that three would make now. With `asIs` no matrix is made, so only the world matrix
   * is compared. A parent counts as changed if a walk from number `since` on changed its world matrix.
   *
   * Objects are listed first and updated afterwards: a processor that mispredicts the branch for a moved object loses
   * its reads of the next objects.
   */
  list(from: number, end: number, since: number, asIs: boolean): number {
    const { found } = this.#all;
    const refs = this.#refs;
    const haveShapesChanged = this.#all.geometries.changed.size > 0;
    const last = Math.min(end - 1, from | PAGE_MASK);
    let count = 0;
    let walkIndex = from;
    try {
      for (; walkIndex <= last; walkIndex++) {
        const i = walkIndex & PAGE_MASK;
        const hasNewShape = haveShapesChanged && this.#hasNewShape(i);
        const object = refs[REFS * i] as Object3D | null;
        if (object === null) continue;
        const isKnown = !hasNewShape && this.#isKnown(i, object);
        if (isKnown && (asIs || (refs[REFS * i + 1] as ObjectRecord).changed < since)) {
          if ((asIs || this.#localUnchanged(i, object)) && !this.worldChanged(walkIndex, object)) continue;
        }
        const isAloneHere = isKnown && !asIs && (this.#bits[i] & PLAIN) !== 0 && isAlone(object);
        found[count++] = isAloneHere ? walkIndex : ~walkIndex;
      }
    } catch {
      // A getter threw: the error is reported when the object is measured.
      found[count++] = ~walkIndex++;
    }
    this.#all.foundTo = walkIndex;
    return count;
  }

  /** Keeps the state of an object except its matrices. Call it once changes of bounds and traits have been handled. */
  snapshotRefs(record: ObjectRecord): void {
    const { walkIndex, object, parent, hasInstances, shape } = record;
    const refs = this.#refs;
    const i = walkIndex & PAGE_MASK;
    const r = REFS * i;
    let geometry: BufferGeometry | null = null;
    // With null for a parent an object never counts as unchanged: so the number of instances is read each time.
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
   * Keeps the transforms of an object; true when its world matrix is not the one that was kept. Unless three makes the
   * matrices from these transforms alone, and has just made them, the transforms count as changed from now on.
   */
  snapshotTransforms(record: ObjectRecord, asIs: boolean): boolean {
    const { walkIndex, object, parent } = record;
    const hasMoved = this.worldChanged(walkIndex, object);
    this.#keep(walkIndex, object);
    const isMadeOfThese =
      !asIs &&
      object.matrixAutoUpdate &&
      object.matrixWorldAutoUpdate &&
      !object.pivot &&
      !record.has(MANAGED) &&
      (parent === null ? object.parent === null : isSame(object.parent, parent.object));
    // NaN equals nothing. In a component of the rotation it also keeps `keepMoved` from taking a turn for a shift.
    if (!isMadeOfThese) this.#local[LOCAL * (walkIndex & PAGE_MASK) + 3] = Number.NaN;
    return hasMoved;
  }

  /**
   * Keeps the transforms of a plain object that {@link list} found, once its matrices are made from them. Returns false
   * when the object only shifted: while rotation, scale and all ancestors are unchanged, only the position in the world
   * matrix can differ.
   */
  keepMoved(walkIndex: number, object: Object3D, since: number): boolean {
    const { position: p, quaternion: q, scale: s, matrixWorld } = object;
    const local = this.#local;
    const i = walkIndex & PAGE_MASK;
    const o = LOCAL * i;
    // biome-ignore format: aligned lines show the symmetry
    const isTurned = q.x !== local[o + 3] || q.y !== local[o + 4] || q.z !== local[o + 5] || q.w !== local[o + 6]
        || s.x !== local[o + 7] || s.y !== local[o + 8] || s.z !== local[o + 9]
        || (this.#refs[REFS * i + 1] as ObjectRecord).changed >= since;
    if (isTurned) {
      this.#keep(walkIndex, object);
      return true;
    }
    local[o] = p.x;
    local[o + 1] = p.y;
    local[o + 2] = p.z;
    const e = matrixWorld.elements;
    for (let row = 0; row < 3; row++) this.#world[WORLD * i + 9 + row] = e[12 + row];
    return false;
  }

  #keep(walkIndex: number, { position: p, quaternion: q, scale: s, matrixWorld: { elements: e } }: Object3D): void {
    const local = this.#local;
    const i = walkIndex & PAGE_MASK;
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
    // `set` is slow at copying a plain array.
    for (let to = WORLD * i, from = 0; from < 16; from += 4, to += 3) {
      w[to] = e[from];
      w[to + 1] = e[from + 1];
      w[to + 2] = e[from + 2];
    }
    // The fourth row is not kept: any matrix after a projective matrix counts as changed.
    if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1) w[WORLD * i] = Number.NaN;
  }

  /** True when an object's world matrix differs from the kept one. Projective matrices, or NaN, always differ. */
  worldChanged(walkIndex: number, { matrixWorld: { elements: e } }: Object3D): boolean {
    const w = this.#world;
    const k = WORLD * (walkIndex & PAGE_MASK);
    // Unrolled, as a loop makes the walk a third slower. The position comes first, as it changes most often.
    // biome-ignore format: a column of the matrix to a line
    return e[12] !== w[k + 9] || e[13] !== w[k + 10] || e[14] !== w[k + 11] || e[15] !== 1
        || e[0] !== w[k] || e[1] !== w[k + 1] || e[2] !== w[k + 2] || e[3] !== 0
        || e[4] !== w[k + 3] || e[5] !== w[k + 4] || e[6] !== w[k + 5] || e[7] !== 0
        || e[8] !== w[k + 6] || e[9] !== w[k + 7] || e[10] !== w[k + 8] || e[11] !== 0;
  }

  /** Counts an event: an object got `more` children. NaN leaves 0, which matches only an empty list. */
  countChildren(walkIndex: number, more: number): void {
    this.#childCounts[walkIndex & PAGE_MASK] += more;
  }

  /** The known number of an object's children. */
  knownChildren(walkIndex: number): number {
    return this.#childCounts[walkIndex & PAGE_MASK];
  }

  #hasNewShape(i: number): boolean {
    return this.#all.geometries.changed.has(this.#refs[REFS * i + 2] as BufferGeometry);
  }

  /** True when only an object's matrices may have changed, and three makes them by its own `updateMatrixWorld`. */
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

  /** True when an object's `raycast` or `frustumCulled` differs from the one kept. */
  hasOtherTraits(walkIndex: number, { raycast, frustumCulled }: Object3D): boolean {
    const i = walkIndex & PAGE_MASK;
    return raycast !== this.#refs[REFS * i + 3] || Boolean(frustumCulled) !== ((this.#bits[i] & CULLED) !== 0);
  }

  /**
   * True when three would make the local matrix of an object from the values that were kept. Only the position of the
   * present matrix is compared: three would overwrite the whole matrix anyway, and comparing all of it would cost more
   * than making it.
   */
  #localUnchanged(i: number, object: Object3D): boolean {
    const local = this.#local;
    const o = LOCAL * i;
    const p = object.position;
    // The position changes most often, so one comparison usually detects a moved object.
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

/** True for an object without children whose local matrix is made by the default method. */
function isAlone({ children, updateMatrix }: Object3D): boolean {
  return children.length === 0 && updateMatrix === Object3D.prototype.updateMatrix;
}

interface Used {
  readonly facts: GeometryFacts;
  /** The stamp of the geometry's shape, as last seen. */
  stamp: number;
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

  /** Counts one more object with the geometry. */
  use(geometry: BufferGeometry): void {
    getOrMake(this.#used, geometry, makeUsed).users++;
  }

  /** Counts one object less with the geometry. */
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

/** The shape stamp of a geometry; NaN if a getter throws, so that the object is measured and the problem reported. */
function readShape(facts: GeometryFacts): number {
  try {
    return facts.lookAtShape();
  } catch {
    return Number.NaN;
  }
}
