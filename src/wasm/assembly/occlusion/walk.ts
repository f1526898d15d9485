import { boxInPlanes } from '../exact/volume';
import {
  BOX, FRAME, GROUP, GROUPS, MASKS, PENDING, PLACES, Places, ROW, SIDE, STARTS, TOGETHER, TO_MAX,
} from '../packed/layout';
import { alive, testGroup, testRow } from '../packed/volumes';
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
 * number. The memory belongs to the kernel of packed rows: planes, frame and `Places` lie as for its own queries; the
 * buffer lies behind all other data.
 */
export function visible(all: i32, most: f64): i32 {
  const at = changetype<Places>(PLACES);
  const top = at.top;
  const count = at.count;
  out = at.out;
  unit = 1 / load<f64>(FRAME, 48);
  slack = DOUBLE * (max(abs(f(FRAME, 0)), max(abs(f(FRAME, 1)), abs(f(FRAME, 2)))) + most * unit);
  let h = top;
  openGroup(h, 0, all);
  for (;;) {
    const level = <usize>h << 2;
    const left = load<i32>(PENDING + level);
    if (left === 0) {
      if (h === top) break;
      h++;
      continue;
    }
    const lane = ctz(left);
    store<i32>(PENDING + level, left & (left - 1));
    const node = (load<i32>(GROUPS + level) << 2) + lane;
    // Boxes beyond the last row mean nothing.
    if (node << (2 * h) >= count) continue;
    const doubt = load<i32>(MASKS + ((<usize>h << 4) | (<usize>lane << 2)));
    if (h > 0) openGroup(--h, node, doubt);
    else appendRow(node, all, doubt);
  }
  return <i32>((out - at.out) >> 2);
}

function openGroup(h: i32, group: i32, mask: i32): void {
  const level = <usize>h << 2;
  const boxes = changetype<Places>(PLACES).levels + load<usize>(STARTS + level) + <usize>group * GROUP;
  store<i32>(GROUPS + level, group);
  const doubt = testGroup(PLANES, boxes, mask);
  v128.store(MASKS + (<usize>h << 4), doubt);
  let left = alive;
  for (let asked = left; asked !== 0; asked &= asked - 1) {
    if (isNodeHidden(boxes + (<usize>ctz(asked) << 2))) left ^= asked & -asked;
  }
  store<i32>(PENDING + level, left);
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
  const at = changetype<Places>(PLACES);
  const ids = at.ids + (<usize>row << 6);
  const boxes = at.rows + <usize>row * ROW;
  const found = testRow(PLANES, boxes, mask);
  const bits = found & ((1 << <i32>load<u8>(at.sizes + row)) - 1);
  const doubt = found >>> 16;
  let end = out;
  for (let group: usize = 0; group < 4; group++) {
    const four = (bits >> (<i32>group << 2)) & 15;
    if (four === 0) continue;
    let kept = four;
    for (let left = four; left !== 0; left &= left - 1) {
      const slot = (group << 2) + <usize>ctz(left);
      const box = at.boxes + <usize>load<i32>(ids + (slot << 2)) * BOX;
      if (isHidden(box) || ((doubt >> <i32>slot) & 1 && boxInPlanes(box, all) < 0)) kept ^= left & -left;
    }
    v128.store(end, i8x16.swizzle(v128.load(ids + (group << 4)), v128.load(TOGETHER + (<usize>kept << 4))));
    end += <usize>popcnt(kept) << 2;
  }
  out = end;
}
