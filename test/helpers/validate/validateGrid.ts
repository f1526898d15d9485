import { BOX, isBounded, ROW } from '../../../src/core/box.js';
import { ADDRESS, type GridLayout, keyOf, TIERS } from '../../../src/trees/grid/Grid.js';
import { ROOT } from '../../../src/trees/Nodes.js';

/** Level, x, y and z of the cell of a node. */
export type Place = [level: number, x: number, y: number, z: number];

export function placeOf({ addresses: places }: GridLayout, node: number): Place {
  return [...places.subarray(ADDRESS * node, ADDRESS * (node + 1))] as unknown as Place;
}

/** Problems with the cells of a grid, in words: how they are linked in the tree, and what is placed in them. */
export function validateGrid(grid: GridLayout): string[] {
  const { cells, tree } = grid;
  const { nodes } = tree;
  const problems: string[] = [];
  let count = 0;
  // A corrupt tree is reported elsewhere; here it must not make the walk endless.
  const seen = new Set<number>([ROOT]);
  for (const node of seen) {
    for (let child = nodes.first[node]; child >= 0 && !seen.has(child); child = nodes.next[child]) {
      seen.add(child);
      if (nodes.row[child] >= 0) {
        checkRow(grid, node, nodes.row[child], problems);
        continue;
      }
      count++;
      const [level, x, y, z] = placeOf(grid, child);
      if (cells.get(keyOf(level, x, y, z)) !== child) problems.push(`cell ${child} is not found at its place`);
      const above = keyOf(level + 1, Math.floor(x / 2), Math.floor(y / 2), Math.floor(z / 2));
      const parent = level + 1 < TIERS ? cells.get(above) : ROOT;
      if (parent !== node)
        problems.push(`cell ${child} hangs below ${node}, not below ${parent}, of which it is a part`);
    }
  }
  if (count !== cells.size) problems.push(`${cells.size} cells are noted, but ${count} are in the tree`);
  return problems;
}

function checkRow(grid: GridLayout, node: number, row: number, problems: string[]): void {
  const { rows } = grid.tree;
  const box = new Float64Array(BOX);
  for (let seat = row * ROW; seat < row * ROW + rows.sizes[row]; seat++) {
    rows.read(seat, box, 0);
    if (!belongs(grid, node, box)) problems.push(`item ${rows.itemAt(seat)} is not to be in cell ${node}`);
  }
}

/**
 * True when an item may be in a cell. An item that moves within the box of its row stays there, and that box may reach
 * half a cell beyond the cell, apart from rounding: so the item is at most twice as large as the cell, and its centre
 * lies in the cell or in a neighbour.
 */
function belongs(grid: GridLayout, node: number, box: Float64Array): boolean {
  const at = new Float64Array(ADDRESS);
  grid.locate(box, 0, at);
  if (node === ROOT) return at[0] === TIERS;
  if (!isBounded(box)) return false;
  const [level, ...place] = placeOf(grid, node);
  // Rounding may make the item a little larger than the cells of the next level.
  if (at[0] > level + 2 || at[0] < level - 1) return false;
  const edge = grid.edge * 2 ** level;
  return place.every((at, c) => {
    if (c === 1 && grid.ordersByGround) return true;
    return Math.abs(Math.floor((box[c] + box[c + 3]) / 2 / edge) - at) <= 1;
  });
}
