import { number } from '../../../ui/parts/format.js';
import type { Reading } from '../simulation/Comparison.js';

/** Milliseconds with the decimal places that a browser's clock resolves. */
export function time(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0);
}

export function rate(frameMilliseconds: number): string {
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
