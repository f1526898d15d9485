import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { element } from '../../ui/parts/element.js';
import { number } from '../../ui/parts/format.js';
import { Gauges } from '../../ui/parts/Gauges.js';
import { TurnGauges } from '../../ui/parts/TurnGauges.js';
import type { RenderComparison } from '../../views/RenderComparison.js';

/** The instruments: the cost of a frame in each way, draw calls, and the size of the scene. */
export class Instruments extends Gauges {
  readonly #turns: TurnGauges;

  constructor() {
    super(element('section', { class: 'hud forest', 'aria-label': 'Measurements' }));
    this.#turns = new TurnGauges(this, ['index', 'batched', 'three'], 'Draw calls, with shadows');
    this.add('objects', 'In the scene', '', [
      ['meshes', 'Meshes'],
      ['trees', 'Trees'],
      ['built', 'Index built in'],
    ]);
    this.add('rate', 'Frame rate', '', [['pixels', 'Pixel ratio']]);
  }

  show(mode: Mode, ways: RenderComparison, trees: number, meshes: number, frame: Meter, pixelRatio: number): void {
    const { index, batched } = ways.turns.costs;
    const counts = {
      things: 'meshes',
      total: meshes,
      // Shadows have draw calls of their own.
      inView: Math.min(meshes, index.drawn),
      calls: index.drawn,
      batchedCalls: batched.drawn,
    };
    this.#turns.show(mode, ways.turns, counts);
    this.put('objects', number(ways.followed), 'objects, none instanced');
    this.write('meshes', number(meshes));
    this.write('trees', number(trees));
    this.write('built', `${ways.buildTime.toFixed(0)} ms`);
    this.put('rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.write('pixels', pixelRatio.toFixed(2));
  }
}
