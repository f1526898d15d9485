import { ROW } from '../Rows.js';
import type { Tree } from '../Tree.js';
import type { CellNodes } from './CellNodes.js';

/**
 * Brings a tree of cells back to `maxDepth` levels below its top. Where cells lie deeper, because others were put
 * between, the cell at the last level takes over their rows, unchanged, and the deeper cells are removed.
 *
 * Only cells on the way to one that is too deep are visited, and moving a row changes a few links, so a cell put
 * between costs little even where thousands of items are below it.
 */
export function liftCells(tree: Tree, cells: CellNodes, maxDepth: number, capacity: number): void {
  const { nodes } = tree;
  // Known heights are upper bounds: a cell that is not too deep by them is not too deep.
  const visited = [cells.top];
  const depths = [0];
  for (let i = 0; i < visited.length; i++) {
    const node = visited[i];
    if (depths[i] === maxDepth) {
      takeOver(tree, cells, node);
      cells.setLimit(node, Math.max(capacity, 2 * nodes.entries[node]));
      continue;
    }
    const depth = depths[i] + 1;
    for (let child = cells.firstCell(node); child >= 0; child = nodes.next[child]) {
      if (depth + cells.heightOf(child) <= maxDepth) continue;
      visited.push(child);
      depths.push(depth);
    }
  }
  for (let i = visited.length - 1; i >= 0; i--) cells.measure(visited[i]);
}

/** Moves all rows below a cell directly under it, and removes the cells they were in. */
function takeOver(tree: Tree, cells: CellNodes, node: number): void {
  const { nodes } = tree;
  const below: number[] = [];
  for (let cell = node, i = 0; cell !== undefined; cell = below[i++]) {
    for (let child = cells.firstCell(cell); child >= 0; child = nodes.next[child]) below.push(child);
  }
  for (const cell of below) {
    for (let child = nodes.first[cell]; child >= 0 && nodes.row[child] >= 0; child = nodes.first[cell]) {
      nodes.unlink(child);
      nodes.link(child, node, true);
    }
  }
  for (let i = below.length - 1; i >= 0; i--) {
    nodes.unlink(below[i]);
    nodes.free(below[i]);
  }
  for (let child = nodes.first[node], next = -1; child >= 0; child = next) {
    next = nodes.next[child];
    tree.rows.dirty[nodes.row[child]] = 1;
    if (tree.multiple) dropRepeated(tree, child);
  }
}

/** Removes the entries of a row whose items have another one under the same node. */
function dropRepeated(tree: Tree, child: number): void {
  const { nodes, rows } = tree;
  const row = nodes.row[child];
  const node = nodes.parent[child];
  const before = rows.sizes[row];
  const start = ROW * row;
  // From the end: the last entry takes the slot of one that is removed.
  for (let slot = start + before - 1; slot >= start; slot--) {
    const { nextSlot } = rows;
    let other = nextSlot[slot];
    while (other >= 0 && other !== slot && tree.nodeOf(other) !== node) other = nextSlot[other];
    if (other >= 0 && other !== slot) rows.remove(slot);
  }
  if (rows.sizes[row] === before) return;
  nodes.countUp(child, rows.sizes[row] - before);
  if (rows.sizes[row] > 0) tree.tightenRow(row);
  else tree.dropRow(child);
}
