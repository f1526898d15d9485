/**
 * Where items go in a tree of cells. Two rules make the two octrees: every leaf an item touches, or one node for each.
 * A cell is four numbers at `o`, see cells.ts, a box six at `p`.
 */
export interface PlacementRule {
  /** True when an item may have several entries. */
  readonly multiple: boolean;
  /** The octants of a divided cell to which an item goes, as bits; 0 when it stays with the cell as a whole. */
  octants(cells: Float64Array, o: number, box: ArrayLike<number>, p: number): number;
  /** The longest edge with which any item surely goes to the octant of its centre alone, in a cell with half that edge. */
  sinksUpTo(half: number): number;
  /** True when the item can be placed in or below a cell that is part of `octant`, another cell; for the top, of none. */
  fits(cells: Float64Array, o: number, box: Float64Array, octant: Float64Array | null): boolean;
  /** True when an item that has its only entry in the cell may keep it there with this box. */
  keeps(cells: Float64Array, o: number, box: Float64Array): boolean;
}
