import { BOX } from '../core/box.js';
import { ROW } from '../core/Rows.js';
import type { Tree } from '../core/Tree.js';
import type { CellNodes } from './CellNodes.js';
import { CELL, isNested } from './cells.js';
import type { Filing } from './Filing.js';

/** Cells are exact down to this share of the top. */
const EXACT = 2 ** 50;

/** Problems with the cells of a tree, in words: how they lie in each other, and what is filed in them. */
export function validateCells(tree: Tree, cells: CellNodes, filing: Filing): string[] {
  const { nodes, rows } = tree;
  const problems: string[] = [];
  const box = new Float64Array(BOX);
  const octantCell = new Float64Array(CELL);
  const pending = cells.top < 0 ? [] : [cells.top];
  while (pending.length > 0) {
    const node = pending.pop() as number;
    const taken = new Set<number>();
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      const row = nodes.row[child];
      if (row >= 0) {
        for (let slot = row * ROW; slot < row * ROW + rows.sizes[row]; slot++) {
          rows.read(slot, box, 0);
          if (!belongs(tree, cells, filing, node, box))
            problems.push(`item ${rows.itemAt(slot)} is not to be in cell ${node}`);
        }
        continue;
      }
      pending.push(child);
      if (!cells.isDivided(node)) problems.push(`cell ${node} has a child, but is not divided`);
      const octant = cells.octantIn(node, child);
      if (taken.has(octant)) problems.push(`cell ${node} has two children in octant ${octant}`);
      taken.add(octant);
      cells.octantCell(node, octant, octantCell);
      // Where the top is so much larger, borders that go back to it are rounded, see cells.ts.
      const isRounded = cells.cells[CELL * cells.top + 3] > EXACT * cells.cells[CELL * child + 3];
      if (!isRounded && !isNested(octantCell, cells.cells, CELL * child))
        problems.push(`cell ${child} sticks out of its octant of ${node}`);
    }
  }
  return problems;
}

function belongs(tree: Tree, cells: CellNodes, filing: Filing, node: number, box: Float64Array): boolean {
  const sinks = cells.isDivided(node) && filing.octants(cells.cells, CELL * node, box, 0) !== 0;
  // Of an item with several entries each cell holds but a part.
  return !sinks && (tree.multiple || filing.keeps(cells.cells, CELL * node, box));
}
