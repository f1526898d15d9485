/** Bytes of a quad, a row, and a box in double precision; from a side of a quad to the next, from minima to maxima. */
export const QUAD: usize = 96;
export const ROW: usize = 384;
export const BOX: usize = 48;
export const SIDE: usize = 16;
export const TO_MAX: usize = 48;

/** Seats of a row, and the seat of an id without an item. */
export const SEATS: i32 = 16;
export const NOWHERE: i32 = -1;
/** The factor and the sum by which distances are widened, as in src/packed/RoughRay.ts and RoughVolume.ts. */
export const SPARE: f64 = 1.00000095367431640625;
export const TINY: f64 = 8.077935669463161e-28;

/** Addresses of the arrays of `PackedRows` and of the room for results; `count` and `top`. The caller sets them. */
@unmanaged
export class Addresses {
  boxes: usize;
  seats: usize;
  rows: usize;
  ids: usize;
  sizes: usize;
  tiers: usize;
  firstKeys: usize;
  out: usize;
  outEnd: usize;
  count: i32;
  top: i32;
}

// Data at fixed addresses. The caller knows these by ../../packedLayout.ts, which build.mjs writes from this file.

/** Results of a query: nodes visited, items tested, and number of results at the end; then the `Addresses` above. */
export const NODES_VISITED: usize = 0;
export const ITEMS_TESTED: usize = 4;
export const INSIDE: usize = 8;
export const ADDRESSES: usize = 16;
export const COUNT: usize = 52;
export const TOP: usize = 56;
/** Numbers of a volume, ray or point, in double precision. */
export const NUMBERS: usize = 64;
/** Units of the rough ray or point for each unit of the exact one. */
export const PER_UNIT: usize = 1032;
/** Origin twice over, and scale of the frame; slack of boxes. */
export const FRAME: usize = 1040;
export const SLACK: usize = 1096;
/** For each tier, its offset in bytes from the first tier. */
export const STARTS: usize = 1104;
/** Numbers of the rough volume, ray or point. */
export const ROUGH: usize = 1168;
/** For each subset of four seats, the shuffle that moves its ids together. */
export const TOGETHER: usize = 1888;
/** For each tier: the open quad, its boxes to visit, and the conditions in doubt for each box. */
export const QUADS: usize = 2144;
export const TO_VISIT: usize = 2208;
export const MASKS: usize = 2272;
/** The stack of boxes to visit: tier, number within the tier, `RoughDistance.entry`, 12 bytes; `entry` for a quad. */
export const WAITING: usize = 2528;
export const ENTRIES: usize = 3296;
/** The nearest items found, 64 at most, a distance and an id of 8 bytes each, and room for one more. */
export const FOUND: usize = 3312;
/**
 * The curve: `low` of x and y, `perUnit` for x, y and z, `low` of z, and the number of positions along an axis, in
 * double precision; and the table of keys and states.
 */
export const CURVE: usize = 4352;
export const NEXT: usize = 4416;
/** The number of keys with a digit, for each of 256 digits in four positions. */
export const COUNTS: usize = 7488;
/** The memory from here on is free. */
export const FREE: usize = 11584;
