import { describeSpeed } from '../../measure/describeSpeed.js';
import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { milliseconds, number } from '../../ui/parts/format.js';
import { Gauges } from '../../ui/parts/Gauges.js';
import { Graph } from '../../ui/parts/Graph.js';
import type { HoverPick } from './HoverPick.js';
import type { TwoWays } from './TwoWays.js';

/** The instruments: the cost of a frame in both ways, what is drawn, and the pick under the pointer. */
export class Instruments {
  readonly #gauges = new Gauges('million');
  readonly #costs = new Graph(['three', 'index']);

  constructor() {
    this.#gauges.add('CPU time of a frame', this.#costs.element, [
      ['index', 'Accelerated', 'index'],
      ['three', 'Plain three', 'three'],
    ]);
    this.#gauges.add('Drawn', '', [
      ['indexDrawn', 'Accelerated', 'index'],
      ['threeDrawn', 'Plain three', 'three'],
    ]);
    this.#gauges.add('Pick under the pointer', '', [
      ['picked', 'Instance'],
      ['distance', 'Distance'],
    ]);
    this.#gauges.add('Frame rate', '', [
      ['renderer', 'Renderer'],
      ['pixels', 'Pixel ratio'],
    ]);
  }

  get element(): HTMLElement {
    return this.#gauges.element;
  }

  clear(): void {
    this.#costs.clear();
  }

  show(mode: Mode, { costs }: TwoWays, pick: HoverPick, frame: Meter, renderer: string, pixelRatio: number): void {
    const { index, three } = costs;
    const gauges = this.#gauges;
    const { figure, unit } = describeSpeed(index.time, three.time, mode);
    gauges.put('CPU time of a frame', figure, unit);
    gauges.write('index', milliseconds(index.time.mean));
    gauges.write('three', milliseconds(three.time.mean));
    if (index.time.isReliable && three.time.isReliable) this.#costs.push(three.time.mean, index.time.mean);
    gauges.put('Drawn', number(costs[mode].drawn), 'instances a frame');
    gauges.write('indexDrawn', number(index.drawn));
    gauges.write('threeDrawn', number(three.drawn));
    const { mean } = pick.time;
    gauges.put('Pick under the pointer', mean > 0 ? (1000 * mean).toFixed(0) : '–', 'µs, all hits');
    gauges.write('picked', pick.id === null ? 'none' : number(pick.id));
    gauges.write('distance', pick.hit === null ? '–' : `${pick.hit.distance.toFixed(1)} m`);
    gauges.put('Frame rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    gauges.write('renderer', renderer);
    gauges.write('pixels', pixelRatio.toFixed(2));
  }
}
