import type { Maintain, Maintenance } from './maintenance.js';
import type { Box } from './randomBox.js';

/**
 * One change. Items are named by their position among those there are, modulo their number, so that any part of a script
 * is a script as well. `probe` is the seed of the questions that follow; `maintenance` is what the index does before them.
 */
export type Edit = { probe: number; maintenance?: Maintain } & (
  | { do: 'add'; box: Box }
  | { do: 'addAll'; boxes: Box[] }
  /** Many common boxes, made from a seed, or such without ends in Y; at once, if nothing is said. */
  | { do: 'crowd'; count: number; seed: number; endless?: boolean; oneByOne?: boolean }
  /** Points on an axis, one by one, each so many times as far out as the one before. */
  | { do: 'ladder'; count: number; by: number; axis: number }
  | { do: 'update'; item: number; box: Box }
  | { do: 'moveBy'; item: number; by: number[] }
  /** Several items in a row, the first of them at `item`. */
  | { do: 'updateAll'; item: number; boxes: Box[] }
  /** Several items, one by one or at once. */
  | { do: 'remove'; item: number; count: number; atOnce?: boolean }
  /** Of all that there is, only one item for so many stays. */
  | { do: 'thin'; item: number; of: number; atOnce?: boolean }
  /** Items from `item` on move together, all if there are no more, at once or one by one. */
  | { do: 'migrate'; item: number; count: number; by: number[]; atOnce: boolean }
  /** The origin of the world moves. */
  | { do: 'translate'; item: number; by: number[] }
  /** They go each to another place, in a world of some size. */
  | { do: 'scatter'; item: number; count: number; world: number; seed: number; atOnce: boolean }
  /** They drift from the origin or to it, and grow or shrink as the way is. */
  | { do: 'scale'; item: number; count: number; by: number; atOnce: boolean }
  | { do: 'maintenance'; name: Maintenance }
  /** All that there is goes to another structure, by the label of a variant, at once or one by one. */
  | { do: 'swap'; to: string; atOnce: boolean }
);

/** A structure, by the label of a variant, and what happens to it. */
export interface EditScript {
  structure: string;
  edits: Edit[];
}
