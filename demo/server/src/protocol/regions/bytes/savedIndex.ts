import { createIndex, type SpatialIndex, STRUCTURES } from 'three-scene-index/core';
import type { ByteReader } from './ByteReader.js';
import type { ByteWriter } from './ByteWriter.js';

/** Ids are below: a snapshot with others would fill the memory. */
const MOST_IDS = 2 ** 22;

/** Writes an index: the number of its structure, how many items it has, then id and box of each, ids ascending. */
export function writeIndex(writer: ByteWriter, index: SpatialIndex): void {
  const ids = index.queryPlanes([]).sort();
  writer.u32(STRUCTURES.indexOf(index.structure));
  writer.u32(ids.length);
  for (const id of ids) {
    writer.f64(id);
    writer.box(index.getBox(id, box));
  }
}

/** An index with the same items under the same ids, planar as the world is. */
export function readIndex(reader: ByteReader): SpatialIndex {
  const structure = STRUCTURES[reader.u32()];
  if (structure === undefined) throw new RangeError(`${reader.where}: no index has this structure`);
  const index = createIndex(structure, { planar: true });
  const boxes: number[] = [];
  const unused: number[] = [];
  for (let rest = reader.u32(); rest > 0; rest--) {
    const id = reader.count('no item has the id');
    const next = boxes.length / 6;
    if (!(id >= next && id < MOST_IDS)) throw new RangeError(`${reader.where}: item ${id} after ${next - 1}`);
    for (let c = 0; c < 6; c++) box[c] = reader.f64();
    // New ids count up from 0: those between go to items that are removed at once.
    for (let between = next; between < id; between++) {
      unused.push(between);
      boxes.push(...box);
    }
    boxes.push(...box);
  }
  index.addAll(boxes);
  index.removeAll(unused);
  return index;
}

const box = new Float64Array(6);
