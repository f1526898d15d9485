import { BOX, isBounded, ROW } from '../../../src/core/box.js';
import { CELL, octantCell } from '../../../src/trees/cells.js';
import { ROOT } from '../../../src/trees/Nodes.js';
import type { CellNodes } from '../../../src/trees/octree/CellNodes.js';
import type { PlacementRule } from '../../../src/trees/octree/placement.js';
import type { Tree } from '../../../src/trees/Tree.js';

/** Share of the top cell by which rounding may have moved the borders of a cell below it, see cells.ts. */
const ROUNDING = 2 ** -50;

/** Problems with the cells of a tree, in words: how they lie in each other, and what is placed in them. */
export function validateCells(tree: Tree, cells: CellNodes, rule: PlacementRule, maxDepth: number): string[] {
  const { nodes, rows } = tree;
  const problems: string[] = [];
  const box = new Float64Array(BOX);
  const inOctant = new Float64Array(CELL);
  const widened = new Float64Array(CELL);
  const pending = cells.top < 0 ? [] : [cells.top];
  const depths = new Map<number, number>();
  const rounding = cells.top < 0 ? 0 : ROUNDING * cells.cells[CELL * cells.top + 3];
  for (let row = 0; row < rows.count; row++) {
    if (nodes.parent[rows.nodes[row]] !== ROOT) continue;
    for (let seat = row * ROW; seat < row * ROW + rows.sizes[row]; seat++) {
      rows.read(seat, box, 0);
      if (isBounded(box)) problems.push(`item ${rows.itemAt(seat)} is bounded, but in no cell`);
    }
  }
  if (cells.height > maxDepth) problems.push(`the cells know of ${cells.height} levels, more than ${maxDepth}`);
  while (pending.length > 0) {
    const node = pending.pop() as number;
    const taken = new Set<number>();
    const items = new Set<number>();
    for (let i = 0; i < CELL; i++) widened[i] = cells.cells[CELL * node + i];
    widened[3] += rounding;
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      const row = nodes.row[child];
      if (row >= 0) {
        for (let seat = row * ROW; seat < row * ROW + rows.sizes[row]; seat++) {
          rows.read(seat, box, 0);
          if (items.has(rows.itemAt(seat))) problems.push(`item ${rows.itemAt(seat)} is in cell ${node} twice`);
          items.add(rows.itemAt(seat));
          if (!belongs(tree, cells, rule, node, box, widened))
            problems.push(`item ${rows.itemAt(seat)} is not to be in cell ${node}`);
        }
        continue;
      }
      pending.push(child);
      const depth = (depths.get(node) ?? 0) + 1;
      depths.set(child, depth);
      if (depth > maxDepth) problems.push(`cell ${child} lies ${depth} levels below the top, more than ${maxDepth}`);
      if (!cells.isDivided(node)) problems.push(`cell ${node} has a child, but is not divided`);
      if (cells.heights[node] <= cells.heights[child])
        problems.push(`cell ${node} knows of ${cells.heights[node]} levels below it, but ${child} has as many`);
      const octant = cells.octantIn(node, child);
      if (taken.has(octant)) problems.push(`cell ${node} has two children in octant ${octant}`);
      taken.add(octant);
      octantCell(cells.cells, CELL * node, octant, inOctant, 0);
      if (!isNested(inOctant, cells.cells, CELL * child, rounding))
        problems.push(`cell ${child} sticks out of its octant of ${node}`);
    }
  }
  return problems;
}

/** `widened` is the cell of the node, plus as much as rounding may account for. */
function belongs(
  tree: Tree,
  cells: CellNodes,
  rule: PlacementRule,
  node: number,
  box: Float64Array,
  widened: Float64Array,
): boolean {
  const sinks = cells.isDivided(node) && rule.octants(cells.cells, CELL * node, box, 0) !== 0;
  // If items have several entries, each cell holds only a part of an item.
  if (sinks || tree.multiple) return !sinks;
  return rule.keeps(widened, 0, box);
}

/** True when the cell `b` at p lies within the cell `a` at 0, give or take `rounding`. */
function isNested(a: Float64Array, b: Float64Array, p: number, rounding: number): boolean {
  const slack = a[3] - b[p + 3] + rounding;
  const deep = Math.abs(b[p + 1] - a[1]) <= slack;
  const flat = b[p + 1] === a[1];
  return Math.abs(b[p] - a[0]) <= slack && (flat || deep) && Math.abs(b[p + 2] - a[2]) <= slack;
}
