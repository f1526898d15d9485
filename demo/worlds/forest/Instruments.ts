import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { number } from '../../ui/parts/format.js';
import { TurnGauges } from '../../ui/parts/TurnGauges.js';
import type { RenderComparison } from './RenderComparison.js';

/** The instruments: the cost of a frame in both ways, draw calls, and the size of the scene. */
export class Instruments extends TurnGauges {
  constructor() {
    super('forest', ['index', 'batched', 'three'], 'Drawn, with shadows', 'draw calls a frame');
    this.add('In the scene', '', [
      ['meshes', 'Meshes'],
      ['trees', 'Trees'],
    ]);
    this.add('Frame rate', '', [
      ['pixels', 'Pixel ratio'],
      ['built', 'Index built in'],
    ]);
  }

  show(mode: Mode, ways: RenderComparison, trees: number, meshes: number, frame: Meter, pixelRatio: number): void {
    this.showTurns(mode, ways.turns);
    this.put('In the scene', number(ways.followed), 'objects, none instanced');
    this.write('meshes', number(meshes));
    this.write('trees', number(trees));
    this.showRate(frame, pixelRatio);
    this.write('built', `${ways.buildTime.toFixed(0)} ms`);
  }
}
