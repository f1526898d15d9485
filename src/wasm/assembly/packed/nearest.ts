import { BOX, ENTRIES, FOUND, QUAD, ITEMS_TESTED, NODES_VISITED, NUMBERS, PER_UNIT, ADDRESSES, Addresses, ROUGH, ROW, SIDE, SPARE, STARTS, TINY, TO_MAX } from './layout';
import { pushBoxes, WAITING_BYTES } from './waiting';

/** The value of src/packed/byDistance.ts. */
const SHIFTS: usize = 16;
const LIMIT: usize = NUMBERS + 24;
const MOST: usize = ROUGH + 24;
const FOUND_BYTES: usize = 16;

let visited: i32 = 0;
let tested: i32 = 0;
let found: i32 = 0;

/**
 * Finds the `count` nearest items, 64 at most: in FOUND a distance and an id of 8 bytes each, nearest first, equal
 * distances by id. Returns the number of items found.
 */
export function nearest(count: i32): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const start = at.out;
  visited = 4;
  tested = 0;
  found = 0;
  let top = openQuad(at.top, 0, start);
  while (top > start) {
    top -= WAITING_BYTES;
    if (load<f32>(top, 8) > load<f32>(MOST)) continue;
    const h = load<i32>(top);
    const node = load<i32>(top, 4);
    if (h > 0) {
      visited += 4;
      top = openQuad(h - 1, node, top);
    } else if (node < at.count) {
      testRow(node, count);
    }
  }
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  return found;
}

/** Squared distances to four boxes; no item in a box is nearer than the box. */
@inline
function squares(at: usize): v128 {
  const x = apart(at, 0);
  const y = apart(at + SIDE, 4);
  const z = apart(at + 2 * SIDE, 8);
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}

@inline
function apart(at: usize, axis: usize): v128 {
  const below = f32x4.sub(v128.load(at), v128.load32_splat(ROUGH + axis));
  const above = f32x4.sub(v128.load32_splat(ROUGH + 12 + axis), v128.load(at, TO_MAX));
  return f32x4.max(f32x4.max(below, above), f32x4.splat(0));
}

/** Pushes the boxes of a quad that are near enough, nearest on top; returns the new top. There is room for all. */
function openQuad(h: i32, quad: i32, waiting: usize): usize {
  const at = changetype<Addresses>(ADDRESSES);
  const square = squares(at.tiers + load<usize>(STARTS + (<usize>h << 2)) + <usize>quad * QUAD);
  v128.store(ENTRIES, square);
  const near = ~i32x4.bitmask(f32x4.gt(square, v128.load32_splat(MOST))) & 15;
  return pushBoxes(h, quad, near, waiting, at.out, SHIFTS);
}

function testRow(row: i32, count: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  const size = <i32>load<u8>(at.sizes + row);
  const ids = at.ids + (<usize>row << 6);
  tested += size;
  for (let seat = 0, boxes = at.rows + <usize>row * ROW; seat < size; seat += 4, boxes += QUAD) {
    let left = ~i32x4.bitmask(f32x4.gt(squares(boxes), v128.load32_splat(MOST))) & 15;
    if (seat + 4 > size) left &= (1 << (size - seat)) - 1;
    for (; left !== 0; left &= left - 1) testItem(load<i32>(ids + (<usize>(seat + ctz(left)) << 2)), count);
  }
}

function testItem(id: i32, count: i32): void {
  const box = changetype<Addresses>(ADDRESSES).boxes + <usize>id * BOX;
  const x = load<f64>(NUMBERS);
  const y = load<f64>(NUMBERS, 8);
  const z = load<f64>(NUMBERS, 16);
  const dx = max<f64>(max<f64>(load<f64>(box) - x, x - load<f64>(box, 24)), 0);
  const dy = max<f64>(max<f64>(load<f64>(box, 8) - y, y - load<f64>(box, 32)), 0);
  const dz = max<f64>(max<f64>(load<f64>(box, 16) - z, z - load<f64>(box, 40)), 0);
  const distance = sqrt<f64>(dx * dx + dy * dy + dz * dz);
  if (!(distance <= load<f64>(LIMIT))) return;
  const end = FOUND + <usize>found * FOUND_BYTES;
  let i = end;
  if (found === count) {
    i -= FOUND_BYTES;
    if (distance === load<f64>(i) && id > load<i32>(i, 8)) return;
  } else {
    found++;
  }
  for (; i > FOUND; i -= FOUND_BYTES) {
    const other = load<f64>(i - FOUND_BYTES);
    if (other < distance || (other === distance && load<i32>(i - FOUND_BYTES, 8) < id)) break;
    v128.store(i, v128.load(i - FOUND_BYTES));
  }
  store<f64>(i, distance);
  store<i32>(i, id, 8);
  if (found < count) return;
  const last = load<f64>(FOUND + <usize>(count - 1) * FOUND_BYTES);
  const far = last * load<f64>(PER_UNIT) * SPARE + TINY;
  store<f64>(LIMIT, last);
  store<f32>(MOST, <f32>(far * far * SPARE));
}
