import { BoxIndex } from '../contract/BoxIndex.js';
import { NO_BOXES, NO_IDS, type Structure } from '../contract/Structure.js';
import { BOX, copyBox, ROW, unite } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import type { IdList, ItemIds } from '../core/ids.js';
import { readOptions } from '../core/options.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import { packedNearest, packedRaycast } from './byDistance.js';
import { packedOverlap } from './overlap.js';
import { PackedItems } from './PackedItems.js';
import type { PackedQueryState } from './PackedQueryState.js';
import { NOWHERE } from './PackedRows.js';
import { Upkeep } from './Upkeep.js';

/** Options of {@link Packed}. */
export interface PackedOptions {
  /** Sort items by X and Z alone, for worlds that are wide and flat. Default false. */
  planar?: boolean;
}

const PACKED_DEFAULTS: Required<PackedOptions> = { planar: false };

/**
 * The default structure, and the fastest for most scenes: a packed R-tree.
 *
 * Boxes are sorted along a Hilbert curve, and kept in order while items move (Kamel and Faloutsos, On Packing R-trees,
 * 1993). Queries test the boxes in single precision, and test boxes in doubt again in double precision.
 *
 * @example
 * ```ts
 * import { Packed } from 'three-scene-index/core';
 *
 * const index = new Packed();
 * const id = index.add([0, 0, 0, 1, 1, 1]);
 * console.log(index.queryPoint(0.5, 0.5, 0.5).toArray()); // [id]
 * ```
 */
export class Packed extends BoxIndex {
  readonly #structure: PackedStructure;

  /** @throws TypeError or RangeError that names the option. */
  constructor(options: PackedOptions = {}) {
    const { planar } = readOptions(options, PACKED_DEFAULTS, 'Packed');
    const structure = new PackedStructure(planar);
    super(structure);
    this.#structure = structure;
  }

  override updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>, max?: ArrayLike<number>): void {
    // If a kernel does not accept the arguments, `BoxIndex` checks them and names the fault.
    const isSound = this.#structure.items.state.kernel?.verify(ids, boxes, max);
    if (isSound) this.#structure.moveAll(ids, boxes as Float32Array, max as Float32Array | undefined);
    // In either case `super.updateAll` increments the version.
    if (isSound) super.updateAll(NO_IDS, NO_BOXES);
    else super.updateAll(ids, boxes, max as ArrayLike<number>);
  }
}

/** When at least this share of all items moves, all rows are refitted, and no item is tested against its row. */
const MOVING_SHARE = 0.4;

/**
 * Rows follow the curve, with room to spare. An item that moves within the box of its row costs one write. Other items
 * go to the row of their new position on the curve or to a row nearby, or widen their row. Around a full row, as many
 * rows as needed share their items evenly, as in a packed-memory array (Bender, Demaine and Farach-Colton,
 * Cache-Oblivious B-Trees, 2005); when all rows are too full, everything is rebuilt.
 */
export class PackedStructure implements Structure {
  readonly name = 'packed';
  readonly items: PackedItems;
  readonly ids: ItemIds;
  readonly counters: PackedQueryState;
  readonly upkeep: Upkeep;

  constructor(planar: boolean) {
    this.items = new PackedItems(planar);
    this.ids = this.items.ids;
    this.counters = this.items.state;
    this.upkeep = new Upkeep(this.items);
  }

  get isBounded(): boolean {
    return this.items.rows.outsideCount === 0;
  }

  insert(id: number, box: Float64Array): void {
    this.items.rows.setBox(id, box, 0);
    this.items.insert(id);
    this.upkeep.note(1);
  }

  insertAll(boxes: Float64Array): Int32Array {
    const ids = this.ids.allocAll(boxes.length / BOX);
    // Per item, inserting costs a few times as much as a rebuild.
    if (ids.length > this.ids.size >> 2) this.arrange(ids, boxes);
    else if (ids.length > 0) {
      this.items.insertAll(ids, boxes);
      this.upkeep.note(ids.length);
    }
    return ids;
  }

  move(id: number, box: Float64Array): void {
    this.items.rows.setBox(id, box, 0);
    this.items.move(id);
    this.upkeep.note(1);
  }

  moveAll(ids: ArrayLike<number>, boxes: Float64Array | Float32Array, max?: Float32Array): void {
    if (ids.length === 0) return;
    const { items, upkeep } = this;
    const areMost = ids.length > ROW && ids.length >= MOVING_SHARE * this.ids.size;
    items.moveAll(ids, boxes, areMost, max);
    if (areMost) upkeep.refitAll();
    else upkeep.note(ids.length);
  }

  /** The frame and the curve move with the items, so items keep their rows. */
  translate(x: number, y: number, z: number, ids: Int32Array, boxes: Float64Array): void {
    this.items.rows.frame.shift(x, y, z);
    this.items.curve.shift(x, y, z);
    this.moveAll(ids, boxes);
  }

  remove(id: number): void {
    this.items.remove(id);
    this.upkeep.note(1);
  }

  removeAll(ids: Int32Array): void {
    this.items.removeAll(ids);
    this.upkeep.note(ids.length);
  }

  arrange(newIds: Int32Array, newBoxes: Float64Array): void {
    this.items.arrange(newIds, newBoxes);
  }

  maintain(budget: number): boolean {
    return this.upkeep.run(budget);
  }

  clear(): void {
    this.items.clear();
  }

  read(id: number, out: Float64Array): void {
    copyBox(this.items.rows.boxes, BOX * id, out, 0);
  }

  uniteAll(out: Float64Array): void {
    const { boxes, seats } = this.items.rows;
    for (let id = 0; id < this.ids.limit; id++) if (seats[id] !== NOWHERE) unite(out, 0, boxes, BOX * id);
  }

  overlap(volume: Volume, out: IdList): void {
    packedOverlap(volume, this.counters, out);
  }

  classify(planes: PlanesVolume, intersecting: IdList, inside: IdList): void {
    packedOverlap(planes, this.counters, intersecting, inside);
  }

  raycast(ray: Ray, count: number, out: Hits): void {
    packedRaycast(ray, count, this.counters, out);
  }

  nearest(point: PointDistance, count: number, out: Hits): void {
    packedNearest(point, count, this.counters, out);
  }
}
