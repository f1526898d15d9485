import { describeSpeed } from '../../measure/describeSpeed.js';
import type { Meter } from '../../measure/Meter.js';
import type { Turns } from '../../measure/Turns.js';
import type { Mode } from '../../state/Settings.js';
import { milliseconds, number } from './format.js';
import { Gauges } from './Gauges.js';
import { Graph } from './Graph.js';

/** Instruments of a world that is drawn in two ways: their costs, what they draw, and the frame rate. */
export class TurnGauges extends Gauges {
  readonly #costs = new Graph(['three', 'index']);
  readonly #drawn: string;
  readonly #unit: string;

  /**
   * @param kind Class of the element.
   * @param drawn Title of what is drawn.
   * @param unit Unit of that.
   */
  constructor(kind: string, drawn: string, unit: string) {
    super(`turns ${kind}`);
    this.#drawn = drawn;
    this.#unit = unit;
    this.add('CPU time of a frame', this.#costs.element, [
      ['index', 'Accelerated', 'index'],
      ['three', 'Plain three', 'three'],
    ]);
    this.add(drawn, '', [
      ['indexDrawn', 'Accelerated', 'index'],
      ['threeDrawn', 'Plain three', 'three'],
    ]);
  }

  clear(): void {
    this.#costs.clear();
  }

  showTurns(mode: Mode, { costs }: Turns): void {
    const { index, three } = costs;
    const { figure, unit } = describeSpeed(index.time, three.time, mode);
    this.put('CPU time of a frame', figure, unit);
    this.write('index', milliseconds(index.time.mean));
    this.write('three', milliseconds(three.time.mean));
    if (index.time.isReliable && three.time.isReliable) this.#costs.push(three.time.mean, index.time.mean);
    this.put(this.#drawn, number(costs[mode].drawn), this.#unit);
    this.write('indexDrawn', number(index.drawn));
    this.write('threeDrawn', number(three.drawn));
  }

  /** Writes the gauge `Frame rate`, which has a line `pixels`. */
  showRate(frame: Meter, pixelRatio: number): void {
    this.put('Frame rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.write('pixels', pixelRatio.toFixed(2));
  }
}
