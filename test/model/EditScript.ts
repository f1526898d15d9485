import type { Box } from './randomBox.js';
import type { Upkeep } from './upkeep.js';

/**
 * One change. Items are named by their position among those there are, modulo their number, so that any part of a script
 * is a script as well. `probe` is the seed of the questions that follow.
 */
export type Edit = { probe: number } & (
  | { do: 'add'; box: Box }
  | { do: 'addAll'; boxes: Box[] }
  /** Many common boxes at once, made from a seed. */
  | { do: 'crowd'; count: number; seed: number }
  | { do: 'update'; item: number; box: Box }
  | { do: 'moveBy'; item: number; by: number[] }
  /** Several items in a row, the first of them at `item`. */
  | { do: 'updateAll'; item: number; boxes: Box[] }
  | { do: 'remove'; item: number; count: number }
  | { do: 'upkeep'; name: Upkeep }
  /** All that there is goes to another structure, by the label of a variant, at once or one by one. */
  | { do: 'swap'; to: string; atOnce: boolean }
);

/** A structure, by the label of a variant, and what happens to it. */
export interface EditScript {
  structure: string;
  edits: Edit[];
}
