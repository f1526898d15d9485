import { isFull } from './width.js';

/** One in so many pairs is in a quick run. */
const STRIDE = 29;

/** Every two of some names, each with itself as well, in either order by turns; in a quick run a part of these pairs. */
export function pairsOf<Name>(names: readonly Name[], stride = STRIDE): [first: Name, then: Name][] {
  const all = names.flatMap((a, i) => names.slice(i).map((b): [Name, Name] => [a, b]));
  return all.flatMap(([a, b], n) => (isFull || n % stride === 0 ? [n % 2 === 0 ? [a, b] : [b, a]] : []));
}
