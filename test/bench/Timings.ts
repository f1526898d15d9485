/** Times of one contestant, in microseconds, by what was timed. */
export class Timings {
  readonly #times = new Map<string, number[]>();

  /** Runs `what`, and notes the time it took, divided by `count`, unless the round is negative: a warm-up. */
  add(round: number, label: string, count: number, what: () => number): number {
    const start = process.hrtime.bigint();
    const result = what();
    this.note(round, label, Number(process.hrtime.bigint() - start) / 1e3 / count);
    return result;
  }

  /** Notes a time, in microseconds, unless the round is negative. */
  note(round: number, label: string, time: number): void {
    if (round >= 0) this.#times.set(label, [...(this.#times.get(label) ?? []), time]);
  }

  get labels(): string[] {
    return [...this.#times.keys()];
  }

  /** NaN for what was not timed. */
  median(label: string): number {
    const times = this.#times.get(label) ?? [];
    return [...times].sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
  }
}

export function microseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} ms`;
  return value >= 1 ? `${value.toFixed(1)} µs` : `${(value * 1000).toFixed(0)} ns`;
}

/** Prints a table below a heading. */
export function print(heading: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) =>
    `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |'),
  );
  console.log(`\n### ${heading}\n\n${lines.join('\n')}`);
}
