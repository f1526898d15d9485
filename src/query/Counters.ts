/** What the last query had to look at. */
export interface Counters {
  /** Nodes whose box was tested. */
  nodesVisited: number;
  /** Entries whose box was tested. */
  itemsTested: number;
}
