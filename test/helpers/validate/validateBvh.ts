import { BOX, contains, isBounded, makeEmpty, ROW, unite } from '../../../src/core/box.js';
import { ROOT } from '../../../src/trees/Nodes.js';
import type { Tree } from '../../../src/trees/Tree.js';

/** Problems with the shape of a binary tree, in words. `outside` holds unbounded items. */
export function validateBvh(tree: Tree, outside: number): string[] {
  const { nodes } = tree;
  const problems: string[] = [];
  const tops = childrenOf(tree, ROOT);
  const top = tops.find((node) => node !== outside) ?? -1;
  if (tops.length > (outside < 0 ? 1 : 2)) problems.push(`the root has ${tops.length} children`);
  if (outside >= 0) checkOutside(tree, outside, problems);
  // Each node comes after its parent, so heights can be computed from the end.
  const order = top < 0 ? [] : [top];
  for (let i = 0; i < order.length && order.length <= nodes.count; i++) {
    if (nodes.row[order[i]] < 0) order.push(...childrenOf(tree, order[i]));
  }
  const heights = new Map<number, number>();
  for (const node of order.reverse()) {
    heights.set(node, 0);
    if (nodes.row[node] >= 0) checkBounded(tree, node, problems);
    else checkInner(tree, node, heights, problems);
  }
  // It may have had twice as many items.
  const height = heights.get(top) ?? 0;
  if (top >= 0 && height > 2 * Math.log2(2 * nodes.copies[ROOT]))
    problems.unshift(`the tree of ${nodes.copies[ROOT]} items is ${height} high`);
  return problems;
}

function checkInner(tree: Tree, node: number, heights: Map<number, number>, problems: string[]): void {
  const { box } = tree.nodes;
  const children = childrenOf(tree, node);
  if (children.length !== 2) problems.push(`node ${node} has ${children.length} children`);
  const below = children.map((child) => heights.get(child) ?? 0);
  heights.set(node, 1 + Math.max(...below));
  makeEmpty(scratch, 0);
  for (const child of children) unite(scratch, 0, box, BOX * child);
  if (!contains(scratch, 0, box, BOX * node)) problems.push(`the box of node ${node} is larger than its children`);
}

function checkBounded({ nodes, rows }: Tree, node: number, problems: string[]): void {
  const row = nodes.row[node];
  for (let seat = row * ROW; seat < row * ROW + rows.sizes[row]; seat++) {
    rows.read(seat, scratch, 0);
    if (!isBounded(scratch)) problems.push(`item ${rows.itemAt(seat)} is unbounded, but in row ${row}`);
  }
}

function checkOutside(tree: Tree, outside: number, problems: string[]): void {
  const { nodes, rows } = tree;
  if (nodes.parent[outside] !== ROOT) problems.push(`node ${outside} of unbounded items is not below the root`);
  for (const child of childrenOf(tree, outside)) {
    const row = nodes.row[child];
    if (row < 0) problems.push(`node ${outside} of unbounded items has an inner node`);
    for (let seat = row * ROW; seat < row * ROW + (rows.sizes[row] ?? 0); seat++) {
      rows.read(seat, scratch, 0);
      if (isBounded(scratch)) problems.push(`item ${rows.itemAt(seat)} is bounded, but among unbounded ones`);
    }
  }
}

/** The children of a node, at most as many as there are nodes: a corrupt list may be endless. */
function childrenOf({ nodes }: Tree, node: number): number[] {
  const found: number[] = [];
  for (let child = nodes.first[node]; child >= 0 && found.length < nodes.count; child = nodes.next[child])
    found.push(child);
  return found;
}

const scratch = new Float64Array(BOX);
