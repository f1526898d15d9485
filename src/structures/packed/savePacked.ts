import { BOX, checkBox } from '../../core/box.js';
import { placeOf, ROW } from '../../core/storage/Rows.js';
import { restoreIds } from '../../core/storage/restoreIds.js';
import type { SavedIndex } from '../tree/SavedIndex.js';
import type { PackedStructure } from './PackedStructure.js';
import { treeOfRows } from './treeOfRows.js';
import { validatePacked } from './validatePacked.js';

/** Numbers saved of the frame and the curve, before the first keys of rows. */
const FIXED = 8;

/** What is saved of a packed structure: a list of rows, those in use first, then the items that are in no row. */
export function savePacked(structure: PackedStructure): SavedIndex {
  const { rows, ids, curve } = structure.items;
  const { boxes, ids: itemIds, sizes } = treeOfRows(rows).rows;
  const keys = rows.firstKeys.subarray(0, rows.count);
  return {
    structure: structure.name,
    options: structure.options,
    nextId: ids.next.slice(0, ids.limit),
    freeId: ids.firstFree,
    image: { children: Int32Array.of(sizes.length), sizes: Int32Array.from(sizes), ids: itemIds, boxes },
    state: Float64Array.of(rows.count, 0, 0, 0),
    ofNodes: Float64Array.of(...rows.frame.origin, rows.frame.scale, ...curve.low, curve.perUnit, ...keys),
  };
}

/** Fills an empty structure with what was saved, or throws. */
export function restorePacked(structure: PackedStructure, saved: SavedIndex, where: string): void {
  const { rows, ids, curve } = structure.items;
  const { image, state, ofNodes } = saved;
  const fail = (problem: string): never => {
    throw new RangeError(`${where}: ${problem}`);
  };
  const count = state[0];
  const rowCount = image.sizes.length;
  if (!(Number.isInteger(count) && count >= 0 && count <= rowCount)) fail(`${count} of ${rowCount} rows`);
  if (image.children.length !== 1 || image.children[0] !== rowCount) fail('the list of rows is broken');
  if (ofNodes.length !== FIXED + count) fail(`${ofNodes.length} numbers for ${count} rows`);
  const [originX, originY, originZ, scale] = ofNodes;
  const isFrame = Number.isFinite(originX + originY + originZ) && scale > 0 && Number.isInteger(Math.log2(scale));
  if (!isFrame || !ofNodes.subarray(4, FIXED).every(Number.isFinite)) fail('the frame is broken');
  restoreIds(ids, saved.nextId, saved.freeId, where);
  rows.resizeIds(ids.limit);
  rows.reset(count);
  rows.frame.origin.set(ofNodes.subarray(0, 3));
  rows.frame.scale = scale;
  curve.low.set(ofNodes.subarray(4, 7));
  curve.perUnit = ofNodes[7];
  for (let row = 0; row < count; row++) {
    const key = ofNodes[FIXED + row];
    if (!(Number.isInteger(key) && key >= 0 && key < 2 ** 30)) fail(`row ${row} begins at ${key}`);
    rows.firstKeys[row] = key;
  }
  const box = new Float64Array(BOX);
  for (let row = 0; row < rowCount; row++) {
    const size = image.sizes[row];
    if (!(size >= 0 && size <= ROW)) fail(`row ${row} has ${size} entries`);
    for (let slot = ROW * row; slot < ROW * row + size; slot++) {
      const id = image.ids[slot];
      if (!ids.has(id) || rows.slots[id] !== -1) fail(`slot ${slot} names item ${id}, which is not live or kept twice`);
      for (let c = 0; c < BOX; c++) box[c] = image.boxes[placeOf(slot) + 4 * c];
      checkBox(box, 0, where);
      rows.setBox(id, box, 0);
      if (row >= count) rows.addOutside(id);
      else if (rows.measure(id)) rows.give(row, id);
      else fail(`item ${id} reaches too far for a row`);
    }
  }
  structure.items.refit(0, count);
  const [problem] = validatePacked(structure.items);
  if (problem !== undefined) fail(problem);
}
