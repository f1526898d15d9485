import { firstOf, NODE_BYTES, nextOf, nodeOf, placeOf, ROW, ROW_BYTES, rowOf, Side } from './Side';

/** Bits of the curve for each axis; a key of three times as many is sorted by three digits. */
const BITS: u32 = 10;
const DIGITS: usize = 1 << BITS;
const LAST: f32 = <f32>((1 << BITS) - 1);
/** Children of a node, rows or nodes. */
const FAN: i32 = 8;
/** A tree of this library is no higher than 128. */
const STACK_BYTES: usize = 4 * 130;

/**
 * Arranges the items of a tree anew: in full rows of neighbours along a Morton curve through their centres, with nodes
 * over them (a packed R-tree: Kamel and Faloutsos, On Packing R-trees, 1993). The sort is stable and begins with the
 * order of the tree, which items with equal keys keep.
 *
 * The arrays lie from `start` on, and `to` gets their addresses; returns the first byte after them. There must be as much
 * room as src/pairs/SimdJoin.ts computes.
 */
export function arrange(from: Side, to: Side, start: usize): usize {
  const counts = start;
  const stack = counts + 3 * 4 * DIGITS;
  const list = stack + STACK_BYTES;
  memory.fill(counts, 0, 3 * 4 * DIGITS);
  const count = listItems(from, stack, list, counts);
  // Key and slot of each item, in two lists that take turns.
  const other = list + (<usize>count << 3);
  sortByDigit(list, other, count, counts, 0);
  sortByDigit(other, list, count, counts + 4 * DIGITS, BITS);
  sortByDigit(list, other, count, counts + 8 * DIGITS, 2 * BITS);
  const rows = (count + ROW - 1) / ROW;
  to.boxes = (other + (<usize>count << 3) + 15) & ~15;
  to.ids = to.boxes + <usize>rows * ROW_BYTES;
  to.slots = to.ids + (<usize>rows << 6);
  to.sizes = to.slots + (<usize>rows << 6);
  to.nodes = (to.sizes + rows + 15) & ~15;
  fillRows(from, to, other, count);
  return to.nodes + <usize>makeNodes(to, rows) * NODE_BYTES;
}

/** Lists key and slot of each primary entry in the order of the tree, and counts the digits of the keys. */
function listItems(from: Side, stack: usize, list: usize, counts: usize): i32 {
  const root = from.nodes;
  const minX = load<f32>(root);
  const minY = load<f32>(root, 4);
  const minZ = load<f32>(root, 8);
  const extent = max<f32>(max<f32>(load<f32>(root, 12) - minX, load<f32>(root, 16) - minY), load<f32>(root, 20) - minZ);
  const scale: f32 = extent > 0 ? LAST / extent : 0;
  let to = list;
  let top = stack;
  let node = 0;
  for (;;) {
    const row = rowOf(from, node);
    if (row >= 0) {
      const size = <i32>load<u8>(from.sizes + row);
      for (let k = 0; k < size; k++) {
        const slot = row * ROW + k;
        if (load<i32>(from.ids + (<usize>slot << 2)) < 0) continue;
        const p = placeOf(from, row, k);
        const x = stepOf((load<f32>(p) * 0.5 + load<f32>(p, 48) * 0.5 - minX) * scale);
        const y = stepOf((load<f32>(p, 16) * 0.5 + load<f32>(p, 64) * 0.5 - minY) * scale);
        const z = stepOf((load<f32>(p, 32) * 0.5 + load<f32>(p, 80) * 0.5 - minZ) * scale);
        const key = spread(x) | (spread(z) << 1) | (spread(y) << 2);
        store<u32>(to, key);
        store<i32>(to, slot, 4);
        to += 8;
        countDigit(counts, key, 0);
        countDigit(counts + 4 * DIGITS, key, BITS);
        countDigit(counts + 8 * DIGITS, key, 2 * BITS);
      }
    }
    const child = firstOf(from, node);
    const next = nextOf(from, node);
    if (child >= 0) {
      if (next >= 0) {
        store<i32>(top, next);
        top += 4;
      }
      node = child;
    } else if (next >= 0) {
      node = next;
    } else if (top > stack) {
      top -= 4;
      node = load<i32>(top);
    } else {
      break;
    }
  }
  return <i32>((to - list) >> 3);
}

@inline
function countDigit(counts: usize, key: u32, shift: u32): void {
  const at = counts + (<usize>((key >> shift) & (<u32>DIGITS - 1)) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** A whole number from 0 to the last step; 0 for NaN, which infinite boxes give. */
@inline
function stepOf(value: f32): u32 {
  return <u32>(value >= 0 ? (value < LAST ? value : LAST) : <f32>0);
}

/** Puts two zero bits between the bits of a number of ten bits. */
@inline
function spread(n: u32): u32 {
  n = (n | (n << 16)) & 0x030000ff;
  n = (n | (n << 8)) & 0x0300f00f;
  n = (n | (n << 4)) & 0x030c30c3;
  return (n | (n << 2)) & 0x09249249;
}

/** One pass of a radix sort. */
function sortByDigit(from: usize, to: usize, count: i32, counts: usize, shift: u32): void {
  let start: u32 = 0;
  for (let d: usize = 0; d < 4 * DIGITS; d += 4) {
    const size = load<u32>(counts + d);
    store<u32>(counts + d, start);
    start += size;
  }
  const end = from + (<usize>count << 3);
  for (let p = from; p < end; p += 8) {
    const item = load<u64>(p);
    const at = counts + (<usize>((<u32>item >> shift) & (<u32>DIGITS - 1)) << 2);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u64>(to + (<usize>place << 3), item);
  }
}

/** Fills the rows with the items in order, and nodes 1 to `rows` with the boxes of the rows. */
function fillRows(from: Side, to: Side, list: usize, count: i32): void {
  for (let row = 0, i = 0; i < count; row++) {
    const size = min(ROW, count - i);
    store<u8>(to.sizes + row, size);
    const node = nodeOf(to, row + 1);
    let low = f32x4.splat(Infinity);
    let high = f32x4.splat(-Infinity);
    for (let k = 0; k < size; k++, i++) {
      const slot = load<i32>(list + (<usize>i << 3), 4);
      const p = placeOf(from, slot >> 4, slot & 15);
      const q = placeOf(to, row, k);
      const a = load<f32>(p);
      const b = load<f32>(p, 16);
      const c = load<f32>(p, 32);
      const d = load<f32>(p, 48);
      const e = load<f32>(p, 64);
      const f = load<f32>(p, 80);
      store<f32>(q, a);
      store<f32>(q, b, 16);
      store<f32>(q, c, 32);
      store<f32>(q, d, 48);
      store<f32>(q, e, 64);
      store<f32>(q, f, 80);
      low = f32x4.min(low, f32x4(a, b, c, 0));
      high = f32x4.max(high, f32x4(d, e, f, 0));
      const at = <usize>(row * ROW + k) << 2;
      store<i32>(to.ids + at, load<i32>(from.ids + (<usize>slot << 2)));
      store<i32>(to.slots + at, slot);
    }
    storeNode(node, low, high, -1, row);
  }
}

/** Writes a node without siblings. What follows overwrites the fourth lane of each vector. */
@inline
function storeNode(node: usize, low: v128, high: v128, first: i32, row: i32): void {
  v128.store(node, low);
  v128.store(node, high, 12);
  store<i32>(node, first, 24);
  store<i32>(node, -1, 28);
  store<i32>(node, row, 32);
}

/** Makes nodes over those of the rows, which are 1 to `rows`, level by level up to the root, 0; returns their number. */
function makeNodes(side: Side, rows: i32): i32 {
  let from = 1;
  let to = rows + 1;
  let isTop = false;
  while (!isTop) {
    isTop = to - from <= FAN;
    let parent = isTop ? 0 : to;
    for (let child = from; child < to; parent++) {
      const first = child;
      const end = min(child + FAN, to);
      let low = f32x4.splat(Infinity);
      let high = f32x4.splat(-Infinity);
      for (; child < end; child++) {
        const node = nodeOf(side, child);
        low = f32x4.min(low, v128.load(node));
        high = f32x4.max(high, v128.load(node, 12));
        store<i32>(node, child + 1 < end ? child + 1 : -1, 28);
      }
      storeNode(nodeOf(side, parent), low, high, first, -1);
    }
    if (isTop) break;
    from = to;
    to = parent;
  }
  return to;
}
