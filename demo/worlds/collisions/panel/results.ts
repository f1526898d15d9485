import { counted, number } from '../../../ui/parts/format.js';
import { METHODS } from '../setup/methods.js';
import type { Comparison, Reading } from '../simulation/Comparison.js';

/** Whether all methods that saw the same frames found the same pairs; empty while there is nothing to compare. */
export function verdict(comparison: Comparison): string {
  const compared = METHODS.filter(({ id }) => comparison.agrees(id) !== null);
  if (compared.length === 0) return '';
  const wrong = compared.filter(({ id }) => comparison.agrees(id) === false);
  if (wrong.length > 0) return `Other pairs than the rest: ${wrong.map(({ title }) => title).join('; ')}.`;
  const { frames } = comparison.rows.get(compared[0].id)!;
  return `${counted(compared.length, 'method')}, the same pairs in each of ${counted(frames, 'frame')}.`;
}

/** The cells of a reading, in the order of the columns. */
export function cellsOf({ frame, update, query, boxTests, pairs }: Reading): string[] {
  const rate = frame > 0 ? number(1000 / frame) : '–';
  return [rate, time(update), time(query), number(boxTests), number(pairs)];
}

/** Milliseconds with the decimal places that a browser's clock resolves. */
function time(milliseconds: number): string {
  return number(milliseconds, milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0);
}
