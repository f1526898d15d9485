/** How much the last query of an index had to look at. */
export interface Counters {
  /** Nodes whose box was tested. */
  nodesVisited: number;
  /** Entries whose box was tested one by one; entries of a node wholly inside are taken without a test. */
  itemsTested: number;
}
