import { Vector3 } from 'three';

export type Next = () => number;

/** A number from 0 on, below `n`. */
export function upTo(next: Next, n: number): number {
  return Math.floor(next() * n);
}

/** Half of them are multiples of 1/4, so that boxes touch; the others have digits that round. */
export function coordinate(next: Next, reach: number): number {
  const c = (next() * 2 - 1) * reach;
  return next() < 0.5 ? Math.round(c * 4) / 4 : Math.round(c * 1000) / 1000;
}

export function place(next: Next, reach = 16): number[] {
  return [coordinate(next, reach), coordinate(next, reach), coordinate(next, reach)];
}

export function nearby(next: Next): number[] {
  return place(next, 4);
}

export function angles(next: Next): number[] {
  return place(next, 3);
}

/** Mostly harmless; some mirror, some stretch. */
export function scales(next: Next): number[] {
  if (next() < 0.5) return new Array<number>(3).fill([0.5, 1, 2, -1][upTo(next, 4)]);
  return [0, 0, 0].map(() => [0.25, 0.5, 1, 1, 1.5, 3, -1, -2][upTo(next, 8)]);
}

/** One number from 0 on, below `n`. */
export function one(n: number): (next: Next) => number[] {
  return (next) => [upTo(next, n)];
}

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
