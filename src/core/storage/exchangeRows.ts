import { ROW, ROW_BOXES, type Rows } from './Rows.js';
import type { Tree } from './Tree.js';

/** Swaps a row of a tree with another one, or moves it to the place of a free one. */
export function exchangeRows(tree: Tree, row: number, to: number): void {
  const { rows } = tree;
  if (rows.sizes[to] === 0) unlinkFree(rows, to);
  exchange(rows, row, to);
  if (rows.sizes[row] === 0) rows.free(row);
  writeRowOf(tree, to);
  if (rows.sizes[row] > 0) writeRowOf(tree, row);
}

/** Updates the node of a row after the row has moved to number `row`. */
function writeRowOf({ nodes, rows }: Tree, row: number): void {
  const node = rows.nodes[row];
  nodes.row[node] = row;
  nodes.breakRuns(nodes.parent[node]);
}

function exchange(rows: Rows, a: number, b: number): void {
  const { boxes, sizes, dirty, nodes } = rows;
  const most = Math.max(sizes[a], sizes[b]);
  for (let k = 0; k < most; k++) exchangeEntries(rows, ROW * a + k, k < sizes[a], ROW * b + k, k < sizes[b]);
  for (let i = ROW_BOXES * a, j = ROW_BOXES * b, end = i + ROW_BOXES; i < end; i++, j++) {
    const coordinate = boxes[i];
    boxes[i] = boxes[j];
    boxes[j] = coordinate;
  }
  for (const array of [sizes, dirty, nodes]) {
    const value = array[a];
    array[a] = array[b];
    array[b] = value;
  }
}

/** Removes a row from the list of free rows. */
function unlinkFree(rows: Rows, row: number): void {
  const before = rows.nextSlot[ROW * row];
  const after = rows.nodes[row];
  if (before < 0) rows.firstFree = after;
  else rows.nodes[before] = after;
  if (after >= 0) rows.nextSlot[ROW * after] = before;
}

/** Swaps the entries of two slots, either of which may be empty, except for their boxes. */
function exchangeEntries(rows: Rows, a: number, hasA: boolean, b: number, hasB: boolean): void {
  const { ids, nextSlot, firstSlot } = rows;
  const ringA = hasA && nextSlot[a] >= 0;
  const ringB = hasB && nextSlot[b] >= 0;
  const beforeA = ringA ? rows.before(a) : -1;
  const beforeB = ringB ? rows.before(b) : -1;
  const id = ids[a];
  ids[a] = ids[b];
  ids[b] = id;
  // If the two are neighbours in one ring, links between them start and end at swapped slots: `other` translates them.
  const other = (slot: number): number => (slot === a ? b : slot === b ? a : slot);
  const next = nextSlot[a];
  nextSlot[a] = ringB ? other(nextSlot[b]) : -1;
  nextSlot[b] = ringA ? other(next) : -1;
  if (ringA) nextSlot[other(beforeA)] = b;
  if (ringB) nextSlot[other(beforeB)] = a;
  if (hasA && ids[b] >= 0) firstSlot[ids[b]] = b;
  if (hasB && ids[a] >= 0) firstSlot[ids[a]] = a;
}
