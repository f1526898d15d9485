import { BOX, offsetOf, ROW } from '../../../src/core/box.js';
import type { PackedItems } from '../../../src/packed/PackedItems.js';
import { NOWHERE, type PackedRows } from '../../../src/packed/PackedRows.js';

/** Problems in a packed structure, in words. */
export function validatePacked({ rows, ids }: PackedItems): string[] {
  const problems: string[] = [];
  let found = 0;
  for (let row = 0; row < rows.count; row++) {
    found += checkRow(rows, row, problems);
    if (row > 0 && rows.firstKeys[row] < rows.firstKeys[row - 1])
      problems.push(`row ${row} begins before row ${row - 1}`);
  }
  if (rows.count > 0 && rows.firstKeys[0] !== 0) problems.push(`the first row begins at ${rows.firstKeys[0]}`);
  for (let h = 0, count = rows.count; h < rows.top; h++, count = Math.ceil(count / 4))
    checkLevel(rows, h, count, problems);
  for (let i = 0; i < rows.outsideCount; i++, found++) {
    const id = rows.outside[i];
    if (rows.seats[id] !== -3 - i)
      problems.push(`item ${id} is outside of rows, but is said to be at ${rows.seats[id]}`);
    if (rows.measure(id)) problems.push(`item ${id} could be in a row`);
  }
  if (found !== ids.size) problems.push(`${ids.size} items are live, but ${found} are in rows or outside of them`);
  for (let id = 0; id < rows.seats.length; id++) {
    const isThere = rows.seats[id] >= 0 || rows.seats[id] < NOWHERE - 1;
    if (isThere !== ids.has(id))
      problems.push(`item ${id} is ${isThere ? 'kept, but not live' : 'live, but not kept'}`);
  }
  return problems;
}

/** Checks the items of a row, and that its box holds them; returns how many there are. */
function checkRow(rows: PackedRows, row: number, problems: string[]): number {
  const size = rows.sizes[row];
  if (size > ROW) problems.push(`row ${row} has ${size} items`);
  for (let seat = ROW * row; seat < ROW * row + Math.min(size, ROW); seat++) {
    const id = rows.ids[seat];
    if (rows.seats[id] !== seat) problems.push(`item ${id} is in seat ${seat}, but is said to be at ${rows.seats[id]}`);
    if (!rows.measure(id)) problems.push(`item ${id} reaches too far for a row`);
    const at = offsetOf(seat);
    for (let c = 0; c < BOX; c++) {
      if (rows.rows[at + 4 * c] !== rows.roundedBox[c])
        problems.push(`seat ${seat} does not have the box of item ${id}`);
    }
    if (!rows.holds(row)) problems.push(`the box of row ${row} does not hold that of item ${id}`);
  }
  return size;
}

/** Checks that each box of a level is held by that above it. */
function checkLevel(rows: PackedRows, h: number, count: number, problems: string[]): void {
  const { tiers: levels, starts } = rows;
  for (let n = 0; n < count; n++) {
    const inner = starts[h] + offsetOf(n);
    const outer = starts[h + 1] + offsetOf(n >> 2);
    for (let c = 0; c < 12; c += 4) {
      if (levels[inner + c] < levels[outer + c] || levels[inner + c + 12] > levels[outer + c + 12]) {
        problems.push(`box ${n >> 2} of level ${h + 1} does not hold box ${n} of the level below`);
        break;
      }
    }
  }
}
