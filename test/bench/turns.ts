import { median, table } from './figures.mjs';

/**
 * Times sides in turns, and checks that they answer alike.
 * @param before Called before each time with the number of its side, not timed.
 * @returns the medians of all, in microseconds.
 */
export function takeTurns(
  rounds: number,
  warmUp: number,
  sides: readonly (() => unknown)[],
  before: (side: number) => void = () => {},
): number[] {
  const times: number[][] = sides.map(() => []);
  for (let round = -warmUp; round < rounds; round++) {
    const answers = sides.map((side, i) => {
      before(i);
      const start = process.hrtime.bigint();
      const answer = side();
      if (round >= 0) times[i].push(Number(process.hrtime.bigint() - start) / 1e3);
      return answer;
    });
    if (answers.some((answer) => answer !== answers[0])) throw new Error(`other answers: ${answers}`);
  }
  return times.map(median);
}

/** Prints a table below a heading. */
export function print(heading: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  console.log(`\n### ${heading}\n\n${table(head, rows)}`);
}
