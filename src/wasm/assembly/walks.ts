/**
 * The walks over one tree, two boxes at a time. What they do, and why, is told in src/query (overlap, raycast, nearest) and
 * in the volumes of src/core, which do the same without SIMD: here are the same expressions over the same doubles, so the
 * answers are the same to the last bit and come in the same order.
 *
 * Nothing is allocated here: the arrays of a tree and the room for results lie where the caller put them.
 */

/** Entries in a row, and bytes of their boxes: four groups of six times four doubles. */
const ROW: i32 = 16;
const ROW_BYTES: usize = 768;
const GROUP_BYTES: usize = 192;
/** Bytes from a coordinate of a group to the next one, and from a minimum to its maximum. */
const SIDE: usize = 32;
const TO_MAX: usize = 96;
/** Bytes of a node's box. */
const BOX_BYTES: usize = 48;

const BOX: i32 = 1;
const SPHERE: i32 = 2;

/** How far a node may sink among its waiting siblings, see src/query/nearest.ts. */
const SHIFTS: usize = 8;

/** Addresses, to be set by the caller. */
@unmanaged
class Places {
  boxes: usize;
  first: usize;
  next: usize;
  row: usize;
  rowBoxes: usize;
  ids: usize;
  sizes: usize;
  /** Where results go and, before them, what waits. */
  out: usize;
  outEnd: usize;
}

/** What lies at fixed addresses: the places, counters, numbers of the question, far corners, a stack, distances. */
const PLACES: usize = 16;
/** Nodes and entries tested by the last walk, and how many items it put at the end of the room for results. */
const NODES_VISITED: usize = 52;
const ITEMS_TESTED: usize = 56;
const INSIDE: usize = 60;
const NUMBERS: usize = 64;
const FAR: usize = 1024;
const STACK: usize = 1392;
const DISTANCES: usize = 2432;
const PAIRS: usize = 2560;
const PAIR_BYTES: usize = 112;

/**
 * Ids of the items that belong to a volume of that kind, from the start of the room for results; with `split` those wholly
 * inside come from its end backwards. Returns the number of the former.
 */
export function overlap(kind: i32, all: i32, split: bool): i32 {
  const at = changetype<Places>(PLACES);
  const boxes = at.boxes;
  const first = at.first;
  const next = at.next;
  const rows = at.row;
  const rowBoxes = at.rowBoxes;
  const sizes = at.sizes;
  if (kind > SPHERE) setPlanes(all);
  let out = at.out;
  let inside = at.outEnd;
  let visited = all === 0 ? 1 : 0;
  let tested = 0;
  let top = STACK;
  let node = 0;
  let mask = all;
  do {
    const after = load<i32>(next + (<usize>node << 2));
    let doubt = 0;
    if (mask !== 0) {
      visited++;
      doubt = testNode(kind, boxes + <usize>node * BOX_BYTES, mask);
    }
    if (doubt >= 0) {
      let child = load<i32>(first + (<usize>node << 2));
      while (child >= 0 && load<i32>(next + (<usize>child << 2)) < 0) {
        node = child;
        child = load<i32>(first + (<usize>node << 2));
      }
      const row = load<i32>(rows + (<usize>node << 2));
      if (row >= 0) {
        const size = <i32>load<u8>(sizes + row);
        const full = (1 << size) - 1;
        if (doubt === 0) {
          if (split) inside = prepend(row, full, inside);
          else out = append(row, full, full, out);
        } else {
          tested += size;
          const place = rowBoxes + <usize>row * ROW_BYTES;
          let bits = testRow(kind, place, size, doubt) & full;
          if (split && bits !== 0) {
            const whole = bits & insideRow(kind, place, size, doubt);
            inside = prepend(row, whole, inside);
            bits &= ~whole;
          }
          out = append(row, bits, full, out);
        }
      } else if (child >= 0) {
        store<i32>(top, after);
        store<i32>(top, mask, 4);
        top += 8;
        node = child;
        mask = doubt;
        continue;
      }
    }
    node = after;
    while (node < 0 && top > STACK) {
      top -= 8;
      node = load<i32>(top);
      mask = load<i32>(top, 4);
    }
  } while (node >= 0);
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  store<i32>(INSIDE, <i32>((at.outEnd - inside) >> 2));
  return <i32>((out - at.out) >> 2);
}

/** Appends the items in those slots of a row whose bits are set, each at its primary entry alone. */
@inline
function append(row: i32, bits: i32, full: i32, out: usize): usize {
  const ids = changetype<Places>(PLACES).ids + (<usize>row << 6);
  const among = bits & primary(ids);
  // There is room for a whole row behind the last item, as the entry of each has one of its own.
  if (among === full) {
    v128.store(out, v128.load(ids));
    v128.store(out, v128.load(ids, 16), 16);
    v128.store(out, v128.load(ids, 32), 32);
    v128.store(out, v128.load(ids, 48), 48);
    return out + (<usize>popcnt(full) << 2);
  }
  let to = out;
  for (let rest = among; rest !== 0; rest &= rest - 1) {
    store<i32>(to, load<i32>(ids + (<usize>ctz(rest) << 2)));
    to += 4;
  }
  return to;
}

/** The same from an address backwards. */
function prepend(row: i32, bits: i32, end: usize): usize {
  const ids = changetype<Places>(PLACES).ids + (<usize>row << 6);
  let to = end;
  for (let rest = bits & primary(ids); rest !== 0; rest &= rest - 1) {
    to -= 4;
    store<i32>(to, load<i32>(ids + (<usize>ctz(rest) << 2)));
  }
  return to;
}

/** The slots, as bits, of the primary entries of the row whose ids lie there. */
@inline
function primary(ids: usize): i32 {
  return ~(
    i32x4.bitmask(v128.load(ids)) |
    (i32x4.bitmask(v128.load(ids, 16)) << 4) |
    (i32x4.bitmask(v128.load(ids, 32)) << 8) |
    (i32x4.bitmask(v128.load(ids, 48)) << 12)
  );
}

@inline
function testNode(kind: i32, box: usize, mask: i32): i32 {
  if (kind === BOX) return nodeInBox(box);
  if (kind === SPHERE) return nodeInSphere(box);
  return nodeInPlanes(box, mask);
}

@inline
function testRow(kind: i32, row: usize, size: i32, mask: i32): i32 {
  if (kind === BOX) return rowInBox(row, size);
  if (kind === SPHERE) return rowInSphere(row, size);
  return rowInPlanes(row, size, mask);
}

function insideRow(kind: i32, row: usize, size: i32, mask: i32): i32 {
  if (kind === BOX) return rowInsideBox(row, size);
  if (kind === SPHERE) return rowInsideSphere(row, size);
  return rowInsidePlanes(row, size, mask);
}

/**
 * For each plane, in x y z, how many bytes behind a box's minimum the coordinate of its farthest corner lies; and the planes
 * two by two: x y z and constant, then for each axis ones where the farthest corner is at the maximum.
 */
function setPlanes(planes: i32): void {
  const count = popcnt(planes);
  for (let p = 0; p < count; p++) {
    const lane = PAIRS + <usize>(p >> 1) * PAIR_BYTES + (<usize>(p & 1) << 3);
    for (let c: usize = 0; c < 4; c++) {
      const number = load<f64>(NUMBERS + (<usize>p << 5) + (c << 3));
      store<f64>(lane + (c << 4), number);
      if (c === 3) break;
      store<i64>(lane + ((c + 4) << 4), number > 0 ? -1 : 0);
      store<i32>(FAR + (<usize>(3 * p) << 2) + (c << 2), number > 0 ? 24 : 0);
    }
  }
}

/** Two planes at a time, without a branch until all that is known of the two is. */
function nodeInPlanes(box: usize, mask: i32): i32 {
  const minX = v128.load_splat<f64>(box);
  const minY = v128.load_splat<f64>(box, 8);
  const minZ = v128.load_splat<f64>(box, 16);
  const maxX = v128.load_splat<f64>(box, 24);
  const maxY = v128.load_splat<f64>(box, 32);
  const maxZ = v128.load_splat<f64>(box, 40);
  const zero = f64x2.splat(0);
  let doubt = 0;
  for (let p = 0, pair = PAIRS; mask >> p !== 0; p += 2, pair += PAIR_BYTES) {
    const asked = (mask >> p) & 3;
    if (asked === 0) continue;
    const x = v128.load(pair);
    const y = v128.load(pair, 16);
    const z = v128.load(pair, 32);
    const w = v128.load(pair, 48);
    const upX = v128.load(pair, 64);
    const upY = v128.load(pair, 80);
    const upZ = v128.load(pair, 96);
    const farX = f64x2.mul(x, v128.bitselect(maxX, minX, upX));
    const farY = f64x2.mul(y, v128.bitselect(maxY, minY, upY));
    const farZ = f64x2.mul(z, v128.bitselect(maxZ, minZ, upZ));
    const far = f64x2.add(f64x2.add(f64x2.add(farX, farY), farZ), w);
    if ((i64x2.bitmask(f64x2.lt(far, zero)) & asked) !== 0) return -1;
    const nearX = f64x2.mul(x, v128.bitselect(minX, maxX, upX));
    const nearY = f64x2.mul(y, v128.bitselect(minY, maxY, upY));
    const nearZ = f64x2.mul(z, v128.bitselect(minZ, maxZ, upZ));
    const near = f64x2.add(f64x2.add(f64x2.add(nearX, nearY), nearZ), w);
    doubt |= (~i64x2.bitmask(f64x2.ge(near, zero)) & asked) << p;
  }
  return doubt;
}

@inline
function negative(x: v128, y: v128, z: v128, w: v128, i: usize, j: usize, k: usize): i32 {
  const d = f64x2.add(
    f64x2.add(f64x2.add(f64x2.mul(x, v128.load(i)), f64x2.mul(y, v128.load(j))), f64x2.mul(z, v128.load(k))),
    w,
  );
  return i64x2.bitmask(f64x2.lt(d, f64x2.splat(0)));
}

function rowInPlanes(row: usize, size: i32, mask: i32): i32 {
  const all = (1 << size) - 1;
  let outside = 0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = ctz(left);
    const plane = NUMBERS + (<usize>p << 5);
    const far = FAR + <usize>p * 12;
    const x = v128.load_splat<f64>(plane);
    const y = v128.load_splat<f64>(plane, 8);
    const z = v128.load_splat<f64>(plane, 16);
    const w = v128.load_splat<f64>(plane, 24);
    let i = row + (<usize>load<i32>(far) << 2);
    let j = row + (<usize>load<i32>(far, 4) << 2) + SIDE;
    let k = row + (<usize>load<i32>(far, 8) << 2) + 2 * SIDE;
    for (let slot = 0; slot < size; slot += 4) {
      outside |= (negative(x, y, z, w, i, j, k) | (negative(x, y, z, w, i + 16, j + 16, k + 16) << 2)) << slot;
      i += GROUP_BYTES;
      j += GROUP_BYTES;
      k += GROUP_BYTES;
    }
    if ((~outside & all) === 0) return 0;
  }
  return ~outside & all;
}

function rowInsidePlanes(row: usize, size: i32, mask: i32): i32 {
  let inside = -1;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = ctz(left);
    const plane = NUMBERS + (<usize>p << 5);
    const far = FAR + <usize>p * 12;
    const i = row + TO_MAX - (<usize>load<i32>(far) << 2);
    const j = row + TO_MAX + SIDE - (<usize>load<i32>(far, 4) << 2);
    const k = row + TO_MAX + 2 * SIDE - (<usize>load<i32>(far, 8) << 2);
    for (let slot = 0; slot < size; slot++) {
      const o = placeOf(slot);
      const x = load<f64>(plane) * load<f64>(i + o);
      const d = x + load<f64>(plane, 8) * load<f64>(j + o) + load<f64>(plane, 16) * load<f64>(k + o);
      if (!(d + load<f64>(plane, 24) >= 0)) inside &= ~(1 << slot);
    }
  }
  return inside;
}

/** Bytes from the start of a row's boxes to the first coordinate of a slot. */
@inline
function placeOf(slot: i32): usize {
  return <usize>(slot >> 2) * GROUP_BYTES + (<usize>(slot & 3) << 3);
}

function nodeInBox(box: usize): i32 {
  const low = NUMBERS;
  if (load<f64>(box) > load<f64>(low, 24) || load<f64>(box, 24) < load<f64>(low)) return -1;
  if (load<f64>(box, 8) > load<f64>(low, 32) || load<f64>(box, 32) < load<f64>(low, 8)) return -1;
  if (load<f64>(box, 16) > load<f64>(low, 40) || load<f64>(box, 40) < load<f64>(low, 16)) return -1;
  return i32(
    !(
      load<f64>(low) <= load<f64>(box) &&
      load<f64>(box, 24) <= load<f64>(low, 24) &&
      load<f64>(low, 8) <= load<f64>(box, 8) &&
      load<f64>(box, 32) <= load<f64>(low, 32) &&
      load<f64>(low, 16) <= load<f64>(box, 16) &&
      load<f64>(box, 40) <= load<f64>(low, 40)
    ),
  );
}

/** Of two slots those whose numbers at `i` do not exceed those of the box's maximum, and the other way round at its minimum. */
@inline
function reaches(i: usize, low: v128, high: v128): v128 {
  return v128.and(f64x2.le(v128.load(i), high), f64x2.ge(v128.load(i, 96), low));
}

function rowInBox(row: usize, size: i32): i32 {
  const minX = v128.load_splat<f64>(NUMBERS);
  const minY = v128.load_splat<f64>(NUMBERS, 8);
  const minZ = v128.load_splat<f64>(NUMBERS, 16);
  const maxX = v128.load_splat<f64>(NUMBERS, 24);
  const maxY = v128.load_splat<f64>(NUMBERS, 32);
  const maxZ = v128.load_splat<f64>(NUMBERS, 40);
  let bits = 0;
  for (let slot = 0, i = row; slot < size; slot += 4, i += GROUP_BYTES) {
    const a = v128.and(reaches(i, minX, maxX), v128.and(reaches(i + 32, minY, maxY), reaches(i + 64, minZ, maxZ)));
    const j = i + 16;
    const b = v128.and(reaches(j, minX, maxX), v128.and(reaches(j + 32, minY, maxY), reaches(j + 64, minZ, maxZ)));
    bits |= (i64x2.bitmask(a) | (i64x2.bitmask(b) << 2)) << slot;
  }
  return bits;
}

function rowInsideBox(row: usize, size: i32): i32 {
  let bits = 0;
  for (let slot = 0; slot < size; slot++) {
    const i = row + placeOf(slot);
    const inX = load<f64>(i) >= load<f64>(NUMBERS) && load<f64>(i, 96) <= load<f64>(NUMBERS, 24);
    const inY = load<f64>(i, 32) >= load<f64>(NUMBERS, 8) && load<f64>(i, 128) <= load<f64>(NUMBERS, 32);
    const inZ = load<f64>(i, 64) >= load<f64>(NUMBERS, 16) && load<f64>(i, 160) <= load<f64>(NUMBERS, 40);
    if (inX && inY && inZ) bits |= 1 << slot;
  }
  return bits;
}

/** How far a number is from an interval, and how far its farther end is. */
@inline
function gap(x: f64, low: f64, high: f64): f64 {
  return (x < low ? low : x > high ? high : x) - x;
}

@inline
function reach(x: f64, low: f64, high: f64): f64 {
  return max<f64>(x - low, high - x);
}

function nodeInSphere(box: usize): i32 {
  const x = load<f64>(NUMBERS);
  const y = load<f64>(NUMBERS, 8);
  const z = load<f64>(NUMBERS, 16);
  const rr = load<f64>(NUMBERS, 24) * load<f64>(NUMBERS, 24);
  const dx = gap(x, load<f64>(box), load<f64>(box, 24));
  const dy = gap(y, load<f64>(box, 8), load<f64>(box, 32));
  const dz = gap(z, load<f64>(box, 16), load<f64>(box, 40));
  if (!(dx * dx + dy * dy + dz * dz <= rr)) return -1;
  const fx = reach(x, load<f64>(box), load<f64>(box, 24));
  const fy = reach(y, load<f64>(box, 8), load<f64>(box, 32));
  const fz = reach(z, load<f64>(box, 16), load<f64>(box, 40));
  return i32(!(fx * fx + fy * fy + fz * fz <= rr));
}

/** The squares of what `gap` gives, for two slots. */
@inline
function gapSquares(i: usize, x: v128): v128 {
  const d = f64x2.sub(f64x2.pmin(f64x2.pmax(x, v128.load(i)), v128.load(i, 96)), x);
  return f64x2.mul(d, d);
}

function rowInSphere(row: usize, size: i32): i32 {
  const x = v128.load_splat<f64>(NUMBERS);
  const y = v128.load_splat<f64>(NUMBERS, 8);
  const z = v128.load_splat<f64>(NUMBERS, 16);
  const radius = load<f64>(NUMBERS, 24);
  const rr = f64x2.splat(radius * radius);
  let bits = 0;
  for (let slot = 0, i = row; slot < size; slot += 4, i += GROUP_BYTES) {
    const a = f64x2.add(f64x2.add(gapSquares(i, x), gapSquares(i + 32, y)), gapSquares(i + 64, z));
    const b = f64x2.add(f64x2.add(gapSquares(i + 16, x), gapSquares(i + 48, y)), gapSquares(i + 80, z));
    bits |= (i64x2.bitmask(f64x2.le(a, rr)) | (i64x2.bitmask(f64x2.le(b, rr)) << 2)) << slot;
  }
  return bits;
}

function rowInsideSphere(row: usize, size: i32): i32 {
  const x = load<f64>(NUMBERS);
  const y = load<f64>(NUMBERS, 8);
  const z = load<f64>(NUMBERS, 16);
  const rr = load<f64>(NUMBERS, 24) * load<f64>(NUMBERS, 24);
  let bits = 0;
  for (let slot = 0; slot < size; slot++) {
    const i = row + placeOf(slot);
    const fx = reach(x, load<f64>(i), load<f64>(i, 96));
    const fy = reach(y, load<f64>(i, 32), load<f64>(i, 128));
    const fz = reach(z, load<f64>(i, 64), load<f64>(i, 160));
    if (fx * fx + fy * fy + fz * fz <= rr) bits |= 1 << slot;
  }
  return bits;
}

/** The ray's numbers: the interval, then for each axis the inverse direction, and what first and last sides are measured from. */
const NEAR: usize = NUMBERS;
const LIMIT: usize = NUMBERS + 8;
const INVERSE: usize = NUMBERS + 16;
const FIRST: usize = NUMBERS + 40;
const LAST: usize = NUMBERS + 64;

/** Bytes from a node's box to the side met first on each axis, then to the one met last, set by `setSides`. */
let firstX: usize = 0;
let firstY: usize = 0;
let firstZ: usize = 0;

function setSides(): void {
  firstX = load<f64>(INVERSE) > 0 ? 0 : 24;
  firstY = load<f64>(INVERSE, 8) > 0 ? 8 : 32;
  firstZ = load<f64>(INVERSE, 16) > 0 ? 16 : 40;
}

/**
 * Where the ray enters a node's box; Infinity when it does not. Branches on the sides would be guessed wrong half of the
 * time; of two numbers pmax and pmin give the first where the second is NaN, which leaves the interval alone.
 */
@inline
function entry(box: usize): f64 {
  // Lanes are x and y.
  const first = v128.load64_lane(box + firstY, v128.load64_zero(box + firstX), 1);
  const last = v128.load64_lane(box + 40 - firstY, v128.load64_zero(box + 24 - firstX), 1);
  const inverse = v128.load(INVERSE);
  const enters = f64x2.mul(f64x2.sub(first, v128.load(FIRST)), inverse);
  const leaves = f64x2.mul(f64x2.sub(last, v128.load(LAST)), inverse);
  const a = f64x2.pmax(v128.load_splat<f64>(NEAR), enters);
  const z = f64x2.pmin(v128.load_splat<f64>(LIMIT), leaves);
  const inverseZ = load<f64>(INVERSE, 16);
  const enterZ = (load<f64>(box + firstZ) - load<f64>(FIRST, 16)) * inverseZ;
  const leaveZ = (load<f64>(box + 56 - firstZ) - load<f64>(LAST, 16)) * inverseZ;
  const enter = f64x2.pmax(f64x2.pmax(a, v128.shuffle<u64>(a, a, 1, 0)), f64x2.splat(enterZ));
  const leave = f64x2.pmin(f64x2.pmin(z, v128.shuffle<u64>(z, z, 1, 0)), f64x2.splat(leaveZ));
  const at = f64x2.extract_lane(enter, 0);
  return at > f64x2.extract_lane(leave, 0) ? Infinity : at;
}

/** The slots, as bits, of the boxes of a row that the ray meets, and in DISTANCES where it enters them. */
function rowOnRay(row: usize, size: i32): i32 {
  const near = v128.load_splat<f64>(NEAR);
  const far = v128.load_splat<f64>(LIMIT);
  const infinity = f64x2.splat(Infinity);
  const ix = v128.load_splat<f64>(INVERSE);
  const iy = v128.load_splat<f64>(INVERSE, 8);
  const iz = v128.load_splat<f64>(INVERSE, 16);
  const ax: usize = load<f64>(INVERSE) > 0 ? 0 : TO_MAX;
  const ay: usize = (load<f64>(INVERSE, 8) > 0 ? 0 : TO_MAX) + SIDE;
  const az: usize = (load<f64>(INVERSE, 16) > 0 ? 0 : TO_MAX) + 2 * SIDE;
  const zx = TO_MAX - ax;
  const zy = TO_MAX + 2 * SIDE - ay;
  const zz = TO_MAX + 4 * SIDE - az;
  const fx = v128.load_splat<f64>(FIRST);
  const fy = v128.load_splat<f64>(FIRST, 8);
  const fz = v128.load_splat<f64>(FIRST, 16);
  const lx = v128.load_splat<f64>(LAST);
  const ly = v128.load_splat<f64>(LAST, 8);
  const lz = v128.load_splat<f64>(LAST, 16);
  let bits = 0;
  for (let slot = 0; slot < size; slot += 2) {
    const g = row + placeOf(slot);
    // A number that is not one leaves the interval alone: of two numbers pmax and pmin then give the first.
    const x = f64x2.pmax(near, f64x2.mul(f64x2.sub(v128.load(g + ax), fx), ix));
    const y = f64x2.pmax(x, f64x2.mul(f64x2.sub(v128.load(g + ay), fy), iy));
    const enter = f64x2.pmax(y, f64x2.mul(f64x2.sub(v128.load(g + az), fz), iz));
    const u = f64x2.pmin(far, f64x2.mul(f64x2.sub(v128.load(g + zx), lx), ix));
    const v = f64x2.pmin(u, f64x2.mul(f64x2.sub(v128.load(g + zy), ly), iy));
    const leave = f64x2.pmin(v, f64x2.mul(f64x2.sub(v128.load(g + zz), lz), iz));
    v128.store(DISTANCES + (<usize>slot << 3), enter);
    bits |= i64x2.bitmask(v128.and(f64x2.le(enter, leave), f64x2.lt(enter, infinity))) << slot;
  }
  return bits & ((1 << size) - 1);
}

/** All items on the ray, in no order, as a distance and an id of 8 bytes each; their number, or -1 for want of room. */
export function raycast(): i32 {
  const at = changetype<Places>(PLACES);
  setSides();
  let out = at.out;
  let top = STACK;
  let node = 0;
  let visited = 0;
  let tested = 0;
  do {
    const after = load<i32>(at.next + (<usize>node << 2));
    visited++;
    if (entry(at.boxes + <usize>node * BOX_BYTES) < Infinity) {
      let child = load<i32>(at.first + (<usize>node << 2));
      while (child >= 0 && load<i32>(at.next + (<usize>child << 2)) < 0) {
        node = child;
        child = load<i32>(at.first + (<usize>node << 2));
      }
      const row = load<i32>(at.row + (<usize>node << 2));
      if (row >= 0) {
        const size = <i32>load<u8>(at.sizes + row);
        tested += size;
        if (out + 16 * ROW > at.outEnd) return -1;
        const ids = at.ids + (<usize>row << 6);
        const bits = rowOnRay(at.rowBoxes + <usize>row * ROW_BYTES, size);
        for (let rest = bits & primary(ids); rest !== 0; rest &= rest - 1) {
          const k = <usize>ctz(rest);
          store<f64>(out, load<f64>(DISTANCES + (k << 3)));
          store<i32>(out, load<i32>(ids + (k << 2)), 8);
          out += 16;
        }
      } else if (child >= 0) {
        store<i32>(top, after);
        top += 4;
        node = child;
        continue;
      }
    }
    node = after;
    while (node < 0 && top > STACK) {
      top -= 4;
      node = load<i32>(top);
    }
  } while (node >= 0);
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  return <i32>((out - at.out) >> 4);
}

/** The item the ray meets first, of several the lowest id, or -1, and its distance in DISTANCES; -2 for want of room. */
export function raycastFirst(): i32 {
  const at = changetype<Places>(PLACES);
  setSides();
  const start = at.out;
  let top = start + 16;
  let best = -1;
  let visited = 0;
  let tested = 0;
  store<f64>(start, load<f64>(NEAR));
  store<i32>(start, 0, 8);
  while (top > start) {
    top -= 16;
    if (load<f64>(top) > load<f64>(LIMIT)) continue;
    const node = <usize>load<i32>(top, 8);
    const row = load<i32>(at.row + (node << 2));
    if (row >= 0) {
      const size = <i32>load<u8>(at.sizes + row);
      tested += size;
      const ids = at.ids + (<usize>row << 6);
      const bits = rowOnRay(at.rowBoxes + <usize>row * ROW_BYTES, size);
      for (let rest = bits & primary(ids); rest !== 0; rest &= rest - 1) {
        const k = <usize>ctz(rest);
        const distance = load<f64>(DISTANCES + (k << 3));
        const id = load<i32>(ids + (k << 2));
        const limit = load<f64>(LIMIT);
        if (distance > limit || (best >= 0 && distance === limit && id > best)) continue;
        best = id;
        store<f64>(LIMIT, distance);
      }
      continue;
    }
    const base = top;
    for (let child = load<i32>(at.first + (node << 2)); child >= 0; child = load<i32>(at.next + (<usize>child << 2))) {
      visited++;
      const distance = entry(at.boxes + <usize>child * BOX_BYTES);
      if (distance === Infinity) continue;
      if (top + 16 > at.outEnd) return -2;
      const lowest = max<usize>(base, top - 16 * min<usize>(SHIFTS, (top - base) >> 4));
      let i = top;
      top += 16;
      for (; i > lowest && load<f64>(i - 16) < distance; i -= 16) v128.store(i, v128.load(i - 16));
      store<f64>(i, distance);
      store<i32>(i, child, 8);
    }
  }
  store<i32>(NODES_VISITED, visited);
  store<i32>(ITEMS_TESTED, tested);
  store<f64>(DISTANCES, load<f64>(LIMIT));
  return best;
}
