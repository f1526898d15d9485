/**
 * The join of two trees, four boxes at a time. src/pairs/joinTrees.ts does the same without SIMD, in double precision,
 * and explains it.
 *
 * Boxes are rounded to single precision here. Rounding is monotone: boxes that touch do so when rounded, and boxes that
 * overlap strictly when rounded do so exactly. So a pair is certain when they overlap strictly on every axis, and left
 * undecided when some rounded sides are equal.
 *
 * This is AssemblyScript, compiled by src/wasm/build.mjs: TypeScript's syntax over WebAssembly's types and operations.
 */

import { arrange } from './join/arrange';
import { firstOf, GROUP_BYTES, nextOf, nodeOf, placeOf, ROW, ROW_BYTES, rowOf, Side } from './join/Side';

/** Where the two sides lie. Nothing else is in the first 128 bytes. */
const LEFT: usize = 16;
const RIGHT: usize = 48;
/** Where the side lies to which the left one is arranged. */
const ARRANGED: usize = 80;

/** Where the pairs of nodes wait, two numbers each, and where their room ends. */
let waiting: usize = 0;
let waitingEnd: usize = 0;
let top: usize = 0;
/** Where the next pair goes. The memory grows when this reaches its end. */
let out: usize = 0;

/** Nodes compared, entries compared, and pairs that are left undecided, of the last join. */
export let nodesVisited: i32 = 0;
export let itemsTested: i32 = 0;
export let undecided: i32 = 0;

/** Arranges the left tree anew from `start` on, to be joined in its place; returns the first byte after it. */
export function arrangeLeft(start: usize): usize {
  const to = changetype<Side>(ARRANGED);
  const end = arrange(changetype<Side>(LEFT), to, start);
  memory.copy(LEFT, ARRANGED, offsetof<Side>());
  return end;
}

/**
 * Joins a tree with itself (`isSelf`), or two trees; returns the address behind the last pair, or 0 when more nodes had
 * to wait than there is room for. A pair is two ids, the lower one first in a tree joined with itself, or the complements
 * of two slots where it is undecided.
 */
export function join(isSelf: bool, waitingFrom: usize, waitingTo: usize, outFrom: usize): usize {
  const left = changetype<Side>(LEFT);
  const right = isSelf ? left : changetype<Side>(RIGHT);
  waiting = top = waitingFrom;
  waitingEnd = waitingTo;
  out = outFrom;
  nodesVisited = itemsTested = undecided = 0;
  if (isSelf) {
    if (!push(0, 0)) return 0;
  } else if (!joinNodes(left, 0, right, 0, false)) {
    return 0;
  }
  while (top > waiting) {
    top -= 8;
    const a = load<i32>(top);
    const b = load<i32>(top, 4);
    if (isSelf && a === b) {
      if (!openSelf(left, a)) return 0;
    } else if (!openBoth(left, a, right, b, isSelf)) {
      return 0;
    }
  }
  return out;
}

@inline
function idAt(side: Side, slot: i32): i32 {
  return load<i32>(side.ids + (<usize>slot << 2));
}

function push(a: i32, b: i32): bool {
  if (top >= waitingEnd) return false;
  store<i32>(top, a);
  store<i32>(top, b, 4);
  top += 8;
  return true;
}

@inline
function touch(left: Side, a: i32, right: Side, b: i32): bool {
  nodesVisited++;
  const p = nodeOf(left, a);
  const q = nodeOf(right, b);
  // Three of the four lanes count.
  const low = f32x4.le(v128.load(p), v128.load(q, 12));
  const high = f32x4.le(v128.load(q), v128.load(p, 12));
  return (i32x4.bitmask(v128.and(low, high)) & 7) === 7;
}

function openSelf(side: Side, node: i32): bool {
  for (let c = firstOf(side, node); c >= 0; c = nextOf(side, c)) {
    const row = rowOf(side, c);
    if (row >= 0) pairsInRow(side, row);
    else if (!push(c, c)) return false;
    for (let d = nextOf(side, c); d >= 0; d = nextOf(side, d)) if (!joinNodes(side, c, side, d, true)) return false;
  }
  return true;
}

function openBoth(left: Side, a: i32, right: Side, b: i32, isSelf: bool): bool {
  if (rowOf(left, a) >= 0) {
    for (let d = firstOf(right, b); d >= 0; d = nextOf(right, d)) {
      if (!joinNodes(left, a, right, d, isSelf)) return false;
    }
    return true;
  }
  const isRow = rowOf(right, b) >= 0;
  for (let c = firstOf(left, a); c >= 0; c = nextOf(left, c)) {
    if (!touch(left, c, right, b)) continue;
    if (isRow) {
      if (!joinNodes(left, c, right, b, isSelf)) return false;
      continue;
    }
    for (let d = firstOf(right, b); d >= 0; d = nextOf(right, d)) {
      if (!joinNodes(left, c, right, d, isSelf)) return false;
    }
  }
  return true;
}

function joinNodes(left: Side, a: i32, right: Side, b: i32, isSelf: bool): bool {
  if (!touch(left, a, right, b)) return true;
  const row = rowOf(left, a);
  const other = rowOf(right, b);
  if (row < 0 || other < 0) return push(a, b);
  pairsOfRows(left, a, row, right, b, other, isSelf);
  return true;
}

function pairsOfRows(left: Side, a: i32, row: i32, right: Side, b: i32, other: i32, isSelf: bool): void {
  const theirs = touchingNode(right, other, nodeOf(left, a));
  if (theirs === 0) return;
  const mine = touchingNode(left, row, nodeOf(right, b));
  itemsTested +=
    <i32>load<u8>(left.sizes + row) + <i32>load<u8>(right.sizes + other) + popcnt(mine) * popcnt(theirs);
  for (let rest = mine; rest !== 0; rest &= rest - 1) {
    const k = ctz(rest);
    pairsOfItem(left, row, k, right, other, touchingItem(left, row, k, right, other, theirs), isSelf);
  }
}

function pairsInRow(side: Side, row: i32): void {
  const size = <i32>load<u8>(side.sizes + row);
  const among = primary(side, row, size);
  for (let k = 1; k < size; k++) {
    if ((among & (1 << k)) === 0) continue;
    pairsOfItem(side, row, k, side, row, touchingItem(side, row, k, side, row, among & ((1 << k) - 1)), true);
  }
  itemsTested += (size * (size - 1)) / 2;
}

/** Adds the pairs of an item with those of a row whose bits are set. */
function pairsOfItem(left: Side, row: i32, k: i32, right: Side, other: i32, bits: i32, isSelf: bool): void {
  const slot = row * ROW + k;
  const item = placeOf(left, row, k);
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    const j = ctz(rest);
    let a = idAt(left, slot);
    let b = idAt(right, other * ROW + j);
    if (!overlapsSurely(item, placeOf(right, other, j))) {
      a = ~known(left, slot);
      b = ~known(right, other * ROW + j);
      undecided++;
    } else if (isSelf && a > b) {
      const swap = a;
      a = b;
      b = swap;
    }
    if (out + 8 > <usize>memory.size() << 16) memory.grow(memory.size() >> 1);
    store<i32>(out, a);
    store<i32>(out, b, 4);
    out += 8;
  }
}

/** The slot as the caller knows it. */
@inline
function known(side: Side, slot: i32): i32 {
  return side.slots === 0 ? slot : load<i32>(side.slots + (<usize>slot << 2));
}

@inline
function overlapsSurely(p: usize, q: usize): bool {
  return (
    load<f32>(p) < load<f32>(q, 48) &&
    load<f32>(q) < load<f32>(p, 48) &&
    load<f32>(p, 16) < load<f32>(q, 64) &&
    load<f32>(q, 16) < load<f32>(p, 64) &&
    load<f32>(p, 32) < load<f32>(q, 80) &&
    load<f32>(q, 32) < load<f32>(p, 80)
  );
}

/** The primary entries of a row, as bits. */
@inline
function primary(side: Side, row: i32, size: i32): i32 {
  const ids = side.ids + (<usize>row << 6);
  const others =
    i32x4.bitmask(v128.load(ids)) |
    (i32x4.bitmask(v128.load(ids, 16)) << 4) |
    (i32x4.bitmask(v128.load(ids, 32)) << 8) |
    (i32x4.bitmask(v128.load(ids, 48)) << 12);
  return ~others & ((1 << size) - 1);
}

/** The primary entries of a row that touch the box of a node, as bits. */
function touchingNode(side: Side, row: i32, box: usize): i32 {
  const size = <i32>load<u8>(side.sizes + row);
  return touching(
    side.boxes + <usize>row * ROW_BYTES,
    primary(side, row, size),
    v128.load_splat<f32>(box),
    v128.load_splat<f32>(box, 4),
    v128.load_splat<f32>(box, 8),
    v128.load_splat<f32>(box, 12),
    v128.load_splat<f32>(box, 16),
    v128.load_splat<f32>(box, 20),
  );
}

/** The entries `among` those of a row that touch the box of an entry, as bits. */
@inline
function touchingItem(left: Side, row: i32, k: i32, right: Side, other: i32, among: i32): i32 {
  const box = placeOf(left, row, k);
  return touching(
    right.boxes + <usize>other * ROW_BYTES,
    among,
    v128.load_splat<f32>(box),
    v128.load_splat<f32>(box, 16),
    v128.load_splat<f32>(box, 32),
    v128.load_splat<f32>(box, 48),
    v128.load_splat<f32>(box, 64),
    v128.load_splat<f32>(box, 80),
  );
}

/** The slots `among` those of a row whose boxes touch a box, as bits. */
@inline
function touching(
  row: usize,
  among: i32,
  minX: v128,
  minY: v128,
  minZ: v128,
  maxX: v128,
  maxY: v128,
  maxZ: v128,
): i32 {
  // Neighbours in a row are neighbours in space, so often a whole group can be skipped.
  let bits = 0;
  if (among & 0xf) bits = touchingFour(row, minX, minY, minZ, maxX, maxY, maxZ);
  if (among & 0xf0) bits |= touchingFour(row + GROUP_BYTES, minX, minY, minZ, maxX, maxY, maxZ) << 4;
  if (among & 0xf00) bits |= touchingFour(row + 2 * GROUP_BYTES, minX, minY, minZ, maxX, maxY, maxZ) << 8;
  if (among & 0xf000) bits |= touchingFour(row + 3 * GROUP_BYTES, minX, minY, minZ, maxX, maxY, maxZ) << 12;
  return bits & among;
}

@inline
function touchingFour(group: usize, minX: v128, minY: v128, minZ: v128, maxX: v128, maxY: v128, maxZ: v128): i32 {
  const x = v128.and(f32x4.le(v128.load(group), maxX), f32x4.le(minX, v128.load(group, 48)));
  const y = v128.and(f32x4.le(v128.load(group, 16), maxY), f32x4.le(minY, v128.load(group, 64)));
  const z = v128.and(f32x4.le(v128.load(group, 32), maxZ), f32x4.le(minZ, v128.load(group, 80)));
  return i32x4.bitmask(v128.and(x, v128.and(y, z)));
}
