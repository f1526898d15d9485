import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { grow } from '../core/arrays.js';
import { BOX, copyBox, makeEmpty, unite } from '../core/box.js';
import { IdList } from '../core/ids.js';
import { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import { packedOverlapBy } from '../packed/overlap.js';
import type { PackedStructure } from '../packed/Packed.js';
import type { PackedRows } from '../packed/PackedRows.js';
import type { OcclusionBuffer } from './OcclusionBuffer.js';

/** What is asked of a buffer. */
type Buffer = Pick<OcclusionBuffer, 'guest' | 'isHidden'>;

/** Boxes, or runs of them, that are asked about as one. */
const FAN = 16;

/**
 * Finds the items that `queryPlanes` finds and the buffer does not hide, in the same order. Items that are never to be
 * hidden are not known here: whoever has some asks for them besides.
 * @param runs Memory to work with, for whoever asks often.
 */
export function queryVisible(
  index: SpatialIndex,
  planes: ArrayLike<number>,
  buffer: Buffer,
  out: IdList = new IdList(),
  runs: BoxRuns = new BoxRuns(),
): IdList {
  const structure = structureOf(index, 'queryVisible');
  const { guest } = buffer;
  if (structure.name === 'packed' && guest !== null) {
    const { rows, state } = (structure as PackedStructure).items;
    volume.set(planes, 'queryVisible');
    if (packedOverlapBy(guest, rows, volume, state, out)) {
      addOutside(rows, buffer, out);
      return out;
    }
  }
  index.queryPlanes(planes, out);
  const boxes = runs.reserve(out.length);
  for (let i = 0; i < out.length; i++) {
    structure.read(out.ids[i], box);
    copyBox(box, 0, boxes, BOX * i);
  }
  out.length = runs.keepVisible(buffer, out);
  return out;
}

/** Appends the items in no row that are within planes and not hidden. */
function addOutside({ boxes, outside, outsideCount }: PackedRows, buffer: Buffer, out: IdList): void {
  const list = out.reserve(outsideCount);
  for (let i = 0; i < outsideCount; i++) {
    const o = BOX * outside[i];
    if (volume.node(boxes, o, volume.all) >= 0 && !buffer.isHidden(boxes, o)) list[out.length++] = outside[i];
  }
}

/**
 * Boxes in the order in which a structure found them, and boxes around runs of them. What a structure finds one after the
 * other mostly lies together, so a run that is hidden spares the questions for all in it: the buffer hides no box around
 * others unless it hides each of them, so the answers are those of asking about each.
 */
export class BoxRuns {
  /** The boxes, then those around runs of 16, then those around runs of 16 of these, and so on. */
  readonly #levels: Float64Array[] = [];
  readonly #counts: number[] = [];

  /** Room for so many boxes, to be filled before anything is asked. */
  reserve(count: number): Float64Array {
    this.#counts.length = 0;
    let n = count;
    for (let level = 0; level === 0 || n > 1; level++) {
      if (level > 0) n = Math.ceil(n / FAN);
      this.#counts.push(n);
      const room = this.#levels[level] ?? new Float64Array(BOX * FAN);
      this.#levels[level] = room.length < BOX * n ? grow(room, BOX * n) : room;
    }
    return this.#levels[0];
  }

  /** Drops the ids whose boxes are hidden; returns how many are left. */
  keepVisible(buffer: Buffer, ids: IdList): number {
    for (let level = 1; level < this.#counts.length; level++) this.#unite(level);
    const top = this.#counts.length - 1;
    let kept = 0;
    for (let i = 0; i < this.#counts[top]; i++) kept = this.#walk(buffer, ids.ids, top, i, kept);
    return kept;
  }

  #unite(level: number): void {
    const below = this.#levels[level - 1];
    const boxes = this.#levels[level];
    const count = this.#counts[level - 1];
    for (let i = 0; i < this.#counts[level]; i++) {
      makeEmpty(boxes, BOX * i);
      const end = Math.min(count, FAN * (i + 1));
      for (let k = FAN * i; k < end; k++) unite(boxes, BOX * i, below, BOX * k);
    }
  }

  #walk(buffer: Buffer, ids: Int32Array, level: number, i: number, kept: number): number {
    if (buffer.isHidden(this.#levels[level], BOX * i, level > 0)) return kept;
    if (level === 0) {
      ids[kept] = ids[i];
      return kept + 1;
    }
    let n = kept;
    const end = Math.min(this.#counts[level - 1], FAN * (i + 1));
    for (let k = FAN * i; k < end; k++) n = this.#walk(buffer, ids, level - 1, k, n);
    return n;
  }
}

const box = new Float64Array(BOX);
const volume = /* @__PURE__ */ new PlanesVolume();
