import type { Counters } from '../contract/SpatialIndex.js';
import { BOX, boxesTouch } from '../core/box.js';
import type { IdPairs } from '../core/IdPairs.js';
import { type BoxTree, FAN, LEAF } from './BoxTree.js';

/** Writes all pairs of items whose boxes touch to `out`, from its start, each once with the lower id first. */
export function joinSelf(tree: BoxTree, counters: Counters, out: IdPairs): void {
  joinBetween(tree, tree, counters, out);
  const { ids } = out;
  for (let i = 0; i < 2 * out.length; i += 2) {
    const a = ids[i];
    if (a <= ids[i + 1]) continue;
    ids[i] = ids[i + 1];
    ids[i + 1] = a;
  }
}

/**
 * Writes all pairs of an item of `tree` and an item of `other` whose boxes touch to `out`, from its start. If both are
 * the same tree, each pair is written once.
 */
export function joinBetween(tree: BoxTree, other: BoxTree, counters: Counters, out: IdPairs): void {
  out.length = 0;
  const isSelf = tree === other;
  const leaves = new Int32Array(other.leaves);
  for (let leaf = 0; leaf < tree.leaves; leaf++) {
    if (isSelf) pairsWithin(tree, leaf, counters, out);
    const count = touchingLeaves(other, isSelf ? leaf + 1 : 0, tree.nodes, BOX * leaf, counters, leaves);
    for (let i = 0; i < count; i++) pairsAcross(tree, leaf, other, leaves[i], counters, out);
  }
}

/** Lists the leaves from `from` on that touch the box at `o`; returns their number. */
function touchingLeaves(
  { nodes, starts, leaves }: BoxTree,
  from: number,
  box: Float64Array,
  o: number,
  counters: Counters,
  out: Int32Array,
): number {
  const minX = box[o];
  const minY = box[o + 1];
  const minZ = box[o + 2];
  const maxX = box[o + 3];
  const maxY = box[o + 4];
  const maxZ = box[o + 5];
  const top = starts.length - 1;
  let visited = 0;
  let n = 0;
  // All leaves before `leaf` are done, and `leaf` is the first leaf below a node of tier `height`.
  for (let leaf = from, height = 0; leaf < leaves; ) {
    while (height < top && (leaf & ((1 << (FAN * (height + 1))) - 1)) === 0) height++;
    for (;;) {
      const p = BOX * (starts[height] + (leaf >> (FAN * height)));
      visited++;
      // biome-ignore format: aligned lines show the symmetry
      if (!(nodes[p] <= maxX && nodes[p + 3] >= minX && nodes[p + 2] <= maxZ && nodes[p + 5] >= minZ
       && nodes[p + 1] <= maxY && nodes[p + 4] >= minY)) break;
      if (height === 0) {
        out[n++] = leaf;
        break;
      }
      height--;
    }
    leaf += 1 << (FAN * height);
  }
  counters.nodesVisited += visited;
  return n;
}

/** Lists the items of a leaf that touch the box at `o`; returns their number. */
function touchingItems(tree: BoxTree, leaf: number, box: Float64Array, o: number, near: Int32Array): number {
  const { boxes, count } = tree;
  const minX = box[o];
  const minY = box[o + 1];
  const minZ = box[o + 2];
  const maxX = box[o + 3];
  const maxY = box[o + 4];
  const maxZ = box[o + 5];
  const end = Math.min(LEAF * (leaf + 1), count);
  let n = 0;
  for (let i = LEAF * leaf, p = BOX * i; i < end; i++, p += BOX) {
    // biome-ignore format: aligned lines show the symmetry
    if (boxes[p] <= maxX && boxes[p + 3] >= minX && boxes[p + 2] <= maxZ && boxes[p + 5] >= minZ
     && boxes[p + 1] <= maxY && boxes[p + 4] >= minY) near[n++] = i;
  }
  return n;
}

const mine = new Int32Array(LEAF);
const theirs = new Int32Array(LEAF);

/** Adds pairs across two leaves. Only items that touch the box of the other leaf are candidates. */
function pairsAcross(a: BoxTree, leaf: number, b: BoxTree, other: number, counters: Counters, out: IdPairs): void {
  const count = touchingItems(b, other, a.nodes, BOX * leaf, theirs);
  counters.itemsTested += LEAF;
  if (count === 0) return;
  const n = touchingItems(a, leaf, b.nodes, BOX * other, mine);
  counters.itemsTested += LEAF + n * count;
  for (let k = 0; k < n; k++) {
    for (let m = 0; m < count; m++) {
      if (boxesTouch(a.boxes, BOX * mine[k], b.boxes, BOX * theirs[m])) push(out, a.ids[mine[k]], b.ids[theirs[m]]);
    }
  }
}

function pairsWithin({ ids, boxes, count }: BoxTree, leaf: number, counters: Counters, out: IdPairs): void {
  const end = Math.min(LEAF * (leaf + 1), count);
  for (let i = LEAF * leaf + 1; i < end; i++) {
    for (let j = LEAF * leaf; j < i; j++) if (boxesTouch(boxes, BOX * i, boxes, BOX * j)) push(out, ids[i], ids[j]);
  }
  counters.itemsTested += (LEAF * (LEAF - 1)) / 2;
}

function push(out: IdPairs, a: number, b: number): void {
  const list = out.reserve(1);
  list[2 * out.length] = a;
  list[2 * out.length++ + 1] = b;
}
