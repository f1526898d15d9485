import type { Next } from '../numbers.js';
import type { Any, Side } from '../Side.js';

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
  values?: Values | undefined;
  /** Does it on one side. Nothing happens where there is nothing to do it to. */
  apply(side: Side, given: Given): unknown;
}

type Values = (next: Next) => number[];

/** Keeps the names as a type. */
export function actsOf<Name extends string>(acts: { [name in Name]: Act }): { [name in Name]: Act } {
  return acts;
}

/** An act of no values. */
export const act = (weight: number, apply: Act['apply']): Act => ({ weight, apply });

/** An act of some values. */
export const actOf = (
  weight: number,
  values: Values,
  apply: (side: Side, v: number[], given: Given) => unknown,
): Act => ({
  weight,
  values,
  apply: (side, given) => apply(side, given.v, given),
});

/** What is done to an object: false where it was not done. */
type Edit<T> = (object: T, v: number[], side: Side, given: Given) => unknown;

/** An act on any object, of which the index is told where it has to be. */
export const edit = (weight: number, values: Values | undefined, change: Edit<Any>): Act =>
  editOf<Any>(() => true, weight, values, change);

/** The same on an object of some kind. */
export const editOf = <T = Any>(
  isWanted: (object: Any) => unknown,
  weight: number,
  values: Values | undefined,
  change: Edit<T>,
): Act => ({
  weight,
  values,
  apply: (side, given) => {
    const object = side.of(given.a, isWanted);
    if (object && change(object as T, given.v, side, given) !== false) side.edited(object);
  },
});
