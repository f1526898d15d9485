/** Milliseconds of each round, and the sum of the answers. */
export interface Measured {
  plain: number[];
  fast: number[];
  seen: number;
}

/** What is measured, and what comes before each time. */
export type Side = [what: () => number, between: () => void];

/** Milliseconds that a sample lasts at least, and rounds that do not count. */
const SAMPLE = 12;
const WARM_UP = 4;

/** Times both sides in turns; each sample lasts long enough for the clock, and the first rounds are a warm-up. */
export function takeTurns(rounds: number, plain: Side, fast: Side, next: () => void): Measured {
  const times: Omit<Measured, 'seen'> = { plain: [], fast: [] };
  const repeats = { plain: 1, fast: 1 };
  let seen = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    next();
    const answers = { plain: 0, fast: 0 };
    for (const side of round % 2 === 0 ? (['plain', 'fast'] as const) : (['fast', 'plain'] as const)) {
      const [what, between] = side === 'plain' ? plain : fast;
      let spent = 0;
      for (let i = 0; i < repeats[side]; i++) {
        between();
        const start = performance.now();
        answers[side] = what();
        spent += performance.now() - start;
      }
      if (round >= 0) times[side].push(spent / repeats[side]);
      else repeats[side] = Math.max(1, Math.ceil((SAMPLE * repeats[side]) / Math.max(spent, 0.01)));
    }
    if (answers.plain !== answers.fast) throw new Error(`three hits ${answers.plain}, accelerated ${answers.fast}`);
    seen += answers.plain;
  }
  return { ...times, seen };
}
