import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { element } from '../../ui/parts/element.js';
import { number } from '../../ui/parts/format.js';
import { Gauges } from '../../ui/parts/Gauges.js';
import { TurnGauges } from '../../ui/parts/TurnGauges.js';
import type { Canvas } from './canvases.js';
import type { HoverPick } from './HoverPick.js';
import type { TwoWays } from './TwoWays.js';

/** The instruments: the cost of a frame in both ways, what is drawn, and the pick under the pointer. */
export class Instruments extends Gauges {
  readonly #turns: TurnGauges;

  constructor() {
    super(element('section', { class: 'hud million', 'aria-label': 'Measurements' }));
    this.#turns = new TurnGauges(this, ['index', 'three'], 'Instances drawn');
    this.add('pick', 'Pick under the pointer', '', [
      ['picked', 'Instance'],
      ['distance', 'Distance'],
    ]);
    this.add('rate', 'Frame rate', '', [['renderer', 'Renderer']]);
  }

  show(mode: Mode, { turns }: TwoWays, total: number, canvas: Canvas, pick: HoverPick, frame: Meter): void {
    // All of them are one draw call.
    const counts = { things: 'instances', total, inView: turns.costs.index.drawn, calls: 1, batchedCalls: 1 };
    this.#turns.show(mode, turns, counts, canvas.whenDone !== undefined);
    const { mean } = pick.time;
    this.put('pick', mean > 0 ? (1000 * mean).toFixed(0) : '–', 'µs, all hits');
    this.write('picked', pick.id === null ? 'none' : number(pick.id));
    this.write('distance', pick.hit === null ? '–' : `${pick.hit.distance.toFixed(1)} m`);
    this.put('rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.write('renderer', canvas.name);
  }
}
