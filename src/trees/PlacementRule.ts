/**
 * Decides where items go in a tree of cells. Two rules make the two octrees: every leaf an item touches, or one node
 * for each. A cell is four numbers at `o`, see cells.ts, a box six at `p`.
 */
export interface PlacementRule {
  /** True when an item may have several entries. */
  readonly multiple: boolean;
  /** The octants of a divided cell to which an item goes, as bits; 0 when it stays in the cell itself. */
  octants(cells: Float64Array, o: number, box: ArrayLike<number>, p: number): number;
  /**
   * In a cell with this half edge, an item with no edge longer than the result goes to the octant of its centre alone.
   * Negative if there is no such length.
   */
  sinksUpTo(half: number): number;
  /**
   * True when the item can be placed in or below a cell that is part of `octant`, an octant of its parent; null for the
   * top cell.
   */
  fits(cells: Float64Array, o: number, box: Float64Array, octant: Float64Array | null): boolean;
  /** True when an item that has its only entry in the cell may keep it there with this box. */
  keeps(cells: Float64Array, o: number, box: Float64Array): boolean;
}
