import { touchWord } from './curve';
import { holds, writeOne } from './edit';
import { BOX, CURVE, QUAD, NOWHERE, ADDRESSES, Addresses, SLACK, SEATS, STARTS, TO_MAX } from './layout';

/** The value of src/packed/PackedItems.ts. */
const NEAR: i32 = 8;
/** Words are read this many items ahead, so that they come into the cache. */
const AHEAD: usize = 8;

/** Removes items from their rows; lists the items in no row at `left`, and returns the number listed. */
export function take(count: i32, ids: usize, left: usize): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const end = ids + (<usize>count << 2);
  let listed = left;
  for (let p = ids; p < end; p += 4) {
    if (p + 4 * AHEAD < end) touchSeat(load<i32>(at.seats + (<usize>load<i32>(p, 4 * AHEAD) << 2)));
    const id = load<i32>(p);
    const address = at.seats + (<usize>id << 2);
    const seat = load<i32>(address);
    if (seat < 0) {
      store<i32>(listed, id);
      listed += 4;
      continue;
    }
    store<i32>(address, NOWHERE);
    const row = seat >> 4;
    const last = (row << 4) + <i32>load<u8>(at.sizes + row) - 1;
    store<u8>(at.sizes + row, last & 15);
    if (seat === last) continue;
    const other = load<i32>(at.ids + (<usize>last << 2));
    store<i32>(at.ids + (<usize>seat << 2), other);
    store<i32>(at.seats + (<usize>other << 2), seat);
    const from = boxOf(at.rows, last);
    const to = boxOf(at.rows, seat);
    for (let c: usize = 0; c < QUAD; c += 16) store<f32>(to + c, load<f32>(from + c));
  }
  return <i32>((listed - left) >> 2);
}

@inline
function touchSeat(seat: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  if (seat < 0) return;
  touchWord(at.ids + (<usize>seat << 2));
  touchWord(boxOf(at.rows, seat));
  touchWord(boxOf(at.rows, seat) + 80);
}

/** The address of the box in a seat, or of a row's box among the boxes of all rows. */
@inline
function boxOf(boxes: usize, n: i32): usize {
  return boxes + <usize>(n >> 2) * QUAD + (<usize>(n & 3) << 2);
}

/**
 * Appends items, listed from `from` on in sorted pairs of a key and an id at `list`, to the rows of their keys or near
 * them; `wanted` is the row of the first key. Returns the number of the first item that does not fit the rows or the
 * curve, or finds no room; `count` if all fit.
 */
export function append(list: usize, from: i32, count: i32, wanted: i32): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  for (let i = from; i < count; i++) {
    const key = load<i32>(list + (<usize>i << 3));
    const id = <usize>load<i32>(list + (<usize>i << 3), 4);
    while (wanted + 1 < at.count && load<i32>(at.firstKeys + (<usize>(wanted + 1) << 2)) <= key) wanted++;
    const row = roomNear(wanted);
    const box = at.boxes + id * BOX;
    if (row < 0 || misses(box)) return i;
    const seat = (row << 4) + <i32>load<u8>(at.sizes + row);
    const to = boxOf(at.rows, seat);
    if (!writeOne(box, to)) return i;
    store<u8>(at.sizes + row, (seat & 15) + 1);
    store<i32>(at.ids + (<usize>seat << 2), <i32>id);
    store<i32>(at.seats + (id << 2), seat);
    if (!contains(boxOf(at.tiers, row), to)) widen(row, to);
  }
  return count;
}

/** The nearest row that has room, or -1. */
function roomNear(row: i32): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const sizes = at.sizes;
  for (let d = 0; d <= NEAR; d++) {
    if (row >= d && <i32>load<u8>(sizes + row - d) < SEATS) return row - d;
    if (row + d < at.count && <i32>load<u8>(sizes + row + d) < SEATS) return row + d;
  }
  return -1;
}

/** Like `HilbertCurve.misses`. */
@inline
function misses(box: usize): bool {
  const steps = f64x2.splat(load<f64>(CURVE, 48));
  const b = v128.load(box, 16);
  const c = v128.load(box, 32);
  const xy = f64x2.mul(f64x2.sub(f64x2.add(v128.load(box), v128.shuffle<u64>(b, c, 1, 2)), v128.load(CURVE)), v128.load(CURVE, 16));
  const z = f64x2.mul(f64x2.sub(f64x2.add(b, v128.shuffle<u64>(c, c, 1, 1)), v128.load_splat<f64>(CURVE, 40)), v128.load(CURVE, 32));
  const zz = v128.shuffle<u64>(z, z, 0, 0);
  const least = f64x2.pmin(xy, zz);
  const most = f64x2.pmax(xy, zz);
  return !i64x2.all_true(v128.and(f64x2.ge(least, f64x2.splat(0)), f64x2.le(most, steps)));
}

/** `holds`, compiled once for all calls here. */
function contains(outer: usize, inner: usize): bool {
  return holds(outer, inner);
}

/** Widens the box of a row, with some slack, and the boxes above it so that they hold the box in a seat. */
function widen(row: i32, seat: usize): void {
  const at = changetype<Addresses>(ADDRESSES);
  const slack = load<f32>(SLACK);
  const box = boxOf(at.tiers, row);
  for (let c: usize = 0; c < TO_MAX; c += 16) {
    const low = load<f32>(seat + c);
    const high = load<f32>(seat + c + TO_MAX);
    if (low < load<f32>(box + c)) store<f32>(box + c, low - slack);
    if (high > load<f32>(box + c + TO_MAX)) store<f32>(box + c + TO_MAX, high + slack);
  }
  let from = box;
  for (let h = 0; h < at.top; h++) {
    row >>= 2;
    const to = boxOf(at.tiers + load<usize>(STARTS + (<usize>(h + 1) << 2)), row);
    if (contains(to, from)) return;
    for (let c: usize = 0; c < TO_MAX; c += 16) {
      store<f32>(to + c, min(load<f32>(to + c), load<f32>(from + c)));
      store<f32>(to + c + TO_MAX, max(load<f32>(to + c + TO_MAX), load<f32>(from + c + TO_MAX)));
    }
    from = to;
  }
}
