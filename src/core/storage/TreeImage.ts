import { BOX, unite } from '../box.js';
import { ROOT } from './Nodes.js';
import { nextInDepthFirst } from './nextInDepthFirst.js';
import { GROUP, GROUP_BOXES, placeOf, ROW, ROW_BOXES, type Rows } from './Rows.js';
import { Tree } from './Tree.js';

/** In place of a number of children: the node is a row. */
const IS_ROW = -1;

/**
 * A tree as flat numbers, all nodes and rows in depth-first order. Links, counts and boxes of nodes follow from them.
 */
export interface TreeImage {
  /** The number of children of each node, -1 for a row. */
  children: Int32Array;
  /** Entries of each row. */
  sizes: Int32Array;
  /** Items and boxes of the rows, as in Rows; the contents of unused slots mean nothing. */
  ids: Int32Array;
  boxes: Float64Array;
}

/** Makes the image of a tree; calls `inner` for each node that is not a row, in depth-first order. */
export function takeImage(tree: Tree, inner: (node: number) => void): TreeImage {
  const { nodes, rows } = tree;
  const children: number[] = [];
  const order: number[] = [];
  for (let node = ROOT; node >= 0; node = nextInDepthFirst(nodes, node)) {
    let count = 0;
    for (let child = nodes.first[node]; child >= 0; child = nodes.next[child]) count++;
    children.push(nodes.row[node] >= 0 ? IS_ROW : count);
    if (nodes.row[node] >= 0) order.push(nodes.row[node]);
    else inner(node);
  }
  const ids = new Int32Array(ROW * order.length);
  const boxes = new Float64Array(ROW_BOXES * order.length);
  order.forEach((row, i) => {
    for (let k = 0; k < rows.sizes[row]; k++) {
      ids[ROW * i + k] = rows.ids[ROW * row + k];
      const at = (k >> 2) * GROUP_BOXES + (k & 3);
      for (let c = at; c < at + GROUP_BOXES; c += GROUP) boxes[ROW_BOXES * i + c] = rows.boxes[ROW_BOXES * row + c];
    }
  });
  return {
    children: Int32Array.from(children),
    sizes: Int32Array.from(order, (row) => rows.sizes[row]),
    ids,
    boxes,
  };
}

/**
 * Fills an empty tree from an image, or throws. Whatever the image says, the result is a sound tree: each node is
 * linked to its parent and has the box and the count of what is below it, and each entry belongs to an item that is
 * `live`.
 * @param addInner Adds a node below `parent` and returns it; it is the n-th that is not a row, counted from the root,
 * which is number 0 and is not added.
 */
export function restoreImage(
  tree: Tree,
  image: TreeImage,
  live: (id: number) => boolean,
  addInner: (parent: number, n: number) => number,
  where: string,
): void {
  const { nodes, rows } = tree;
  hangNodes(tree, image, addInner, where);
  for (let row = 0; row < rows.count; row++) checkRow(image, row, where);
  rows.sizes.set(image.sizes);
  rows.ids.set(image.ids);
  rows.boxes.set(image.boxes);
  for (const isPrimary of [true, false]) {
    for (let row = 0; row < rows.count; row++) enter(tree, row, isPrimary, live, where);
  }
  // Parents have lower numbers than their children.
  for (let node = nodes.count - 1; node >= ROOT; node--) {
    const row = nodes.row[node];
    if (row >= 0) {
      rows.tighten(row, tight);
      unite(nodes.box, BOX * node, tight, 0);
      nodes.entries[node] = rows.sizes[row];
    }
    if (node === ROOT) break;
    const parent = nodes.parent[node];
    unite(nodes.box, BOX * parent, nodes.box, BOX * node);
    nodes.entries[parent] += nodes.entries[node];
  }
}

function hangNodes(
  tree: Tree,
  { children, sizes }: TreeImage,
  addInner: (parent: number, n: number) => number,
  where: string,
): void {
  const { nodes } = tree;
  // Nodes whose children are not complete yet, the deepest last, and how many children each still needs.
  const open: number[] = [];
  const missing: number[] = [];
  let inner = 0;
  for (let i = 0; i < children.length; i++) {
    const count = children[i];
    const parent = open.at(-1) ?? -1;
    if (i > 0 && parent < 0) throw new RangeError(`${where}: node ${i} has no parent`);
    if (count < IS_ROW || count > children.length || (count === 0 && i > 0) || (count === IS_ROW && i === 0)) {
      throw new RangeError(`${where}: node ${i} cannot have ${count} children`);
    }
    if (i > 0) missing[missing.length - 1]--;
    if (count === IS_ROW) {
      if (tree.rows.count >= sizes.length) throw new RangeError(`${where}: more rows than ${sizes.length}`);
      const head = nodes.first[parent];
      if (head >= 0 && nodes.row[nodes.prev[head]] < 0) {
        throw new RangeError(`${where}: node ${i} is a row and comes behind inner nodes`);
      }
      tree.addRow(parent, false);
    } else {
      open.push(i === 0 ? ROOT : addInner(parent, inner));
      inner++;
      missing.push(count);
    }
    if (open.length > Tree.MAX_HEIGHT) throw new RangeError(`${where}: node ${i} lies too deep`);
    while (missing.at(-1) === 0) {
      missing.pop();
      open.pop();
    }
  }
  if (open.length > 0) throw new RangeError(`${where}: node ${open[0]} misses children`);
  if (tree.rows.count !== sizes.length) throw new RangeError(`${where}: fewer rows than ${sizes.length}`);
}

/** Checks the size and the boxes of a row. */
function checkRow({ sizes, boxes }: TreeImage, row: number, where: string): void {
  const size = sizes[row];
  if (!(size >= 1 && size <= ROW)) throw new RangeError(`${where}: row ${row} has ${size} entries`);
  for (let k = 0; k < size; k++) {
    const at = ROW_BOXES * row + (k >> 2) * GROUP_BOXES + (k & 3);
    for (let c = at; c < at + 3 * GROUP; c += GROUP) {
      // Negated, so that NaN fails as well.
      if (!(boxes[c] <= boxes[c + 3 * GROUP])) {
        throw new RangeError(`${where}: entry ${k} of row ${row} has no legal box`);
      }
    }
  }
}

/** Links the primary entries of a row to their items, or the others. */
function enter(
  { rows, multiple }: Tree,
  row: number,
  isPrimary: boolean,
  live: (id: number) => boolean,
  where: string,
): void {
  for (let slot = ROW * row; slot < ROW * row + rows.sizes[row]; slot++) {
    if (rows.ids[slot] >= 0 !== isPrimary) continue;
    const id = rows.itemAt(slot);
    if (!live(id)) throw new RangeError(`${where}: item ${id} has entries, but is not live`);
    if (!(isPrimary ? linkPrimary(rows, slot) : multiple && linkSecondary(rows, slot))) {
      throw new RangeError(`${where}: entry ${slot} of item ${id} is one too many`);
    }
  }
}

/** Makes an entry the primary one of its item; false when the item has one already. */
function linkPrimary({ ids, firstSlot, nextSlot }: Rows, slot: number): boolean {
  const id = ids[slot];
  if (firstSlot[id] >= 0) return false;
  firstSlot[id] = slot;
  nextSlot[slot] = -1;
  return true;
}

/** Adds an entry to the ring of its item; false when the item has no primary entry, or one with another box. */
function linkSecondary(rows: Rows, slot: number): boolean {
  const { nextSlot, boxes } = rows;
  const first = rows.firstSlot[rows.itemAt(slot)];
  if (first < 0) return false;
  for (let c = 0; c < GROUP_BOXES; c += GROUP) {
    if (boxes[placeOf(slot) + c] !== boxes[placeOf(first) + c]) return false;
  }
  nextSlot[slot] = nextSlot[first] < 0 ? first : nextSlot[first];
  nextSlot[first] = slot;
  return true;
}

const tight = new Float64Array(BOX);
