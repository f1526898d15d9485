/** Times of one contestant, in microseconds, by what was timed. */
export class Timings {
  readonly #times = new Map<string, number[]>();

  /** Runs `what`, and notes the time it took, divided by `count`, unless the round is negative: a warm-up. */
  add(round: number, label: string, count: number, what: () => number): number {
    const start = process.hrtime.bigint();
    const result = what();
    const time = Number(process.hrtime.bigint() - start) / 1e3 / count;
    if (round >= 0) this.#times.set(label, [...(this.#times.get(label) ?? []), time]);
    return result;
  }

  get labels(): string[] {
    return [...this.#times.keys()];
  }

  has(label: string): boolean {
    return this.#times.has(label);
  }

  median(label: string): number {
    const sorted = [...(this.#times.get(label) as number[])].sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  }
}

export function microseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} ms`;
  return value >= 1 ? `${value.toFixed(1)} µs` : `${(value * 1000).toFixed(0)} ns`;
}

/** Prints a table in Markdown: each contestant's time and its ratio to the scan, or to the scan's time per box. */
export function report(title: string, scan: Timings, all: { label: string; timings: Timings }[], perBox: number): void {
  const { labels } = all[0].timings;
  console.log(`\n### ${title}\n`);
  console.log(`| | linear scan | ${all.map((c) => c.label).join(' | ')} |`);
  console.log(`| --- | --- |${' --- |'.repeat(all.length)}`);
  for (const label of labels) {
    const base = scan.has(label) ? microseconds(scan.median(label)) : `${microseconds(perBox)} per box`;
    const cells = all.map(({ timings }) => {
      const time = timings.median(label);
      const ratio = scan.has(label)
        ? `${(scan.median(label) / time).toFixed(1)} x faster`
        : `${(time / perBox).toFixed(1)} scans`;
      return `${microseconds(time)}, ${ratio}`;
    });
    console.log(`| ${label} | ${base} | ${cells.join(' | ')} |`);
  }
}
