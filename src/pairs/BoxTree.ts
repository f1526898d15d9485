import type { Structure } from '../contract/Structure.js';
import { sortByKey } from '../core/arrays.js';
import { BOX, copyBox, isBounded, makeEmpty, unite } from '../core/box.js';
import { HilbertCurve } from '../packed/HilbertCurve.js';

/** Most items in a leaf. */
export const LEAF = 8;
/** A node has 2^FAN children. */
export const FAN = 2;
/** More items than this at one position on the curve get a curve of their own. */
const CROWD = 64;

/**
 * A copy of all boxes of an index, in leaves along a Hilbert curve, and an implicit tree over them: item i is in leaf
 * i / LEAF, and node n of a tier is below node n >> FAN of the next, up to a tier of a single node (a packed R-tree:
 * Kamel and Faloutsos, On Packing R-trees, 1993). The arrangement of the index itself does not matter.
 *
 * A tree is filled anew for each use. Two trees serve all indices, as the garbage of such copies would cost more than
 * half as much as the joins.
 */
export class BoxTree {
  count = 0;
  leaves = 0;
  ids: Int32Array = new Int32Array(0);
  /** Box of item i at 6 * i. */
  boxes: Float64Array = new Float64Array(0);
  /** Boxes of all nodes, from the leaves up; node n of tier h is number starts[h] + n. */
  nodes: Float64Array = new Float64Array(0);
  starts: number[] = [];

  fill(structure: Structure): void {
    const ids = structure.ids.all();
    const count = ids.length;
    unsorted = roomFor(unsorted, BOX * count);
    for (let i = 0; i < count; i++) {
      structure.read(ids[i], box);
      copyBox(box, 0, unsorted, BOX * i);
    }
    const order = orderOf(unsorted, count);
    this.count = count;
    this.ids = order.map((i) => ids[i]);
    this.boxes = roomFor(this.boxes, BOX * count);
    for (let i = 0; i < count; i++) copyBox(unsorted, BOX * order[i], this.boxes, BOX * i);
    this.leaves = Math.ceil(count / LEAF);
    this.starts = [];
    let end = 0;
    for (let n = this.leaves; n > 0; n = n > 1 ? Math.ceil(n / 2 ** FAN) : 0) {
      this.starts.push(end);
      end += n;
    }
    this.nodes = roomFor(this.nodes, BOX * end);
    const { boxes, nodes, starts } = this;
    for (let o = 0; o < BOX * end; o += BOX) makeEmpty(nodes, o);
    for (let i = 0; i < count; i++) unite(nodes, BOX * ((i / LEAF) | 0), boxes, BOX * i);
    for (let h = 1; h < starts.length; h++) {
      const from = starts[h - 1];
      for (let n = from; n < starts[h]; n++) unite(nodes, BOX * (starts[h] + ((n - from) >> FAN)), nodes, BOX * n);
    }
  }
}

/** The array, or a new one if it is too small or much too large. */
function roomFor(array: Float64Array, length: number): Float64Array {
  return array.length < length || array.length > 8 * length + 1024 ? new Float64Array(length) : array;
}

/**
 * Numbers of the boxes, in the order of a Hilbert curve through their centres. If many boxes share a position, as in a
 * cluster that is small beside the distance of an outlier, a smaller curve puts them in order, and so on.
 */
function orderOf(boxes: Float64Array, count: number): Int32Array {
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const curve = new HilbertCurve(false);
  const stack = [0, order.length];
  while (stack.length > 0) {
    const to = stack.pop() as number;
    const from = stack.pop() as number;
    const run = order.subarray(from, to);
    curve.fill(centresOf(boxes, run));
    const keys = run.map((i) => curve.keyOf(boxes, BOX * i));
    sortByKey(keys, run);
    // If all boxes share a position, their centres are one point.
    if (keys[0] === keys[keys.length - 1]) continue;
    for (let start = 0, i = 1; i <= keys.length; i++) {
      if (i < keys.length && keys[i] === keys[start]) continue;
      if (i - start > CROWD) stack.push(from + start, from + i);
      start = i;
    }
  }
  return order;
}

/** The box around the centres of some boxes; unbounded boxes are left out. */
function centresOf(boxes: Float64Array, run: Int32Array): Float64Array {
  const around = new Float64Array(BOX);
  makeEmpty(around, 0);
  for (let k = 0; k < run.length; k++) {
    const o = BOX * run[k];
    if (!isBounded(boxes, o)) continue;
    for (let c = 0; c < 3; c++) {
      const centre = boxes[o + c] / 2 + boxes[o + c + 3] / 2;
      if (centre < around[c]) around[c] = centre;
      if (centre > around[c + 3]) around[c + 3] = centre;
    }
  }
  return around;
}

/** Boxes in the order of their ids. */
let unsorted: Float64Array = new Float64Array(0);
const box = new Float64Array(BOX);
