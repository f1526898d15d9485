/** Bits of a position: ten for each of three axes, or fifteen for each of two. Tables take CURVE_BITS at a time. */
const KEY_BITS = 30;
const CURVE_BITS = 6;
const CURVE_STEPS = 2 ** CURVE_BITS;
/** The bits for the next state in an element of the table. */
const STATE = ~(CURVE_STEPS - 1);

/**
 * Keys along a Hilbert curve that fills a cube, or a square on XZ: neighbouring keys are neighbouring positions.
 *
 * The state of the curve in a cell is its first corner, and the axis along which it leaves (Hamilton and Rau-Chaplin,
 * Compact Hilbert Indices, 2008). A table maps a state and six bits of a position to six bits of the key and the next
 * state.
 */
export class HilbertCurve {
  readonly table: CurveTable;
  readonly planar: boolean;
  /** Twice the lowest coordinates, and positions per unit of min + max, twice a box's centre. */
  readonly low: Float64Array = new Float64Array(3);
  perUnit = 0;

  constructor(planar: boolean) {
    this.planar = planar;
    const axes = planar ? 2 : 3;
    tables[axes] ??= makeTable(axes);
    this.table = tables[axes];
  }

  /** Makes the curve fill the cube around a box. */
  fill(box: Float64Array): void {
    const longest = Math.max(box[3] - box[0], this.planar ? 0 : box[4] - box[1], box[5] - box[2]);
    for (let c = 0; c < 3; c++) this.low[c] = 2 * box[c];
    this.perUnit = longest > 0 ? Math.min((this.table.steps - 0.001) / (2 * longest), 2 ** 600) : 0;
  }

  shift(x: number, y: number, z: number): void {
    this.low[0] += 2 * x;
    this.low[1] += 2 * y;
    this.low[2] += 2 * z;
  }

  /**
   * The key of the box at `o`: two bits for its size, then 28 for its centre, clamped to the cube. So large boxes, such
   * as ground planes, come last and do not enlarge the rows of small boxes.
   */
  keyOf(boxes: Float64Array, o: number): number {
    const { spread, next, steps } = this.table;
    const low = this.low;
    const most = steps - 1;
    const u = (boxes[o] + boxes[o + 3] - low[0]) * this.perUnit;
    const w = (boxes[o + 2] + boxes[o + 5] - low[2]) * this.perUnit;
    const x = u > 0 ? (u < most ? u | 0 : most) : 0;
    const z = w > 0 ? (w < most ? w | 0 : most) : 0;
    let bits: number;
    if (this.planar) {
      bits = spread[x] | (spread[z] << 1);
    } else {
      const v = (boxes[o + 1] + boxes[o + 4] - low[1]) * this.perUnit;
      const y = v > 0 ? (v < most ? v | 0 : most) : 0;
      bits = spread[x] | (spread[z] << 1) | (spread[y] << 2);
    }
    let at = next[bits >>> 24];
    let key = at & 63;
    at = next[(at & STATE) | ((bits >>> 18) & 63)];
    key = (key << 6) | (at & 63);
    at = next[(at & STATE) | ((bits >>> 12) & 63)];
    key = (key << 6) | (at & 63);
    at = next[(at & STATE) | ((bits >>> 6) & 63)];
    key = (key << 6) | (at & 63);
    at = next[(at & STATE) | (bits & 63)];
    key = (key << 6) | (at & 63);
    // `Math.max` would differ from kernels for an edge that is NaN, as at infinity.
    let longest = boxes[o + 3] - boxes[o];
    const dy = this.planar ? 0 : boxes[o + 4] - boxes[o + 1];
    const dz = boxes[o + 5] - boxes[o + 2];
    if (longest < dy) longest = dy;
    if (longest < dz) longest = dz;
    // `perUnit` is meant for min + max, in which an edge counts twice.
    const edge = 2 * longest * this.perUnit;
    const size = edge > steps / 64 ? (edge > steps / 16 ? (edge > steps / 4 ? 3 : 2) : 1) : 0;
    return (size << 28) | (key >> 2);
  }

  /** True when the centre of the box at `o` lies outside the cube. */
  misses(boxes: Float64Array, o: number): boolean {
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.planar) continue;
      const step = (boxes[o + c] + boxes[o + c + 3] - this.low[c]) * this.perUnit;
      if (!(step >= 0 && step <= this.table.steps)) return true;
    }
    return false;
  }
}

interface CurveTable {
  /** Number of positions along each axis. */
  readonly steps: number;
  /** The bits of a position on one axis, with gaps for the bits of the other axes. */
  readonly spread: Int32Array;
  /** By state and six bits of a position: the index at which the next state begins, plus six bits of the key. */
  readonly next: Uint16Array;
}

/** The tables for two and for three axes, made when first needed. */
const tables: (CurveTable | undefined)[] = [];

function makeTable(axes: number): CurveTable {
  const steps = 2 ** (KEY_BITS / axes);
  const corners = 2 ** axes;
  const spread = Int32Array.from({ length: steps }, (_, step) => {
    let bits = 0;
    for (let b = 0; b < KEY_BITS / axes; b++) bits |= ((step >> b) & 1) << (axes * b);
    return bits;
  });
  const turn = (bits: number, by: number): number => ((bits << by) | (bits >> (axes - by))) & (corners - 1);
  // The curve visits the corners of a cell in the order of the Gray code, turned and mirrored.
  const rank: number[] = [];
  const then: number[] = [];
  for (let entry = 0; entry < corners; entry++) {
    for (let axis = 0; axis < axes; axis++) {
      const state = entry * axes + axis;
      const by = (axis + 1) % axes;
      for (let nth = 0; nth < corners; nth++) {
        const corner = entry ^ turn(gray(nth), by);
        rank[state * corners + corner] = nth;
        const enters = entry ^ turn(nth === 0 ? 0 : gray((nth - 1) & ~1), by);
        then[state * corners + corner] = enters * axes + ((axis + leavesAlong(nth, axes) + 1) % axes);
      }
    }
  }
  const next = new Uint16Array(corners * axes * CURVE_STEPS);
  for (let i = 0; i < next.length; i++) {
    let state = i >> CURVE_BITS;
    let digit = 0;
    for (let shift = CURVE_BITS - axes; shift >= 0; shift -= axes) {
      const at = state * corners + ((i >> shift) & (corners - 1));
      digit = digit * corners + rank[at];
      state = then[at];
    }
    next[i] = state * CURVE_STEPS + digit;
  }
  return { steps, spread, next };
}

function gray(n: number): number {
  return n ^ (n >> 1);
}

/** The axis along which the curve leaves the nth corner: the number of trailing ones of n, or of n - 1 if n is even. */
function leavesAlong(nth: number, axes: number): number {
  let ones = 0;
  if (nth > 0) for (let n = nth & 1 ? nth : nth - 1; n & 1; n >>= 1) ones++;
  return ones % axes;
}
