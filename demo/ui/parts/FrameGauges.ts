import type { DrawCosts } from '../../measure/DrawCosts.js';
import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { CostGauges } from './CostGauges.js';
import { element } from './element.js';
import { number, rate } from './format.js';
import { Gauges } from './Gauges.js';

/** The instruments of a scene that is drawn in several ways: what a frame costs in each, a gauge of the scene's own, and the frame rate. */
export class FrameGauges extends Gauges {
  readonly #costs: CostGauges;

  /** @param own Title of the scene's own gauge, `own`, and the labels of its lines. */
  constructor(name: string, ways: readonly Mode[], drawn: string, own: string, lines: Record<string, string>) {
    super(element('section', { class: `hud ${name}`, 'aria-label': 'Measurements' }));
    this.#costs = new CostGauges(this, ways, drawn);
    this.add('own', own, Object.entries(lines));
    this.add('rate', 'Frame rate', [['pixels', 'Pixel ratio']]);
  }

  show(mode: Mode, costs: DrawCosts, frame: Meter, pixelRatio: number): void {
    this.#costs.show(mode, costs);
    this.put('rate', rate(frame), 'frames a second');
    this.write('pixels', number(pixelRatio, 2));
  }
}
