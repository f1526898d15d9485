/** A node as `forEachNode` shows it. The object is reused for the next node: copy what you keep. */
export interface NodeView {
  /**
   * A box around everything in and below the node: minX minY minZ maxX maxY maxZ. Tight after `rebuild`; items that
   * move within the node may leave it somewhat larger for a while.
   */
  readonly box: Float64Array;
  /** The region of space the node stands for, in the same form; equal to `box` where a structure has no cells. */
  readonly cell: Float64Array;
  /** 0 for the top node. */
  depth: number;
  /** True when no nodes are below. */
  leaf: boolean;
  /** Entries in the node itself. */
  items: number;
  /** Entries in and below the node. */
  below: number;
  /** The items of the entries in the node itself. A `SceneIndex` uses ids of its own, so there these mean nothing. */
  ids: Int32Array;
}
