/** Entries in a row, and bytes of their boxes: four groups of six times four doubles. */
export const ROW: i32 = 16;
export const ROW_BYTES: usize = 768;
export const GROUP_BYTES: usize = 192;
/** Bytes from a coordinate of a group to the next one, and from a minimum to its maximum. */
export const SIDE: usize = 32;
export const TO_MAX: usize = 96;
/** Bytes of a node's box. */
export const BOX_BYTES: usize = 48;

/** Addresses, to be set by the caller. */
@unmanaged
export class Places {
  boxes: usize;
  first: usize;
  next: usize;
  row: usize;
  runs: usize;
  rowBoxes: usize;
  ids: usize;
  sizes: usize;
  /** Where results go and, before them, what waits. */
  out: usize;
  outEnd: usize;
}

/** What lies at fixed addresses: the places, counters, numbers of the question, far corners, a stack, distances. */
export const PLACES: usize = 12;
/** Nodes and entries tested by the last walk, and how many items it put at the end of the room for results. */
export const NODES_VISITED: usize = 52;
export const ITEMS_TESTED: usize = 56;
export const INSIDE: usize = 60;
export const NUMBERS: usize = 64;
export const FAR: usize = 1024;
export const STACK: usize = 1392;
export const DISTANCES: usize = 2432;
export const PAIRS: usize = 2560;

/** Bytes from the start of a row's boxes to the first coordinate of a slot. */
@inline
export function placeOf(slot: i32): usize {
  return <usize>(slot >> 2) * GROUP_BYTES + (<usize>(slot & 3) << 3);
}

/** The slots, as bits, of the primary entries of the row whose ids lie there. */
@inline
export function primary(ids: usize): i32 {
  return ~(
    i32x4.bitmask(v128.load(ids)) |
    (i32x4.bitmask(v128.load(ids, 16)) << 4) |
    (i32x4.bitmask(v128.load(ids, 32)) << 8) |
    (i32x4.bitmask(v128.load(ids, 48)) << 12)
  );
}
