import type { Mesh, Object3D } from 'three';
import type { BatchGroup, DrawEntry, PassOrder } from './BatchGroup.js';
import { mayReorder } from './BatchGroup.js';
import { positionsId } from './KnownGeometry.js';

/** Positions are told apart by so many marks: with the same mark, places are compared for nothing. */
const MARKS = 1024;

/** The batches in which a pass draws some positions. */
interface Mark {
  pass: number;
  last: BatchGroup | null;
  readonly groups: BatchGroup[];
}

/**
 * Finds triangles that a pass draws both in a batch and in another way: from equal positions, with the same world matrix
 * bit for bit. A batch multiplies matrices in another order than an object drawn alone, so their depths would differ by
 * rounding. In two batches they are equal, but these may not be drawn in the order of their meshes.
 *
 * Places are hashed in each pass anew, but only of positions that are drawn in several ways.
 */
export class SameTriangles {
  readonly #marks: readonly Mark[] = Array.from({ length: MARKS }, () => ({ pass: -1, last: null, groups: [] }));
  #pass = -1;
  #order: PassOrder = 'material';
  readonly #alone: Mesh[] = [];
  /** Batches that may draw the same triangles as something that is drawn alone. */
  readonly #doubted = new Set<BatchGroup>();
  /** Batches that may draw the same triangles in another order than their meshes. */
  readonly #reordered = new Set<BatchGroup>();
  // Places of draws, in chains: the hash of each, and the first draw there, which has a batch and a slot, or else is alone.
  #heads: Int32Array = new Int32Array(4);
  #next: Int32Array = new Int32Array(1);
  #hashes: Int32Array = new Int32Array(1);
  #slots: Int32Array = new Int32Array(1);
  readonly #groups: (BatchGroup | null)[] = [];
  /** Whether all that is drawn at a place has to be drawn alone. */
  readonly #apart: boolean[] = [];
  #hasApart = false;

  begin(pass: number, order: PassOrder): void {
    this.#pass = pass;
    this.#order = order;
    this.#alone.length = 0;
    this.#doubted.clear();
    this.#reordered.clear();
  }

  /** Called for each draw that is listed in a batch. */
  addBatched(positions: number, group: BatchGroup): void {
    const mark = this.#marks[positions & (MARKS - 1)];
    if (mark.pass !== this.#pass || mark.last !== group) this.#addGroup(mark, group);
  }

  #addGroup(mark: Mark, group: BatchGroup): void {
    if (mark.pass !== this.#pass) mark.groups.length = 0;
    mark.pass = this.#pass;
    mark.last = group;
    if (mark.groups.includes(group)) return;
    for (const other of mark.groups) {
      if (mayReorder(other, group, this.#order)) this.#reordered.add(other).add(group);
    }
    mark.groups.push(group);
  }

  /** True for an object whose triangles may be those of a batch, once all batches are listed. */
  mayBeBatched(object: Object3D): boolean {
    return this.#groupsLike(object as Mesh).length > 0;
  }

  /** Called for each of these that is drawn alone. */
  addAlone(object: Object3D): void {
    this.#alone.push(object as Mesh);
    for (const group of this.#groupsLike(object as Mesh)) this.#doubted.add(group);
  }

  /** The batches that draw the same positions. */
  #groupsLike({ geometry }: Mesh): readonly BatchGroup[] {
    const position = geometry?.attributes?.position;
    const mark = position && this.#marks[positionsId(position) & (MARKS - 1)];
    return mark?.pass === this.#pass ? mark.groups : NONE;
  }

  /** Calls back with the draws in batches that have to be drawn alone in a list. */
  find(list: number, callback: (entry: DrawEntry) => void): void {
    const searched = new Set([...this.#doubted, ...this.#reordered]);
    if (searched.size === 0) return;
    let count = this.#alone.length;
    for (const group of this.#reordered) count += group.seen(list).ids.length;
    this.#clear(count);
    for (const [i, mesh] of this.#alone.entries()) {
      const hash = hashOf(positionsId(mesh.geometry.attributes.position), mesh.matrixWorld.elements, 12);
      this.#add(hash, i, null);
    }
    for (const group of this.#reordered) eachSlot(group, list, (slot, hash) => this.#add(hash, slot, group));
    if (this.#hasApart) {
      for (const group of searched) {
        eachSlot(group, list, (slot, hash) => {
          if (this.#isApart(hash, slot, group)) callback(group.entryAt(slot));
        });
      }
    }
    // They keep nothing alive.
    this.#alone.length = this.#groups.length = 0;
  }

  #clear(count: number): void {
    if (count > this.#next.length) {
      this.#next = new Int32Array(2 * count);
      this.#hashes = new Int32Array(2 * count);
      this.#slots = new Int32Array(2 * count);
      this.#heads = new Int32Array(2 ** Math.ceil(Math.log2(4 * count)));
    }
    this.#heads.fill(-1);
    this.#groups.length = this.#apart.length = 0;
    this.#hasApart = false;
  }

  /** Adds a draw, unless one of its batch has its place. Alone, or in two batches, all at that place are to be alone. */
  #add(hash: number, slot: number, group: BatchGroup | null): void {
    const head = hash & (this.#heads.length - 1);
    for (let place = this.#heads[head]; place >= 0; place = this.#next[place]) {
      if (this.#hashes[place] !== hash || !this.#isAt(place, slot, group)) continue;
      if (this.#groups[place] !== group) this.#apart[place] = this.#hasApart = true;
      return;
    }
    const place = this.#groups.length;
    this.#next[place] = this.#heads[head];
    this.#heads[head] = place;
    this.#hashes[place] = hash;
    this.#slots[place] = slot;
    this.#groups.push(group);
    this.#apart.push(group === null);
    this.#hasApart ||= group === null;
  }

  #isApart(hash: number, slot: number, group: BatchGroup): boolean {
    for (let place = this.#heads[hash & (this.#heads.length - 1)]; place >= 0; place = this.#next[place]) {
      if (this.#apart[place] && this.#hashes[place] === hash && this.#isAt(place, slot, group)) return true;
    }
    return false;
  }

  /** True for a draw with the world matrix of the first one at a place. */
  #isAt(place: number, slot: number, group: BatchGroup | null): boolean {
    const a = this.#meshOf(this.#slots[place], this.#groups[place]).matrixWorld.elements;
    const b = this.#meshOf(slot, group).matrixWorld.elements;
    for (let i = 0; i < 16; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  #meshOf(slot: number, group: BatchGroup | null): Mesh {
    return group === null ? this.#alone[slot] : group.entryAt(slot).owner.mesh;
  }
}

const NONE: readonly BatchGroup[] = [];

function eachSlot(group: BatchGroup, list: number, callback: (slot: number, hash: number) => void): void {
  const { ids, slots } = group.seen(list);
  const { positions, places } = slots;
  for (let i = 0; i < ids.length; i++) {
    const slot = ids.ids[i];
    callback(slot, hashOf(positions[slot], places, 3 * slot));
  }
}

const point = new Float64Array(3);
const words = new Int32Array(point.buffer);

/** Of positions, and of the translation of a world matrix. */
function hashOf(positions: number, translations: ArrayLike<number>, at: number): number {
  // Zeros of both signs are equal.
  for (let axis = 0; axis < 3; axis++) point[axis] = translations[at + axis] + 0;
  let hash = positions;
  for (let i = 0; i < 6; i++) hash = Math.imul(hash ^ words[i], 0x5bd1e995) ^ (hash >>> 13);
  return hash ^ (hash >>> 15);
}
