// How all benchmarks sum up what they measure, and write it.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The median of the ratios of each round. */
export const medianRatio = (times, to) => median(times.map((time, round) => time / to[round]));

/** A time in microseconds, in the unit that suits it. */
export function time(microseconds) {
  if (microseconds >= 1e6) return `${(microseconds / 1e6).toPrecision(3)} s`;
  if (microseconds >= 1000) return `${(microseconds / 1000).toPrecision(3)} ms`;
  return microseconds >= 1 ? `${microseconds.toPrecision(3)} µs` : `${(microseconds * 1000).toFixed(0)} ns`;
}

export const row = (cells) => `| ${cells.join(' | ')} |`;

/** A table of Markdown. */
export const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row).join('\n');

export const MACHINE = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;

/** Writes a file beside this one. */
export const keep = (name, text) => writeFileSync(new URL(name, import.meta.url), text);
