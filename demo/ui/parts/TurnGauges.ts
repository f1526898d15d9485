import { describeSpeed } from '../../measure/describeSpeed.js';
import type { Meter } from '../../measure/Meter.js';
import type { Turns } from '../../measure/Turns.js';
import type { Mode } from '../../state/Settings.js';
import { number, reliableTime } from './format.js';
import { Gauges } from './Gauges.js';
import { Graph } from './Graph.js';

const LABELS: Readonly<Record<Mode, string>> = { index: 'Accelerated', batched: 'Batched', three: 'Plain three' };

/** Instruments of a world that is drawn in several ways: their costs, what they draw, and the frame rate. */
export class TurnGauges extends Gauges {
  readonly #costs: Graph;
  readonly #ways: readonly Mode[];
  readonly #drawn: string;
  readonly #unit: string;

  /**
   * @param kind Class of the element.
   * @param ways The ways, as they are listed.
   * @param drawn Title of what is drawn.
   * @param unit Unit of that.
   */
  constructor(kind: string, ways: readonly Mode[], drawn: string, unit: string) {
    super(`turns ${kind}`);
    this.#drawn = drawn;
    this.#unit = unit;
    this.#ways = ways;
    this.#costs = new Graph([...ways].reverse());
    this.add(
      'CPU time of a frame',
      this.#costs.element,
      ways.map((way) => [way, LABELS[way], way]),
    );
    this.add(
      drawn,
      '',
      ways.map((way) => [`${way}Drawn`, LABELS[way], way]),
    );
  }

  clear(): void {
    this.#costs.clear();
  }

  showTurns(mode: Mode, { costs }: Turns): void {
    const shown = this.#ways.includes(mode) ? mode : 'index';
    const fast = shown === 'three' ? 'index' : shown;
    const { figure, unit } = describeSpeed(costs[fast].time, costs.three.time, shown);
    this.put('CPU time of a frame', figure, unit);
    this.put(this.#drawn, number(costs[shown].drawn), this.#unit);
    for (const way of this.#ways) {
      this.write(way, reliableTime(costs[way].time));
      this.write(`${way}Drawn`, number(costs[way].drawn));
    }
    if (!this.#ways.every((way) => costs[way].time.isReliable)) return;
    this.#costs.push(...[...this.#ways].reverse().map((way) => costs[way].time.mean));
  }

  /** Writes the gauge `Frame rate`, which has a line `pixels`. */
  showRate(frame: Meter, pixelRatio: number): void {
    this.put('Frame rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.write('pixels', pixelRatio.toFixed(2));
  }
}
