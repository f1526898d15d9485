import { BOX, SPHERE } from '../exact/volume';
import { QUAD, ROUGH, SIDE, TO_MAX } from './layout';

/** Bits of the boxes of a quad that its last test found not surely outside. See src/packed. */
export let alive: i32 = 0;

@inline
export function testQuad(kind: i32, quad: usize, mask: i32): v128 {
  if (kind === BOX) return quadInBox(quad);
  if (kind === SPHERE) return quadInSphere(quad);
  return quadInPlanes(quad, mask);
}

/** Bits of the seats that are not surely outside; 16 bits higher, bits of the seats in doubt. */
@inline
export function testRow(kind: i32, row: usize, mask: i32): i32 {
  if (kind === BOX) return rowInBox(row);
  if (kind === SPHERE) return rowInSphere(row);
  return rowInPlanes(row, mask, 0);
}

/** Like `testRow`, but asks whether boxes lie wholly on the inner sides of planes. */
export function testRowInside(row: usize, mask: i32): i32 {
  return rowInPlanes(row, mask, TO_MAX);
}

/** Boxes surely outside on one axis; the numbers of the `RoughBox` for this axis begin at `numbers`. */
@inline
function beyond(at: usize, numbers: usize): v128 {
  return v128.or(
    f32x4.gt(v128.load(at), v128.load32_splat(numbers, 36)),
    f32x4.lt(v128.load(at, TO_MAX), v128.load32_splat(numbers, 24)),
  );
}

@inline
function within(at: usize, numbers: usize, low: usize, high: usize): v128 {
  return v128.and(
    f32x4.gt(v128.load(at), v128.load32_splat(numbers + low)),
    f32x4.lt(v128.load(at, TO_MAX), v128.load32_splat(numbers + high)),
  );
}

function quadInBox(at: usize): v128 {
  const outside = v128.or(
    beyond(at, ROUGH),
    v128.or(beyond(at + SIDE, ROUGH + 4), beyond(at + 2 * SIDE, ROUGH + 8)),
  );
  alive = ~i32x4.bitmask(outside) & 15;
  const inside = v128.and(
    within(at, ROUGH, 0, 12),
    v128.and(within(at + SIDE, ROUGH + 4, 0, 12), within(at + 2 * SIDE, ROUGH + 8, 0, 12)),
  );
  return v128.andnot(i32x4.splat(1), inside);
}

function rowInBox(row: usize): i32 {
  let outside = 0;
  let sure = 0;
  for (let seat = 0, at = row; seat < 16; seat += 4, at += QUAD) {
    const off = v128.or(
      beyond(at, ROUGH),
      v128.or(beyond(at + SIDE, ROUGH + 4), beyond(at + 2 * SIDE, ROUGH + 8)),
    );
    const on = v128.and(
      meets(at, ROUGH),
      v128.and(meets(at + SIDE, ROUGH + 4), meets(at + 2 * SIDE, ROUGH + 8)),
    );
    outside |= i32x4.bitmask(off) << seat;
    sure |= i32x4.bitmask(on) << seat;
  }
  return join(~outside & 0xffff, ~sure);
}

@inline
function meets(at: usize, numbers: usize): v128 {
  return v128.and(
    f32x4.lt(v128.load(at), v128.load32_splat(numbers, 36)),
    f32x4.gt(v128.load(at, TO_MAX), v128.load32_splat(numbers, 24)),
  );
}

@inline
function join(bits: i32, doubt: i32): i32 {
  return bits | ((bits & doubt) << 16);
}

@inline
function gap(at: usize, x: v128): v128 {
  const below = f32x4.sub(v128.load(at), x);
  const above = f32x4.sub(x, v128.load(at, TO_MAX));
  const d = f32x4.max(f32x4.max(below, above), f32x4.splat(0));
  return f32x4.mul(d, d);
}

@inline
function reach(at: usize, x: v128): v128 {
  const below = f32x4.sub(v128.load(at), x);
  const above = f32x4.sub(x, v128.load(at, TO_MAX));
  const d = f32x4.max(f32x4.neg(below), f32x4.neg(above));
  return f32x4.mul(d, d);
}

function quadInSphere(at: usize): v128 {
  const x = v128.load32_splat(ROUGH);
  const y = v128.load32_splat(ROUGH, 4);
  const z = v128.load32_splat(ROUGH, 8);
  const near = f32x4.add(f32x4.add(gap(at, x), gap(at + SIDE, y)), gap(at + 2 * SIDE, z));
  const far = f32x4.add(f32x4.add(reach(at, x), reach(at + SIDE, y)), reach(at + 2 * SIDE, z));
  alive = ~i32x4.bitmask(f32x4.gt(near, v128.load32_splat(ROUGH, 16))) & 15;
  return v128.andnot(i32x4.splat(1), f32x4.le(far, v128.load32_splat(ROUGH, 12)));
}

function rowInSphere(row: usize): i32 {
  const x = v128.load32_splat(ROUGH);
  const y = v128.load32_splat(ROUGH, 4);
  const z = v128.load32_splat(ROUGH, 8);
  const inner = v128.load32_splat(ROUGH, 12);
  const outer = v128.load32_splat(ROUGH, 16);
  let outside = 0;
  let sure = 0;
  for (let seat = 0, at = row; seat < 16; seat += 4, at += QUAD) {
    const square = f32x4.add(f32x4.add(gap(at, x), gap(at + SIDE, y)), gap(at + 2 * SIDE, z));
    outside |= i32x4.bitmask(f32x4.gt(square, outer)) << seat;
    sure |= i32x4.bitmask(f32x4.le(square, inner)) << seat;
  }
  return join(~outside & 0xffff, ~sure);
}

/** Distances of four corners from a plane. */
@inline
function distance(i: usize, j: usize, k: usize, x: v128, y: v128, z: v128, w: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(x, v128.load(i)), f32x4.mul(y, v128.load(j))),
    f32x4.add(f32x4.mul(z, v128.load(k)), w),
  );
}

function quadInPlanes(at: usize, mask: i32): v128 {
  let outside = i32x4.splat(0);
  let doubt = i32x4.splat(0);
  for (let left = mask; left !== 0; left &= left - 1) {
    const bit = left & -left;
    const p = ROUGH + <usize>ctz(left) * 24;
    const x = v128.load32_splat(p);
    const y = v128.load32_splat(p, 4);
    const z = v128.load32_splat(p, 8);
    const w = v128.load32_splat(p, 12);
    const farX: usize = load<f32>(p) > 0 ? TO_MAX : 0;
    const farY: usize = load<f32>(p, 4) > 0 ? TO_MAX : 0;
    const farZ: usize = load<f32>(p, 8) > 0 ? TO_MAX : 0;
    const y0 = at + SIDE;
    const z0 = at + 2 * SIDE;
    const far = distance(at + farX, y0 + farY, z0 + farZ, x, y, z, w);
    outside = v128.or(outside, f32x4.lt(far, v128.load32_splat(p, 16)));
    const near = distance(at + TO_MAX - farX, y0 + TO_MAX - farY, z0 + TO_MAX - farZ, x, y, z, w);
    doubt = v128.or(doubt, v128.andnot(i32x4.splat(bit), f32x4.ge(near, v128.load32_splat(p, 20))));
  }
  alive = ~i32x4.bitmask(outside) & 15;
  return doubt;
}

/** Tests the farthest corners of boxes, or with an `other` of TO_MAX the nearest. */
function rowInPlanes(row: usize, mask: i32, other: usize): i32 {
  let out0 = i32x4.splat(0);
  let out1 = out0;
  let out2 = out0;
  let out3 = out0;
  let sure0 = i32x4.splat(-1);
  let sure1 = sure0;
  let sure2 = sure0;
  let sure3 = sure0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = ROUGH + <usize>ctz(left) * 24;
    const x = v128.load32_splat(p);
    const y = v128.load32_splat(p, 4);
    const z = v128.load32_splat(p, 8);
    const w = v128.load32_splat(p, 12);
    const low = v128.load32_splat(p, 16);
    const high = v128.load32_splat(p, 20);
    const i = row + (load<f32>(p) > 0 ? TO_MAX - other : other);
    const j = row + SIDE + (load<f32>(p, 4) > 0 ? TO_MAX - other : other);
    const k = row + 2 * SIDE + (load<f32>(p, 8) > 0 ? TO_MAX - other : other);
    const d0 = distance(i, j, k, x, y, z, w);
    const d1 = distance(i + QUAD, j + QUAD, k + QUAD, x, y, z, w);
    const d2 = distance(i + 2 * QUAD, j + 2 * QUAD, k + 2 * QUAD, x, y, z, w);
    const d3 = distance(i + 3 * QUAD, j + 3 * QUAD, k + 3 * QUAD, x, y, z, w);
    out0 = v128.or(out0, f32x4.lt(d0, low));
    out1 = v128.or(out1, f32x4.lt(d1, low));
    out2 = v128.or(out2, f32x4.lt(d2, low));
    out3 = v128.or(out3, f32x4.lt(d3, low));
    sure0 = v128.and(sure0, f32x4.ge(d0, high));
    sure1 = v128.and(sure1, f32x4.ge(d1, high));
    sure2 = v128.and(sure2, f32x4.ge(d2, high));
    sure3 = v128.and(sure3, f32x4.ge(d3, high));
  }
  const outside = bitsOf(out0, out1, out2, out3);
  return join(~outside & 0xffff, ~bitsOf(sure0, sure1, sure2, sure3));
}

@inline
function bitsOf(a: v128, b: v128, c: v128, d: v128): i32 {
  return i32x4.bitmask(a) | (i32x4.bitmask(b) << 4) | (i32x4.bitmask(c) << 8) | (i32x4.bitmask(d) << 12);
}
