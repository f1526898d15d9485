import { copyBox } from '../../core/box.js';
import { grow } from '../../core/grow.js';
import type { SpatialIndex } from '../../structures/contract/SpatialIndex.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Entries that have new bounds, for the index to be told of all at once. */
export class MovedEntries {
  /** Null behind the first {@link count}. Its room is kept: an array that grows anew each time costs more than to fill it. */
  readonly records: (ObjectRecord | null)[] = [];
  count = 0;
  #ids = new Int32Array(64);
  #boxes = new Float64Array(6 * 64);

  /** Notes the bounds of an entry; they are copied. */
  add(record: ObjectRecord, box: Float64Array): void {
    const n = this.count++;
    if (n === this.#ids.length) {
      this.#ids = grow(this.#ids, n + 1);
      this.#boxes = grow(this.#boxes, 6 * this.#ids.length);
    }
    this.#ids[n] = record.id;
    copyBox(box, 0, this.#boxes, 6 * n);
    if (n < this.records.length) this.records[n] = record;
    else this.records.push(record);
  }

  /** Tells the index, and forgets them. The last bounds of an entry count. Entries that have gone meanwhile are left out. */
  flush(index: SpatialIndex): void {
    if (this.count === 0) return;
    const ids = this.#ids;
    const boxes = this.#boxes;
    let n = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.records[i]?.id !== ids[i]) continue;
      if (n < i) {
        ids[n] = ids[i];
        copyBox(boxes, 6 * i, boxes, 6 * n);
      }
      n++;
    }
    this.records.fill(null, 0, this.count);
    this.count = 0;
    if (n > 0) index.updateAll(ids.subarray(0, n), boxes.subarray(0, 6 * n));
  }
}
