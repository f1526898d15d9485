/** Bytes of a group of four boxes, of a row, of a box in double precision; from a coordinate of a group to the next. */
export const GROUP: usize = 96;
export const ROW: usize = 384;
export const BOX: usize = 48;
export const SIDE: usize = 16;
export const TO_MAX: usize = 48;

/** Addresses of the arrays of `PackedRows`, of the room for results, and what else the caller sets. */
@unmanaged
export class Places {
  boxes: usize;
  slots: usize;
  rows: usize;
  ids: usize;
  sizes: usize;
  levels: usize;
  out: usize;
  outEnd: usize;
  count: i32;
  top: i32;
}

/** What lies at fixed addresses, behind what ../walk/layout.ts has there. */
export const PLACES: usize = 4352;
/** For each level, bytes from the first level to it. */
export const STARTS: usize = 4416;
/** Numbers of the rough volume or ray, and how many of its units a distance of the ray is. */
export const ROUGH: usize = 4480;
export const PER_UNIT: usize = 5208;
/** Origin three times over, scale and slack of the frame. */
export const FRAME: usize = 5216;
export const SLACK: usize = 5272;
/** For each set of four slots, the bytes of their ids moved together. */
export const TOGETHER: usize = 5280;
/** For each level: the group that is open, its boxes that are still to be visited, and what is in doubt for each. */
export const GROUPS: usize = 5536;
export const PENDING: usize = 5600;
export const MASKS: usize = 5664;
/** Boxes that wait: level, place in it, and where a ray enters, 12 bytes each. */
export const WAITING: usize = 5920;
export const ENTRIES: usize = 6688;
/** The nearest items found, 64 at most, a distance and an id of 8 bytes each, and room for one more. */
export const FOUND: usize = 6704;
