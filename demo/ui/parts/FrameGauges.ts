import type { Meter } from '../../measure/Meter.js';
import type { Turns } from '../../measure/Turns.js';
import type { Mode } from '../../state/Settings.js';
import { element } from './element.js';
import { Gauges } from './Gauges.js';
import { TurnGauges } from './TurnGauges.js';
import type { Counts } from './whySpeed.js';

/** The instruments of a scene that is drawn in several ways: what a frame costs in each, a gauge of the scene's own, and the frame rate. */
export class FrameGauges extends Gauges {
  readonly #turns: TurnGauges;

  /** @param own Title of the scene's own gauge, `own`, and the labels of its lines. */
  constructor(name: string, ways: readonly Mode[], drawn: string, own: string, lines: Record<string, string>) {
    super(element('section', { class: `hud ${name}`, 'aria-label': 'Measurements' }));
    this.#turns = new TurnGauges(this, ways, drawn);
    this.add('own', own, '', Object.entries(lines));
    this.add('rate', 'Frame rate', '', [['pixels', 'Pixel ratio']]);
  }

  show(mode: Mode, turns: Turns, counts: Counts, frame: Meter, pixelRatio: number): void {
    this.#turns.show(mode, turns, counts);
    this.put('rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.write('pixels', pixelRatio.toFixed(2));
  }
}
