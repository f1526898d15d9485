import { Vector3 } from 'three';
import { type Next, upTo } from '../scene/numbers.js';

export function pick<T>(next: Next, list: readonly T[]): T {
  return list[upTo(next, list.length)];
}

/** A place in a box that is flatter than it is wide. */
export function anyPlace(next: Next, size: number): Vector3 {
  return new Vector3((next() - 0.5) * size, (next() - 0.5) * size * 0.7, (next() - 0.5) * size);
}

/** One of the functions, called. */
export function oneOf(next: Next, ...acts: (() => void)[]): void {
  pick(next, acts)();
}
