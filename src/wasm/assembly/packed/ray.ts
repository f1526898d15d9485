import { entry as exactEntry, LIMIT, setSides } from '../exact/ray';
import { BOX, ENTRIES, QUAD, ITEMS_TESTED, NODES_VISITED, PER_UNIT, ADDRESSES, Addresses, ROUGH, ROW, SIDE, SPARE, STARTS, TINY, TO_MAX, WAITING } from './layout';
import { pushBoxes, WAITING_BYTES } from './waiting';

/** The values of src/packed/RoughRay.ts and RoughVolume.ts. */
const LATER: f32 = 1.0000019073486328;
const FAR: f64 = 1152921504606846976;
const NEAR: usize = ROUGH + 36;
const END: usize = ROUGH + 40;

/** The inverse direction of the ray for four boxes, and bytes from a quad to the sides met first on each axis. */
let ix: v128 = i32x4.splat(0);
let iy: v128 = i32x4.splat(0);
let iz: v128 = i32x4.splat(0);
let firstX: usize = 0;
let firstY: usize = 0;
let firstZ: usize = 0;

function splat(): void {
  ix = v128.load32_splat(ROUGH);
  iy = v128.load32_splat(ROUGH, 4);
  iz = v128.load32_splat(ROUGH, 8);
  firstX = load<f32>(ROUGH) > 0 ? 0 : TO_MAX;
  firstY = SIDE + (load<f32>(ROUGH, 4) > 0 ? 0 : TO_MAX);
  firstZ = 2 * SIDE + (load<f32>(ROUGH, 8) > 0 ? 0 : TO_MAX);
}

/** Least distances at which the ray enters four boxes. If the second argument is NaN, pmax and pmin return the first. */
@inline
function enters(x: usize, y: usize, z: usize, near: v128, jx: v128, jy: v128, jz: v128, fx: v128, fy: v128, fz: v128): v128 {
  const a = f32x4.pmax(near, f32x4.mul(f32x4.sub(v128.load(x), fx), jx));
  const b = f32x4.pmax(a, f32x4.mul(f32x4.sub(v128.load(y), fy), jy));
  return f32x4.pmax(b, f32x4.mul(f32x4.sub(v128.load(z), fz), jz));
}

/** Greatest distances at which the ray leaves four boxes. */
@inline
function leaves(x: usize, y: usize, z: usize, far: v128, jx: v128, jy: v128, jz: v128, lx: v128, ly: v128, lz: v128): v128 {
  const a = f32x4.pmin(far, f32x4.mul(f32x4.sub(v128.load(x), lx), jx));
  const b = f32x4.pmin(a, f32x4.mul(f32x4.sub(v128.load(y), ly), jy));
  const c = f32x4.pmin(b, f32x4.mul(f32x4.sub(v128.load(z), lz), jz));
  return f32x4.mul(c, f32x4.splat(LATER));
}

/** Pushes the boxes of a quad that the ray may meet, above `base`, nearest on top; returns the new top. */
function openQuad(h: i32, quad: i32, base: usize): usize {
  const tiers = changetype<Addresses>(ADDRESSES).tiers + load<usize>(STARTS + (<usize>h << 2));
  const at = tiers + <usize>quad * QUAD;
  const x = at + firstX;
  const y = at + firstY;
  const z = at + firstZ;
  const fx = v128.load32_splat(ROUGH, 12);
  const fy = v128.load32_splat(ROUGH, 16);
  const fz = v128.load32_splat(ROUGH, 20);
  const enter = enters(x, y, z, v128.load32_splat(NEAR), ix, iy, iz, fx, fy, fz);
  const lx = v128.load32_splat(ROUGH, 24);
  const ly = v128.load32_splat(ROUGH, 28);
  const lz = v128.load32_splat(ROUGH, 32);
  const u = at + TO_MAX - firstX;
  const v = at + 2 * SIDE + TO_MAX - firstY;
  const w = at + 4 * SIDE + TO_MAX - firstZ;
  const met = i32x4.bitmask(f32x4.le(enter, leaves(u, v, w, v128.load32_splat(END), ix, iy, iz, lx, ly, lz)));
  v128.store(ENTRIES, enter);
  return pushBoxes(h, quad, met, base, base, 4);
}

let visited: i32 = 0;
let tested: i32 = 0;

/**
 * Writes the items on the ray, 8 bytes each for distance and id: all in no order, or with `first` only the nearest, of
 * several the lowest id. Returns the number of items, or -1 without room.
 */
export function raycast(first: bool): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  setSides();
  splat();
  visited = 4;
  tested = 0;
  let out = at.out;
  let top = openQuad(at.top, 0, WAITING);
  while (top > WAITING) {
    top -= WAITING_BYTES;
    if (load<f32>(top, 8) > load<f32>(END)) continue;
    const h = load<i32>(top);
    const node = load<i32>(top, 4);
    if (h > 0) {
      visited += 4;
      top = openQuad(h - 1, node, top);
    } else if (node < at.count) {
      if (out + 256 > at.outEnd) return -1;
      const ids = at.ids + (<usize>node << 6);
      for (let left = rowOnRay(node); left !== 0; left &= left - 1) {
        const id = load<i32>(ids + (<usize>ctz(left) << 2));
        const distance = exactEntry(at.boxes + <usize>id * BOX);
        if (distance === Infinity) continue;
        if (first) {
          if (out > at.out && distance === load<f64>(LIMIT) && id > load<i32>(at.out, 8)) continue;
          out = at.out;
          store<f64>(LIMIT, distance);
          const far = distance * load<f64>(PER_UNIT) * SPARE + TINY;
          store<f32>(END, far <= FAR ? <f32>far : Infinity);
        }
        store<f64>(out, distance);
        store<i32>(out, id, 8);
        out += 16;
      }
    }
  }
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  return <i32>((out - at.out) >> 4);
}

function rowOnRay(row: i32): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const size = <i32>load<u8>(at.sizes + row);
  tested += size;
  const boxes = at.rows + <usize>row * ROW;
  let x = boxes + firstX;
  let y = boxes + firstY;
  let z = boxes + firstZ;
  let u = boxes + TO_MAX - firstX;
  let v = boxes + 2 * SIDE + TO_MAX - firstY;
  let w = boxes + 4 * SIDE + TO_MAX - firstZ;
  const jx = ix;
  const jy = iy;
  const jz = iz;
  const near = v128.load32_splat(NEAR);
  const far = v128.load32_splat(END);
  const fx = v128.load32_splat(ROUGH, 12);
  const fy = v128.load32_splat(ROUGH, 16);
  const fz = v128.load32_splat(ROUGH, 20);
  const lx = v128.load32_splat(ROUGH, 24);
  const ly = v128.load32_splat(ROUGH, 28);
  const lz = v128.load32_splat(ROUGH, 32);
  let bits = 0;
  for (let seat = 0; seat < size; seat += 4) {
    const enter = enters(x, y, z, near, jx, jy, jz, fx, fy, fz);
    bits |= i32x4.bitmask(f32x4.le(enter, leaves(u, v, w, far, jx, jy, jz, lx, ly, lz))) << seat;
    x += QUAD;
    y += QUAD;
    z += QUAD;
    u += QUAD;
    v += QUAD;
    w += QUAD;
  }
  return bits & ((1 << size) - 1);
}
