import type { DrawCosts } from '../../measure/DrawCosts.js';
import { MODES } from '../../state/controls/pageControls.js';
import type { Mode } from '../../state/Settings.js';
import { element } from './element.js';
import { number, reliableTime } from './format.js';
import type { GaugeRow, Gauges } from './Gauges.js';

const LABELS = new Map<Mode, string>(Object.entries(MODES).map(([label, mode]) => [mode, label]));

/** Instruments of a world that is drawn in several ways: what a frame costs and draws, and what it did in the others when they were in use. */
export class CostGauges {
  readonly #gauges: Gauges;
  readonly #ways: readonly Mode[];

  /**
   * @param ways The ways, as they are listed.
   * @param drawn Title of what is drawn.
   */
  constructor(gauges: Gauges, ways: readonly Mode[], drawn: string) {
    this.#gauges = gauges;
    this.#ways = ways;
    const rows = (key: string) => ways.map((way): GaugeRow => [`${key}-${way}`, LABELS.get(way)!]);
    // A line of figures has no room for all of it.
    const title = element('span', {}, 'CPU', element('span', { class: 'per' }, ' per frame'));
    gauges.add('cpu', title, [...rows('cpu'), ['rate', 'Frame rate']]);
    gauges.add('drawn', drawn, rows('drawn'));
  }

  /** Lists these of the ways alone; side by side each way has its own. */
  offer(ways: readonly Mode[]): void {
    for (const way of this.#ways) {
      for (const key of ['cpu', 'drawn']) this.#gauges.toggleRow(`${key}-${way}`, way !== 'both' && ways.includes(way));
    }
  }

  toggle(areShown: boolean): void {
    for (const key of ['cpu', 'drawn']) this.#gauges.toggle(key, areShown);
  }

  show(mode: Mode, { cpu, drawn }: DrawCosts): void {
    const gauges = this.#gauges;
    const [shown = this.#ways[0]!] = [mode === 'both' ? 'batched' : mode].filter((way) => this.#ways.includes(way));
    const count = (way: Mode) => (drawn[way] === null ? '–' : number(drawn[way]));
    gauges.putTime('cpu', cpu[shown], 'ms');
    gauges.put('drawn', count(shown), 'a frame');
    for (const way of this.#ways) {
      gauges.write(`cpu-${way}`, reliableTime(cpu[way]));
      gauges.write(`drawn-${way}`, count(way));
    }
  }
}
