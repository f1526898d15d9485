import { ROW } from '../../core/storage/Rows.js';
import type { Tree } from '../../core/storage/Tree.js';
import { EntryBuffer } from './EntryBuffer.js';
import { eachPart } from './packRows.js';

/** Most rows packed at a time, which bounds the time it takes. */
const MOST = 256;

/**
 * Packs rows of one node anew, in place: all of them, or part of a long list, with the row of `child`. Entries are
 * divided among rows as a build would do it, and rows left over are dropped. Returns the number of entries.
 */
export function repackRows(tree: Tree, child: number): number {
  const { nodes, rows } = tree;
  const node = nodes.parent[child];
  const members = membersFrom(tree, child);
  taken.clear();
  for (const member of members) taken.takeAll(rows, nodes.row[member]);
  const { count } = taken;
  let next = 0;
  eachPart(taken.boxes, taken.order, 0, count, (from, to) => taken.fill(tree, members[next++], from, to));
  for (; next < members.length; next++) tree.dropRow(members[next]);
  nodes.tighten(node);
  return count;
}

/** The row nodes that are packed together with `child`, in their order. */
function membersFrom({ nodes }: Tree, child: number): number[] {
  const head = nodes.first[nodes.parent[child]];
  let first = child;
  for (let steps = 1; first !== head && steps < MOST; steps++) first = nodes.prev[first];
  // A list that is too long is packed in parts; this one begins with `child`.
  if (first !== head) first = child;
  const members: number[] = [];
  for (let c = first; c >= 0 && nodes.row[c] >= 0 && members.length < MOST; c = nodes.next[c]) members.push(c);
  return members;
}

const taken = /* @__PURE__ */ new EntryBuffer(MOST * ROW);
