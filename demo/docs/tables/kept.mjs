// The results that are kept beside the benchmarks, and tables made of them.
import { readFileSync } from 'node:fs';
import { read } from '../../../test/bench/peers/results.mjs';

/** A file of `test/bench/results`. */
export function keptResults(part, n) {
  const kept = read(part, n);
  if (kept === null) throw new Error(`No results of ${n} ${part} boxes are kept`);
  return kept;
}

/**
 * A table below a heading of a Markdown file beside the benchmarks, or the first one of all: what stands above its
 * columns, and the cells of each row.
 */
export function keptTable(name, heading) {
  const lines = keptText(name).split('\n');
  const start = heading === undefined ? 0 : lines.findIndex((line) => /^#/.test(line) && line.includes(heading));
  const first = start < 0 ? -1 : lines.findIndex((line, i) => i >= start && /^\| ---/.test(line));
  if (first < 0) throw new Error(`${name} has no table ${heading ?? ''}`);
  const rows = [];
  for (let i = first + 1; lines[i]?.startsWith('|'); i++) rows.push(cellsOf(lines[i]));
  return { head: cellsOf(lines[first - 1]), rows };
}

/** The command and the machine that made a Markdown file beside the benchmarks. */
export function madeBy(name) {
  const [, made] = /^Made by (.+?)\. /m.exec(keptText(name)) ?? [];
  if (made === undefined) throw new Error(`${name} does not say how it was made`);
  return made;
}

const keptText = (name) => readFileSync(new URL(`../../../test/bench/${name}`, import.meta.url), 'utf8');

function cellsOf(line) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** Rows as a Markdown table, with what it shows below it. */
export function table(head, rows, caption = '') {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const lines = [row(head), row(head.map(() => '---')), ...rows.map(row)];
  return (caption ? [...lines, '', `*${caption}*`] : lines).join('\n');
}

/** A factor with two figures that count. */
export function factor(value) {
  if (value >= 9.95) return `${value.toFixed(0)}×`;
  return `${value.toFixed(value < 0.95 ? 2 : 1)}×`;
}
