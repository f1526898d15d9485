import { boxInPlanes } from '../exact/volume';
import {
  BOX, FRAME, QUAD, QUADS, MASKS, TO_VISIT, ADDRESSES, Addresses, ROW, SIDE, STARTS, TOGETHER, TO_MAX,
} from '../packed/layout';
import { alive, testQuad, testRow } from '../packed/volumes';
import { hidesBox, isHidden, NODE } from './hidesBox';
import { f } from './memory';

/** The kind of planes: any number but the kinds of boxes and spheres. */
const PLANES: i32 = 0;

/** More than the error of four roundings of a sum in double precision. */
const DOUBLE: f64 = 8.881784197001252e-16;

let out: usize = 0;
/** World units per unit of rows, and the distance by which boxes are enlarged, for rounding on the way to the world. */
let unit: f64 = 1;
let slack: f64 = 0;

/**
 * Writes the ids of visible items within planes to the room for results, in the order of their seats, and returns their
 * number. The memory belongs to the kernel of packed rows: planes, frame and `Addresses` lie as for its own queries,
 * the buffer behind all other data.
 */
export function visible(all: i32, most: f64): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const top = at.top;
  const count = at.count;
  out = at.out;
  unit = 1 / load<f64>(FRAME, 48);
  slack = DOUBLE * (max(abs(f(FRAME, 0)), max(abs(f(FRAME, 1)), abs(f(FRAME, 2)))) + most * unit);
  let h = top;
  openQuad(h, 0, all);
  for (;;) {
    const tier = <usize>h << 2;
    const left = load<i32>(TO_VISIT + tier);
    if (left === 0) {
      if (h === top) break;
      h++;
      continue;
    }
    const lane = ctz(left);
    store<i32>(TO_VISIT + tier, left & (left - 1));
    const node = (load<i32>(QUADS + tier) << 2) + lane;
    // A quad may have boxes beyond the last row, which hold no items.
    if (node << (2 * h) >= count) continue;
    const doubt = load<i32>(MASKS + ((<usize>h << 4) | (<usize>lane << 2)));
    if (h > 0) openQuad(--h, node, doubt);
    else appendRow(node, all, doubt);
  }
  return <i32>((out - at.out) >> 2);
}

function openQuad(h: i32, quad: i32, mask: i32): void {
  const tier = <usize>h << 2;
  const boxes = changetype<Addresses>(ADDRESSES).tiers + load<usize>(STARTS + tier) + <usize>quad * QUAD;
  store<i32>(QUADS + tier, quad);
  const doubt = testQuad(PLANES, boxes, mask);
  v128.store(MASKS + (<usize>h << 4), doubt);
  let left = alive;
  for (let asked = left; asked !== 0; asked &= asked - 1) {
    if (isNodeHidden(boxes + (<usize>ctz(asked) << 2))) left ^= asked & -asked;
  }
  store<i32>(TO_VISIT + tier, left);
}

/** True for a hidden box of a quad, whose lane begins at an address: all items in it are hidden. */
function isNodeHidden(at: usize): bool {
  return hidesBox(
    lower(at, 0), lower(at + SIDE, 1), lower(at + 2 * SIDE, 2),
    upper(at, 0), upper(at + SIDE, 1), upper(at + 2 * SIDE, 2), NODE,
  );
}

@inline
function lower(at: usize, axis: i32): f64 {
  return f(FRAME, axis) + <f64>load<f32>(at) * unit - slack;
}

@inline
function upper(at: usize, axis: i32): f64 {
  return f(FRAME, axis) + <f64>load<f32>(at, TO_MAX) * unit + slack;
}

function appendRow(row: i32, all: i32, mask: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  const ids = at.ids + (<usize>row << 6);
  const boxes = at.rows + <usize>row * ROW;
  const found = testRow(PLANES, boxes, mask);
  const bits = found & ((1 << <i32>load<u8>(at.sizes + row)) - 1);
  const doubt = found >>> 16;
  let end = out;
  for (let quad: usize = 0; quad < 4; quad++) {
    const four = (bits >> (<i32>quad << 2)) & 15;
    if (four === 0) continue;
    let kept = four;
    for (let left = four; left !== 0; left &= left - 1) {
      const seat = (quad << 2) + <usize>ctz(left);
      const box = at.boxes + <usize>load<i32>(ids + (seat << 2)) * BOX;
      if (isHidden(box) || ((doubt >> <i32>seat) & 1 && boxInPlanes(box, all) < 0)) kept ^= left & -left;
    }
    v128.store(end, i8x16.swizzle(v128.load(ids + (quad << 4)), v128.load(TOGETHER + (<usize>kept << 4))));
    end += <usize>popcnt(kept) << 2;
  }
  out = end;
}
