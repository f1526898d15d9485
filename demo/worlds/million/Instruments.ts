import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { number } from '../../ui/parts/format.js';
import { TurnGauges } from '../../ui/parts/TurnGauges.js';
import type { HoverPick } from './HoverPick.js';
import type { TwoWays } from './TwoWays.js';

/** The instruments: the cost of a frame in both ways, what is drawn, and the pick under the pointer. */
export class Instruments extends TurnGauges {
  constructor() {
    super('million', ['index', 'three'], 'Drawn', 'instances a frame');
    this.add('Pick under the pointer', '', [
      ['picked', 'Instance'],
      ['distance', 'Distance'],
    ]);
    this.add('Frame rate', '', [
      ['renderer', 'Renderer'],
      ['pixels', 'Pixel ratio'],
    ]);
  }

  show(mode: Mode, { turns }: TwoWays, pick: HoverPick, frame: Meter, renderer: string, pixelRatio: number): void {
    this.showTurns(mode, turns);
    const { mean } = pick.time;
    this.put('Pick under the pointer', mean > 0 ? (1000 * mean).toFixed(0) : '–', 'µs, all hits');
    this.write('picked', pick.id === null ? 'none' : number(pick.id));
    this.write('distance', pick.hit === null ? '–' : `${pick.hit.distance.toFixed(1)} m`);
    this.showRate(frame, pixelRatio);
    this.write('renderer', renderer);
  }
}
