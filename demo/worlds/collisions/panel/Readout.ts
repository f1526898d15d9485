import { element } from '../../../ui/parts/element.js';
import { Gauges } from '../../../ui/parts/Gauges.js';
import type { Reading } from '../simulation/Comparison.js';
import { cellsOf } from './results.js';

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
