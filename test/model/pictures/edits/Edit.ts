import type { Next } from '../../scene/numbers.js';
import type { Side } from '../Side.js';

/**
 * Something that users do between two pictures, done the same to both sides: each is given the same random numbers, and
 * takes as many of them.
 */
export type Edit = (side: Side, next: Next) => void;

export type Edits = { readonly [name: string]: Edit };
