import { BOX, contains, ROW } from '../../../src/core/box.js';
import type { ItemIds } from '../../../src/core/ids.js';
import { ROOT } from '../../../src/trees/Nodes.js';
import type { Rows } from '../../../src/trees/Rows.js';
import { Tree } from '../../../src/trees/Tree.js';

/** Problems in the storage that all structures share, in words; empty if it is sound. */
export function validateTree(tree: Tree, ids: ItemIds): string[] {
  const problems: string[] = [];
  const entriesOf = new Map<number, number[]>();
  const reached = walkNodes(tree, problems, entriesOf);
  checkEntries(tree, ids, entriesOf, problems);
  const { nodes, rows } = tree;
  let used = 0;
  for (let row = 0; row < rows.count; row++) if (rows.sizes[row] > 0) used++;
  const freeRows = countFreeRows(rows);
  if (used + freeRows !== rows.count) {
    problems.push(`${rows.count} rows were handed out, but ${used} are in use and ${freeRows} are free`);
  }
  let free = 0;
  for (let node = nodes.firstFree; node >= 0; node = nodes.next[node]) free++;
  if (reached + free !== nodes.count) {
    problems.push(`${nodes.count} nodes were handed out, but ${reached} are in the tree and ${free} are free`);
  }
  return problems;
}

/** The length of the list of free rows, or -1 when the list is broken. */
function countFreeRows({ nodes, sizes, firstFree, count }: Rows): number {
  let n = 0;
  for (let row = firstFree; row >= 0; row = nodes[row]) if (sizes[row] !== 0 || ++n > count) return -1;
  return n;
}

/** Walks the whole tree, checks links, boxes and counts, and collects the entries of each item. */
function walkNodes(tree: Tree, problems: string[], entriesOf: Map<number, number[]>): number {
  const { nodes, rows } = tree;
  const seen = new Set<number>();
  const order: number[] = [];
  const pending = [[ROOT, 0]];
  while (pending.length > 0) {
    const [node, depth] = pending.pop() as [number, number];
    if (seen.has(node)) {
      problems.push(`node ${node} is reached twice`);
      continue;
    }
    seen.add(node);
    order.push(node);
    if (depth > Tree.MAX_HEIGHT) problems.push(`node ${node} lies ${depth} steps below the root`);
    const row = nodes.row[node];
    if (row >= 0) {
      checkRow(tree, node, row, problems, entriesOf);
      continue;
    }
    if (node !== ROOT && nodes.first[node] < 0) problems.push(`node ${node} is empty`);
    let previous = -1;
    let rowsEnded = false;
    const siblings = new Set<number>();
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) {
      if (siblings.has(child)) {
        problems.push(`the list of ${node} comes back to ${child}`);
        break;
      }
      siblings.add(child);
      if (nodes.parent[child] !== node) problems.push(`node ${child} below ${node} has parent ${nodes.parent[child]}`);
      if (previous >= 0 && nodes.prev[child] !== previous)
        problems.push(`node ${child} does not point back at ${previous}`);
      if (nodes.row[child] < 0) rowsEnded = true;
      else if (rowsEnded) problems.push(`row node ${child} comes behind inner nodes of ${node}`);
      if (!contains(nodes.box, BOX * node, nodes.box, BOX * child)) {
        problems.push(`the box of node ${node} does not hold that of its child ${child}`);
      }
      previous = child;
      pending.push([child, depth + 1]);
    }
    if (previous >= 0 && nodes.prev[nodes.first[node]] !== previous)
      problems.push(`the list of ${node} has a wrong end`);
  }
  // Children come after their parents in `order`, so the counts can be added up from its end.
  const sums = new Map<number, number>();
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i];
    const own = nodes.row[node] >= 0 ? rows.sizes[nodes.row[node]] : (sums.get(node) ?? 0);
    if (nodes.copies[node] !== own) problems.push(`node ${node} counts ${nodes.copies[node]} entries, but has ${own}`);
    sums.set(nodes.parent[node], (sums.get(nodes.parent[node]) ?? 0) + own);
  }
  return seen.size;
}

function checkRow(tree: Tree, node: number, row: number, problems: string[], entriesOf: Map<number, number[]>): void {
  const { nodes, rows } = tree;
  const size = rows.sizes[row];
  if (size < 1 || size > ROW) problems.push(`row ${row} has ${size} entries`);
  if (rows.nodes[row] !== node) problems.push(`row ${row} belongs to node ${rows.nodes[row]}, but hangs at ${node}`);
  const box = new Float64Array(BOX);
  for (let seat = row * ROW; seat < row * ROW + size; seat++) {
    const id = rows.itemAt(seat);
    if (rows.ids[seat] >= 0 !== (rows.firstSeat[id] === seat)) {
      problems.push(`entry ${seat} of item ${id} is ${rows.ids[seat] >= 0 ? '' : 'not '}marked as the primary one`);
    }
    rows.read(seat, box, 0);
    if (!contains(nodes.box, BOX * node, box, 0))
      problems.push(`the box of row ${row} does not hold that of item ${id}`);
    const seats = entriesOf.get(id);
    if (seats) seats.push(seat);
    else entriesOf.set(id, [seat]);
  }
}

/** Checks that the chain of each live item names exactly the entries that the tree holds for it. */
function checkEntries(tree: Tree, ids: ItemIds, entriesOf: Map<number, number[]>, problems: string[]): void {
  const { rows } = tree;
  for (const [id, seats] of entriesOf) {
    if (!ids.has(id)) problems.push(`item ${id} has entries, but is not live`);
    if (seats.length > 1 && !tree.multiple) problems.push(`item ${id} has ${seats.length} entries`);
    const chain: number[] = [];
    for (
      let s = rows.firstSeat[id];
      s >= 0 && !chain.includes(s) && chain.length <= seats.length;
      s = rows.nextSeat[s]
    ) {
      chain.push(s);
    }
    // One entry stands alone; several form a ring.
    const end = chain.length === 1 ? -1 : chain[0];
    if (rows.nextSeat[chain[chain.length - 1]] !== end) problems.push(`the entries of item ${id} form no ring`);
    if (chain.length !== seats.length || !seats.every((seat) => chain.includes(seat))) {
      problems.push(`item ${id} has entries at ${seats.join(' ')}, but names ${chain.join(' ')}`);
    }
    const box = new Float64Array(BOX);
    const other = new Float64Array(BOX);
    rows.read(seats[0], box, 0);
    for (const seat of seats) {
      rows.read(seat, other, 0);
      if (other.some((value, c) => value !== box[c])) problems.push(`item ${id} has different boxes in its entries`);
    }
  }
  if (entriesOf.size !== ids.size) problems.push(`${ids.size} items are live, but ${entriesOf.size} have entries`);
}

/** Problems with a list, in words: any node that is not a row. */
export function validateList({ nodes }: Tree): string[] {
  const { count, parent, row } = nodes;
  const problems: string[] = [];
  for (let node = ROOT + 1; node < count; node++) {
    if (parent[node] >= 0 && row[node] < 0) problems.push(`node ${node} of the list is no row`);
  }
  return problems;
}
