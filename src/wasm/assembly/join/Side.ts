/** Entries in a row, and bytes of their boxes, in four groups of six times four numbers. */
export const ROW: i32 = 16;
export const ROW_BYTES: usize = 384;
export const GROUP_BYTES: usize = 96;
/** Bytes of a node: its box minX minY minZ maxX maxY maxZ, first child, next sibling, and row. */
export const NODE_BYTES: usize = 36;

/** Addresses of the arrays of a tree. */
@unmanaged
export class Side {
  nodes: usize;
  boxes: usize;
  sizes: usize;
  ids: usize;
  /** By slot, the slot in the caller's tree; 0 when these are the same. */
  slots: usize;
}

@inline
export function nodeOf(side: Side, node: i32): usize {
  return side.nodes + <usize>node * NODE_BYTES;
}

@inline
export function firstOf(side: Side, node: i32): i32 {
  return load<i32>(nodeOf(side, node), 24);
}

@inline
export function nextOf(side: Side, node: i32): i32 {
  return load<i32>(nodeOf(side, node), 28);
}

@inline
export function rowOf(side: Side, node: i32): i32 {
  return load<i32>(nodeOf(side, node), 32);
}

/** The address of the first coordinate of an entry; the others follow 16 bytes apart. */
@inline
export function placeOf(side: Side, row: i32, k: i32): usize {
  return side.boxes + <usize>row * ROW_BYTES + <usize>(k >> 2) * GROUP_BYTES + (<usize>(k & 3) << 2);
}
