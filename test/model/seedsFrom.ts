/** A seed and those behind it, without end. */
export function* seedsFrom(first: number): Generator<number> {
  for (let seed = first; ; seed++) yield seed;
}
