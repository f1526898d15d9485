import { element, setText } from '../../../ui/parts/element.js';
import { Graph } from '../../../ui/parts/Graph.js';
import type { Reading } from '../simulation/Comparison.js';
import { cellsOf } from './results.js';

/** One instrument: its title, the unit of its figure, and the colour of its line. */
const GAUGES = [
  { title: 'Frame rate', unit: 'frames a second', line: 'three' },
  { title: 'Update', unit: 'ms a frame', line: 'index' },
  { title: 'Query', unit: 'ms a frame', line: 'index' },
  { title: 'Box tests', unit: 'a frame', line: 'index' },
  { title: 'Pairs', unit: 'overlapping', line: 'colliding' },
];

/** The instruments: what a frame of the current method costs, and what it finds. */
export class Readout {
  readonly element = element('section', { class: 'hud readout', 'aria-label': 'Measurements' });
  readonly #gauges = GAUGES.map(({ title, unit, line }) => {
    const figure = element('b', {}, '–');
    const graph = new Graph(line);
    const label = element('p', { class: 'figure' }, figure, element('span', {}, unit));
    this.element.append(element('div', { class: 'gauge' }, element('h2', {}, title), label, graph.element));
    return { figure, graph };
  });

  clear(): void {
    for (const { graph } of this.#gauges) graph.clear();
  }

  /** Shows a reading of the current method; null while there is none. */
  show(reading: Reading | null): void {
    const values = reading && [
      1000 / Math.max(1, reading.frame),
      reading.update,
      reading.query,
      reading.boxTests,
      reading.pairs,
    ];
    const texts = reading && cellsOf(reading);
    this.#gauges.forEach(({ figure, graph }, i) => {
      setText(figure, texts?.[i] ?? '–');
      if (values) graph.push(values[i]);
    });
  }
}
