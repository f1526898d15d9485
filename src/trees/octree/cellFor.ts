import { CELL, cellAround, doubleCell, octantCell, octantOf } from '../cells.js';
import { ROOT } from '../Nodes.js';
import type { PlacementRule } from '../PlacementRule.js';
import type { CellNodes } from './CellNodes.js';

/** The top cell, made or grown as needed to hold the box. */
export function topCellFor(cells: CellNodes, rule: PlacementRule, capacity: number, box: Float64Array): number {
  const { top } = cells;
  if (top < 0) {
    cellAround(box, cells.isPlanar, cell, 0);
    return cells.add(ROOT, cell, 0, capacity);
  }
  if (rule.fits(cells.cells, CELL * top, box, null)) return top;
  copyCell(cells.cells, CELL * top, cell);
  // Each round doubles the cell on the box's side, so it ends once the cell is a few times as large as both.
  while (!rule.fits(cell, 0, box, null)) {
    doubleCell(cell, 0, box[0] / 2 + box[3] / 2, box[1] / 2 + box[4] / 2, box[2] / 2 + box[5] / 2);
  }
  return cells.putAbove(top, cell);
}

/** The cell in an octant of `node` to which the item goes, made or grown as needed. */
export function cellInOctant(
  cells: CellNodes,
  rule: PlacementRule,
  capacity: number,
  node: number,
  octant: number,
  box: Float64Array,
): number {
  const child = cells.childIn(node, octant);
  cells.octantCell(node, octant, outer);
  if (child < 0) return cells.add(node, outer, 0, capacity);
  if (holdsItem(cells, rule, node, octant, child, box)) return child;
  // Go down from the octant towards the child as long as the item fits; it does not fit the child itself.
  const o = CELL * child;
  copyCell(outer, 0, cell);
  for (;;) {
    octantCell(cell, 0, octantOf(cell, 0, cells.cells[o], cells.cells[o + 1], cells.cells[o + 2]), smaller, 0);
    // Where borders are rounded, see cells.ts, an item may fit even a cell beside the child that is as small as the
    // child.
    const isAbove = smaller[3] > cells.cells[o + 3];
    if (!isAbove || !rule.fits(smaller, 0, box, outer)) return cells.putAbove(child, cell);
    copyCell(smaller, 0, cell);
  }
}

/** True when an item that goes to an octant of `node` can go to the child in it, which may be a smaller cell. */
export function holdsItem(
  cells: CellNodes,
  rule: PlacementRule,
  node: number,
  octant: number,
  child: number,
  box: Float64Array,
): boolean {
  cells.octantCell(node, octant, whole);
  return cells.cells[CELL * child + 3] === whole[3] || rule.fits(cells.cells, CELL * child, box, whole);
}

const cell = new Float64Array(CELL);
const outer = new Float64Array(CELL);
const smaller = new Float64Array(CELL);
const whole = new Float64Array(CELL);

function copyCell(from: Float64Array, o: number, to: Float64Array): void {
  for (let i = 0; i < CELL; i++) to[i] = from[o + i];
}
