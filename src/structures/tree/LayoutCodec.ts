import type { Layout } from './Layout.js';

/** Saves, as numbers, what a layout keeps besides its tree, and loads it again. */
export interface LayoutCodec<L extends Layout> {
  /** Numbers saved for each node that is not a row. */
  readonly perNode: number;
  /** What is saved for the layout as a whole: four numbers at most. */
  saveState(layout: L): number[];
  /** What is saved for a node that is not a row. */
  saveNode(layout: L, node: number): number[];
  /** Restores what `saveState` returned, or throws. */
  loadState(layout: L, state: Float64Array, where: string): void;
  /** Adds a node below `parent` from what `saveNode` returned, which is at `o`, or throws. */
  loadNode(layout: L, parent: number, numbers: Float64Array, o: number, where: string): number;
  /** Derives the rest from the loaded tree; does not check what the validation of the layout checks. */
  finish(layout: L, items: number): void;
}
