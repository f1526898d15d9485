import type { Next } from '../numbers.js';
import type { Side } from '../Side.js';

/** What one act is given: see `Step`. */
export interface Given {
  a: number;
  b: number;
  v: number[];
}

/** One kind of thing that users do to a scene. */
export interface Act {
  /** How often it comes, next to the others. */
  weight: number;
  /** What `v` may be. */
  values?: (next: Next) => number[];
  /** Does it on one side. Nothing happens where there is nothing to do it to. */
  apply(side: Side, given: Given): void;
}

/** Keeps the names as a type. */
export function actsOf<Name extends string>(acts: { [name in Name]: Act }): { [name in Name]: Act } {
  return acts;
}
