import { keyOf, touch } from './curve';
import { fillRow, isNear, refitTiers, refitRow } from './edit';
import { BOX, COUNTS, FRAME, NOWHERE, NUMBERS, ADDRESSES, Addresses, ROW, SLACK, SEATS } from './layout';

/** A key has four digits of this many bits. After sorting by an even number of digits the list is where it was. */
const BITS: u32 = 8;
const DIGITS: usize = 1 << BITS;

/**
 * Lists the items that rows can hold at `list`, in pairs of a key, not computed yet, and an id; returns their number.
 * Writes the box around them to NUMBERS, and lists the other items at `left`.
 */
export function gather(limit: i32, list: usize, left: usize): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const originA = v128.load(FRAME);
  const originB = v128.load(FRAME, 16);
  const originC = v128.load(FRAME, 32);
  const scale = v128.load_splat<f64>(FRAME, 48);
  let lowA = f64x2.splat(Infinity);
  let lowB = lowA;
  let highB = f64x2.neg(lowA);
  let highC = highB;
  let next = list;
  for (let id = 0, box = at.boxes; id < limit; id++, box += BOX) {
    if (load<i32>(at.seats + (<usize>id << 2)) === NOWHERE) continue;
    const a = v128.load(box);
    const b = v128.load(box, 16);
    const c = v128.load(box, 32);
    const x = f64x2.mul(f64x2.sub(a, originA), scale);
    const y = f64x2.mul(f64x2.sub(b, originB), scale);
    const z = f64x2.mul(f64x2.sub(c, originC), scale);
    if (!isNear(x, y, z)) {
      store<i32>(left, id);
      left += 4;
      continue;
    }
    lowA = f64x2.pmin(lowA, a);
    lowB = f64x2.pmin(lowB, b);
    highB = f64x2.pmax(highB, b);
    highC = f64x2.pmax(highC, c);
    store<i32>(next, id, 4);
    next += 8;
  }
  v128.store(NUMBERS, lowA);
  v128.store(NUMBERS, v128.shuffle<u64>(lowB, highB, 0, 3), 16);
  v128.store(NUMBERS, highC, 32);
  return <i32>((next - list) >> 3);
}

/**
 * Sorts `count` pairs of a key and an id by their keys; computes the keys first unless `isKeyed`. Pairs with equal keys
 * keep their order. Behind the list there must be room for another list.
 */
export function order(list: usize, count: i32, isKeyed: bool): void {
  const boxes = changetype<Addresses>(ADDRESSES).boxes;
  const other = list + (<usize>count << 3);
  memory.fill(COUNTS, 0, 4 * 4 * DIGITS);
  for (let p = list; p < other; p += 8) {
    if (!isKeyed) store<i32>(p, keyOf(boxes + <usize>load<i32>(p, 4) * BOX));
    const key = load<u32>(p);
    for (let d: u32 = 0; d < 4; d++) {
      const counter = COUNTS + (((<usize>d << BITS) + <usize>((key >> (d * BITS)) & 255)) << 2);
      store<u32>(counter, load<u32>(counter) + 1);
    }
  }
  for (let d: u32 = 0; d < 4; d += 2) {
    sortByDigit(list, other, count, d);
    sortByDigit(other, list, count, d + 1);
  }
}

/** Sorts pairs by one digit of their keys, as a radix sort does for each digit. */
function sortByDigit(from: usize, to: usize, count: i32, d: u32): void {
  const counts = COUNTS + (<usize>d << (BITS + 2));
  let start: u32 = 0;
  for (let counter = counts; counter < counts + 4 * DIGITS; counter += 4) {
    const size = load<u32>(counter);
    store<u32>(counter, start);
    start += size;
  }
  const end = from + (<usize>count << 3);
  const shift = d * BITS;
  for (let p = from; p < end; p += 8) {
    const pair = load<u64>(p);
    const counter = counts + (<usize>((<u32>pair >> shift) & 255) << 2);
    const next = load<u32>(counter);
    store<u32>(counter, next + 1);
    store<u64>(to + (<usize>next << 3), pair);
  }
}

/** Distributes sorted pairs of a key and an id, listed in the first bytes of rows `from` to `to` - 1, over the rows. */
export function deal(from: i32, to: i32, count: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  const list = at.rows + <usize>from * ROW;
  for (let row = from, i = 0; row < to; row++) {
    const end = row + 1 === to ? count : cutNear(list, count, <i32>((<u64>(row - from + 1) * count) / (to - from)), i, to - row - 1);
    const firstKey = at.firstKeys + (<usize>row << 2);
    if (row === 0) store<i32>(firstKey, 0);
    else if (row > from) store<i32>(firstKey, i < count ? keyAt(list, i) : load<i32>(firstKey - 4));
    store<u8>(at.sizes + row, end - i);
    for (let to = at.ids + (<usize>row << 6); i < end; i++, to += 4) store<i32>(to, load<i32>(list + (<usize>i << 3), 4));
  }
  const slack = load<f32>(SLACK);
  for (let row = from; row < to; row++) {
    if (row + 2 < to) touch(row + 2);
    fillRow(row);
    refitRow(row, slack);
  }
  refitTiers(from, to);
}

@inline
function keyAt(list: usize, i: i32): i32 {
  return load<i32>(list + (<usize>i << 3));
}

/** The end of a row that begins at `start`, see src/packed/PackedItems.ts. */
function cutNear(list: usize, count: i32, even: i32, start: i32, behind: i32): i32 {
  const last = min(min(even + 1, start + SEATS), count - 1);
  let best = max(min(even, start + SEATS), start);
  let most = -1;
  for (let end = max(max(even - 1, start), max(1, count - SEATS * behind)); end <= last; end++) {
    const difference = keyAt(list, end) ^ keyAt(list, end - 1);
    if (difference <= most) continue;
    most = difference;
    best = end;
  }
  return best;
}
