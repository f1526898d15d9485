import { number } from '../../../ui/parts/format.js';
import { METHODS } from '../setup/methods.js';
import { dimensionsOf, SCENES, type Setup } from '../setup/scenes.js';
import type { Comparison, Reading } from '../simulation/Comparison.js';
import type { RampResult } from '../simulation/Ramp.js';

/** Characters of the longest bar. */
const BAR = 40;

/** All results as plain text. */
export function resultsText(comparison: Comparison): string {
  const { setup, bodies, ramp, rows, rampResults, rampLimit } = comparison;
  // A running ramp uses bodies of its own.
  const parts = [`${describe(setup)}, ${number(ramp ? setup.count : bodies.count)} objects`];
  if (rows.size > 0) parts.push(tableText(comparison), verdict(comparison));
  if (rampResults.length > 0) parts.push(rampText(rampResults, rampLimit));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The world in words. */
export function describe(setup: Setup): string {
  const density = setup.keepDensity ? ', density kept' : '';
  return `${SCENES[setup.scene].title}, ${dimensionsOf(setup)}D${density}`;
}

export function rampTitle(limit: number): string {
  return `Objects whose collisions take less than ${limit} ms a frame`;
}

/** The bar chart in characters. */
export function rampText(results: readonly RampResult[], limit: number): string {
  const longest = Math.max(1, ...results.map(({ count }) => count));
  const lines = METHODS.flatMap(({ id, title }) => {
    const result = results.find(({ method }) => method === id);
    if (!result) return [];
    const bar = '█'.repeat(Math.round((BAR * result.count) / longest));
    return [`${title.padEnd(WIDEST)} ${countText(result).padStart(9)}  ${bar}`.trimEnd()];
  });
  return [rampTitle(limit), ...lines].join('\n');
}

/** The number, with a + if the method did not reach the limit. */
export function countText({ count, withinLimit }: RampResult): string {
  return withinLimit ? `${number(count)}+` : number(count);
}

/** Whether all methods that saw the same frames found the same pairs; empty while there is nothing to compare. */
export function verdict(comparison: Comparison): string {
  const compared = METHODS.filter(({ id }) => comparison.agrees(id) !== null);
  if (compared.length === 0) return '';
  const wrong = compared.filter(({ id }) => comparison.agrees(id) === false);
  if (wrong.length > 0) return `Other pairs than the rest: ${wrong.map(({ title }) => title).join('; ')}.`;
  const { span } = comparison.rows.get(compared[0].id)!;
  return `${compared.length} methods, the same pairs ${span}.`;
}

const WIDEST = Math.max(...METHODS.map(({ title }) => title.length));

function tableText(comparison: Comparison): string {
  const lines = [['FPS', 'Update ms', 'Query ms', 'Box tests', 'Pairs']];
  const names = [''];
  for (const { id, title } of METHODS) {
    const row = comparison.rows.get(id);
    if (!row) continue;
    names.push(title);
    lines.push(cellsOf(row));
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line, i) => [names[i].padEnd(WIDEST), ...line.map((cell, c) => cell.padStart(widths[c]))].join('  '))
    .join('\n');
}

/** Milliseconds with the decimal places that a browser's clock resolves. */
function time(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0);
}

function rate(frameMilliseconds: number): string {
  return frameMilliseconds > 0 ? (1000 / frameMilliseconds).toFixed(0) : '–';
}

/** The cells of a reading, in the order of the columns. */
export function cellsOf(reading: Reading): string[] {
  return [
    rate(reading.frame),
    time(reading.update),
    time(reading.query),
    number(reading.boxTests),
    number(reading.pairs),
  ];
}
