import { element } from '../../../ui/parts/element.js';
import { number } from '../../../ui/parts/format.js';
import { Gauges } from '../../../ui/parts/Gauges.js';
import type { Reading } from '../simulation/Comparison.js';

const GAUGES: [title: string, unit: string][] = [
  ['Frame rate', 'frames a second'],
  ['Update', 'ms a frame'],
  ['Query', 'ms a frame'],
  ['Box tests', 'a frame'],
  ['Pairs', 'overlapping'],
];

/** The instruments: what a frame of the current method costs, and what it finds. */
export class Readout extends Gauges {
  constructor() {
    super(element('section', { class: 'hud readout', 'aria-label': 'Measurements' }));
    for (const [title] of GAUGES) this.add(title, title);
    this.show(null);
  }

  /** Shows a reading of the current method; null while there is none. */
  show(reading: Reading | null): void {
    const texts = reading && cellsOf(reading);
    GAUGES.forEach(([title, unit], i) => {
      this.put(title, texts?.[i] ?? '–', unit);
    });
  }
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
