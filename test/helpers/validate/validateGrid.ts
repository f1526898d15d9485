import { BOX, isBounded } from '../../../src/core/box.js';
import { ROW } from '../../../src/core/rowLayout.js';
import { type GridCells, LEVELS } from '../../../src/trees/grid/GridCells.js';
import { ROOT } from '../../../src/trees/Nodes.js';
import type { Tree } from '../../../src/trees/Tree.js';

/** Problems with the cells of a grid, in words: how they are linked in the tree, and what is placed in them. */
export function validateGrid(tree: Tree, cells: GridCells): string[] {
  const { nodes } = tree;
  const problems: string[] = [];
  let count = 0;
  let roots = 0;
  // A corrupt tree is reported elsewhere; here it must not make the walk endless.
  const seen = new Set<number>([ROOT]);
  for (const node of seen) {
    for (let child = nodes.first[node]; child >= 0 && !seen.has(child); child = nodes.next[child]) {
      seen.add(child);
      if (nodes.row[child] >= 0) {
        checkRow(tree, cells, node, nodes.row[child], problems);
        continue;
      }
      count++;
      if (node === ROOT) roots++;
      const level = cells.levels[child];
      const [x, y, z] = cells.places.subarray(3 * child, 3 * child + 3);
      if (cells.find(level, x, y, z) !== child) problems.push(`cell ${child} is not found at its place`);
      const parent =
        level < cells.top ? cells.find(level + 1, Math.floor(x / 2), Math.floor(y / 2), Math.floor(z / 2)) : ROOT;
      if (parent !== node)
        problems.push(`cell ${child} hangs below ${node}, not below ${parent}, of which it is a part`);
    }
  }
  if (count !== cells.count) problems.push(`${cells.count} cells are noted, but ${count} are in the tree`);
  if (roots !== cells.roots) problems.push(`${cells.roots} cells are said to hang under the root, but ${roots} do`);
  return problems;
}

function checkRow(tree: Tree, cells: GridCells, node: number, row: number, problems: string[]): void {
  const { rows } = tree;
  const box = new Float64Array(BOX);
  for (let slot = row * ROW; slot < row * ROW + rows.sizes[row]; slot++) {
    rows.read(slot, box, 0);
    if (!belongs(cells, node, box)) problems.push(`item ${rows.itemAt(slot)} is not to be in cell ${node}`);
  }
}

/**
 * True when an item may be in a cell. An item that moves within the box of its row stays there, and that box may reach
 * half a cell beyond the cell, apart from rounding: so the item is at most twice as large as the cell, and its centre
 * lies in the cell or in a neighbour.
 */
function belongs(cells: GridCells, node: number, box: Float64Array): boolean {
  if (node === ROOT) return cells.levelOf(box, 0) === LEVELS;
  if (!isBounded(box)) return false;
  const { places, levels } = cells;
  const level = levels[node];
  // Rounding may make the item a little larger than the cells of the next level.
  if (cells.levelOf(box, 0) > level + 2 || (level > 0 && cells.isTooSmall(level, box))) return false;
  for (let c = 0; c < 3; c++) {
    if (c === 1 && cells.planar) continue;
    if (Math.abs(cells.placeOf(level, box, c) - places[3 * node + c]) > 1) return false;
  }
  return true;
}
