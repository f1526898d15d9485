/** Runs that shrinking may take at most: it gives up sooner than the reader does. */
const MOST_RUNS = 4000;

/** How a script of some items is shortened. */
export interface Shrinking<T> {
  /** At which item a script of these fails as the whole one does; null where it does not. */
  stepOf(items: readonly T[]): number | null;
  /** Simpler forms of an item, best first. */
  simpler(item: T): Iterable<T>;
  /** What a script may become without an item on which those behind it depend. */
  without?(items: readonly T[], at: number): Iterable<readonly T[]>;
}

/** Items that fail as well and from which nothing can be left out, as far as some thousand trials tell. */
export function shrink<T>(items: readonly T[], { stepOf, simpler, without }: Shrinking<T>): readonly T[] {
  let best = items;
  let runs = 0;
  const attempt = (candidate: readonly T[]): boolean => {
    const step = runs++ < MOST_RUNS ? stepOf(candidate) : null;
    // What comes behind the failure has no part in it.
    if (step !== null) best = candidate.slice(0, step + 1);
    return step !== null;
  };
  attempt(items);
  for (let before = ''; before !== JSON.stringify(best); ) {
    before = JSON.stringify(best);
    dropRuns();
    for (let i = 0; i < best.length; i++) while (simplify(i));
  }
  return best;

  /** Leaves out runs of items, long ones first. */
  function dropRuns(): void {
    for (let length = best.length >> 1; length >= 1; length >>= 1) {
      for (let end = best.length; end > 0; end -= length) {
        const left = best.filter((_, i) => i < end - length || i >= end);
        if (left.length === best.length || attempt(left) || length > 1) continue;
        for (const candidate of without?.(best, end - 1) ?? []) if (attempt(candidate)) break;
      }
    }
  }

  function simplify(at: number): boolean {
    if (at >= best.length) return false;
    for (const item of simpler(best[at])) if (attempt(best.map((one, i) => (i === at ? item : one)))) return true;
    return false;
  }
}
