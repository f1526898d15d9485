import type { Layout } from './Layout.js';

/** How what a layout keeps beside its tree is written to a saved index, as numbers, and read again. */
export interface LayoutCodec<L extends Layout> {
  /** Numbers kept of each node that is no row. */
  readonly perNode: number;
  /** What is kept of the whole: four numbers at most. */
  saveState(layout: L): number[];
  /** What is kept of a node that is no row. */
  saveNode(layout: L, node: number): number[];
  /** Takes in what `saveState` gave, or throws. */
  loadState(layout: L, state: Float64Array, where: string): void;
  /** Makes a node below `parent` of what `saveNode` gave, which is at `o`, or throws. */
  loadNode(layout: L, parent: number, numbers: Float64Array, o: number, where: string): number;
  /** Works out what follows from the loaded tree; looks at nothing that the layout's validation does. */
  finish(layout: L, items: number): void;
}
