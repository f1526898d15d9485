/**
 * A plain loop over all boxes, two at a time: how fast WebAssembly SIMD is without any structure. The same expressions over
 * the same doubles as in ../exact.mjs, so the answers are the same.
 *
 * From QUESTION on lie the numbers asked with. From BOXES on lie six columns of `count` doubles, minX minY minZ maxX maxY
 * maxZ, and behind them there is room for `count` ids. `count` is even: where there are fewer boxes, the last is empty, its
 * minimum at Infinity and its maximum at -Infinity, and in no answer.
 */

const QUESTION: usize = 64;
/** Numbers of a block of boxes that is culled, and its bytes in a column: all of it lies in the nearest cache. */
const LEAST: usize = 512;
const BLOCK: usize = 2048;
const BOXES: usize = LEAST + BLOCK;

/** The place of a column. */
@inline
function column(c: usize, bytes: usize): usize {
  return BOXES + c * bytes;
}

/** A number of the question, twice. */
@inline
function asked(i: usize): v128 {
  return v128.load_splat<f64>(QUESTION + (i << 3));
}

/** Puts the ids of one or both of two boxes behind `out`, without a branch that could be foretold wrongly. */
@inline
function put(out: usize, at: usize, found: v128): usize {
  const bits = <usize>i64x2.bitmask(found);
  const id = <i32>(at >> 3);
  store<i32>(out, id);
  const next = out + ((bits & 1) << 2);
  store<i32>(next, id + 1);
  return next + ((bits & 2) << 1);
}

@inline
function length(out: usize, bytes: usize): i32 {
  return <i32>((out - column(6, bytes)) >> 2);
}

/** Of a plane's normal, the column of the farther corner. */
@inline
function farther(i: usize, c: usize, bytes: usize): usize {
  return column(load<f64>(QUESTION + (i << 3)) > 0 ? c + 3 : c, bytes);
}

/** Lowers what lies in LEAST for the boxes of a block to how far their farther corners are before a plane. */
@inline
function lower(i: usize, from: usize, to: usize, bytes: usize): void {
  const a = asked(i), b = asked(i + 1), c = asked(i + 2), d = asked(i + 3);
  const x = farther(i, 0, bytes), y = farther(i + 1, 1, bytes), z = farther(i + 2, 2, bytes);
  for (let at = from, least = LEAST; at < to; at += 16, least += 16) {
    const xy = f64x2.add(f64x2.mul(a, v128.load(x + at)), f64x2.mul(b, v128.load(y + at)));
    const far = f64x2.add(f64x2.add(xy, f64x2.mul(c, v128.load(z + at))), d);
    v128.store(least, i === 0 ? far : f64x2.pmin(far, v128.load(least)));
  }
}

/** Ids of the boxes not wholly behind one of six planes: a plane after the other, so that its numbers stay in registers. */
export function cull(count: i32): i32 {
  const bytes = <usize>count << 3;
  let out = column(6, bytes);
  for (let from: usize = 0; from < bytes; from += BLOCK) {
    const to = min(from + BLOCK, bytes);
    lower(0, from, to, bytes);
    lower(4, from, to, bytes);
    lower(8, from, to, bytes);
    lower(12, from, to, bytes);
    lower(16, from, to, bytes);
    lower(20, from, to, bytes);
    for (let at = from, least = LEAST; at < to; at += 16, least += 16) {
      out = put(out, at, f64x2.ge(v128.load(least), f64x2.splat(0)));
    }
  }
  return length(out, bytes);
}

/** Which of two boxes share the extent from `low` to `high` along one axis. */
@inline
function shares(at: usize, c: usize, bytes: usize, low: v128, high: v128): v128 {
  return v128.and(
    f64x2.le(v128.load(column(c, bytes) + at), high),
    f64x2.ge(v128.load(column(c + 3, bytes) + at), low),
  );
}

/** Ids of the boxes that touch a box. */
export function box(count: i32): i32 {
  const bytes = <usize>count << 3;
  const x0 = asked(0), y0 = asked(1), z0 = asked(2);
  const x1 = asked(3), y1 = asked(4), z1 = asked(5);
  let out = column(6, bytes);
  for (let at: usize = 0; at < bytes; at += 16) {
    let touching = shares(at, 0, bytes, x0, x1);
    touching = v128.and(touching, shares(at, 1, bytes, y0, y1));
    touching = v128.and(touching, shares(at, 2, bytes, z0, z1));
    out = put(out, at, touching);
  }
  return length(out, bytes);
}

/** The square of how far two boxes are from a number along one axis. */
@inline
function gap(at: usize, c: usize, bytes: usize, p: v128): v128 {
  const below = f64x2.sub(v128.load(column(c, bytes) + at), p);
  const above = f64x2.sub(p, v128.load(column(c + 3, bytes) + at));
  const d = f64x2.pmax(f64x2.pmax(below, f64x2.splat(0)), above);
  return f64x2.mul(d, d);
}

@inline
function squaredDistance(at: usize, bytes: usize, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(gap(at, 0, bytes, x), gap(at, 1, bytes, y)), gap(at, 2, bytes, z));
}

/** Ids of the boxes that touch a ball: its centre, and the square of its radius. */
export function sphere(count: i32): i32 {
  const bytes = <usize>count << 3;
  const x = asked(0), y = asked(1), z = asked(2), most = asked(3);
  let out = column(6, bytes);
  for (let at: usize = 0; at < bytes; at += 16) {
    out = put(out, at, f64x2.le(squaredDistance(at, bytes, x, y, z), most));
  }
  return length(out, bytes);
}

/** The box nearest to a point, or -1. */
export function nearest(count: i32): i32 {
  const bytes = <usize>count << 3;
  const x = asked(0), y = asked(1), z = asked(2);
  let best: f64 = Infinity;
  let found = -1;
  for (let at: usize = 0; at < bytes; at += 16) {
    const distance = squaredDistance(at, bytes, x, y, z);
    if (!v128.any_true(f64x2.lt(distance, f64x2.splat(best)))) continue;
    const a = f64x2.extract_lane(distance, 0);
    const b = f64x2.extract_lane(distance, 1);
    found = <i32>(at >> 3) + i32(b < a);
    best = min(a, b);
  }
  return found;
}

/** The origin of a ray, and behind it what its direction's numbers divide one to. */
@inline
function along(at: usize, place: usize, c: usize): v128 {
  return f64x2.mul(f64x2.sub(v128.load(place + at), asked(c)), asked(c + 3));
}

/** The column in which a ray enters along an axis; it leaves in the other one. */
@inline
function entering(c: usize, bytes: usize, isLeaving: bool): usize {
  const isForward = load<f64>(QUESTION + ((c + 3) << 3)) > 0;
  return column(isForward === isLeaving ? c + 3 : c, bytes);
}

/** Ids of the boxes that a ray meets; with `isFirst` the id alone of the one it enters first, or -1. */
@inline
function cast(count: i32, isFirst: bool): i32 {
  const bytes = <usize>count << 3;
  const x0 = entering(0, bytes, false), y0 = entering(1, bytes, false), z0 = entering(2, bytes, false);
  const x1 = entering(0, bytes, true), y1 = entering(1, bytes, true), z1 = entering(2, bytes, true);
  let out = column(6, bytes);
  let best: f64 = Infinity;
  let found = -1;
  for (let at: usize = 0; at < bytes; at += 16) {
    const enter = f64x2.pmax(f64x2.pmax(f64x2.pmax(f64x2.splat(0), along(at, x0, 0)), along(at, y0, 1)), along(at, z0, 2));
    const leave = f64x2.pmin(f64x2.pmin(along(at, x1, 0), along(at, y1, 1)), along(at, z1, 2));
    const met = f64x2.le(enter, leave);
    if (!v128.any_true(met)) continue;
    if (!isFirst) {
      out = put(out, at, met);
      continue;
    }
    for (let bits = i64x2.bitmask(met); bits !== 0; bits &= bits - 1) {
      const distance = bits & 1 ? f64x2.extract_lane(enter, 0) : f64x2.extract_lane(enter, 1);
      if (distance >= best) continue;
      best = distance;
      found = <i32>(at >> 3) + ctz(bits);
    }
  }
  return isFirst ? found : length(out, bytes);
}

export function rayAll(count: i32): i32 {
  return cast(count, false);
}

export function rayFirst(count: i32): i32 {
  return cast(count, true);
}
