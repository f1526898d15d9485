import type { Counters } from '../contract/SpatialIndex.js';
import { BOX, ROW } from '../core/box.js';
import type { IdList } from '../core/ids.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { Volume } from '../core/shapes/Volume.js';
import { ROOT } from './Nodes.js';
import { seatsIn } from './rowTests.js';
import { Tree } from './Tree.js';

/** State shared by the queries of an index. No user code runs during a query, so queries never overlap. */
export class TreeQueryState implements Counters {
  /** Two integers for each depth on the way down; no row is deeper than MAX_HEIGHT. */
  readonly stack: Int32Array = new Int32Array(2 * (Tree.MAX_HEIGHT + 1));
  nodesVisited = 0;
  itemsTested = 0;

  beginQuery(): void {
    this.nodesVisited = this.itemsTested = 0;
  }
}

/** Fills `out` with the ids of all items that touch a volume; given `inside`, items wholly in the volume go there. */
export function overlap(tree: Tree, volume: Volume, walk: TreeQueryState, out: IdList): void;
export function overlap(tree: Tree, volume: PlanesVolume, walk: TreeQueryState, out: IdList, inside: IdList): void;
export function overlap(tree: Tree, volume: Volume, walk: TreeQueryState, out: IdList, inside: IdList = out): void {
  const { first, next, row, box } = tree.nodes;
  const { sizes } = tree.rows;
  const { stack } = walk;
  out.length = 0;
  inside.length = 0;
  let nodesVisited = 0;
  let itemsTested = 0;
  let top = 0;
  let node = ROOT;
  let mask = volume.all;
  for (;;) {
    // `node` is next in order; `mask` holds the conditions in doubt for its parent.
    const after = next[node];
    nodesVisited++;
    const doubt = volume.node(box, BOX * node, mask);
    if (doubt === 0) {
      appendAll(tree, node, inside);
    } else if (doubt > 0) {
      let child = first[node];
      // Skip to an only child without a test: its box adds nothing to the box of its parent.
      while (child >= 0 && next[child] < 0) {
        node = child;
        child = first[node];
      }
      const r = row[node];
      if (r >= 0) {
        itemsTested += sizes[r];
        appendTreeRow(tree, volume, r, doubt, out, inside);
      } else if (child >= 0) {
        stack[top++] = after;
        stack[top++] = mask;
        node = child;
        mask = doubt;
        continue;
      }
    }
    node = after;
    while (node < 0) {
      if (top === 0) {
        walk.nodesVisited = nodesVisited;
        walk.itemsTested = itemsTested;
        return;
      }
      mask = stack[--top];
      node = stack[--top];
    }
  }
}

/** Appends the items of a row that meet the conditions of a mask. */
function appendTreeRow(tree: Tree, volume: Volume, row: number, mask: number, out: IdList, inside: IdList): void {
  const { boxes, sizes } = tree.rows;
  let bits = seatsIn(volume, boxes, BOX * ROW * row, sizes[row], mask);
  if (inside !== out) {
    let whole = 0;
    for (let left = bits; left !== 0; left &= left - 1) {
      const seat = ROW * row + 31 - Math.clz32(left & -left);
      if (volume.node(boxes, BOX * seat, mask) === 0) whole |= left & -left;
    }
    append(tree, ROW * row, whole, inside);
    bits &= ~whole;
  }
  append(tree, ROW * row, bits, out);
}

/** Appends all items in and below a node, without a test. */
function appendAll(tree: Tree, top: number, out: IdList): void {
  const { first, next, parent, row } = tree.nodes;
  const { sizes, ids } = tree.rows;
  const list = out.reserve(tree.nodes.copies[top]);
  let n = out.length;
  let node = top;
  for (;;) {
    while (first[node] >= 0) node = first[node];
    const r = row[node];
    // The root of an empty tree has neither children nor a row.
    const end = r < 0 ? ROW * r : ROW * r + sizes[r];
    for (let seat = ROW * r; seat < end; seat++) {
      // Each id is written without a branch; the next id overwrites a negative one, of a copy that is not reported.
      const id = ids[seat];
      list[n] = id;
      n += 1 + (id >> 31);
    }
    while (node !== top && next[node] < 0) node = parent[node];
    if (node === top) break;
    node = next[node];
  }
  out.length = n;
}

/** Appends the items in the seats of the row at `seat` whose bits are set. */
function append(tree: Tree, seat: number, bits: number, out: IdList): void {
  if (bits === 0) return;
  const { ids } = tree.rows;
  const list = out.reserve(ROW);
  let n = out.length;
  for (let k = seat; bits !== 0; bits >>>= 1, k++) {
    // There is no branch: the next id overwrites a negative id, and an id whose bit is not set.
    list[n] = ids[k];
    n += bits & ~(ids[k] >> 31) & 1;
  }
  out.length = n;
}
