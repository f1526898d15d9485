import { describeSpeed } from '../../measure/describeSpeed.js';
import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { milliseconds, number } from '../../ui/parts/format.js';
import { Gauges } from '../../ui/parts/Gauges.js';
import { Graph } from '../../ui/parts/Graph.js';
import type { RenderComparison } from './RenderComparison.js';

/** The instruments: the cost of a frame in both ways, draw calls, and the size of the scene. */
export class Instruments {
  readonly #gauges = new Gauges('forest');
  readonly #costs = new Graph(['three', 'index']);

  constructor() {
    this.#gauges.add('CPU time of a frame', this.#costs.element, [
      ['index', 'Accelerated', 'index'],
      ['three', 'Plain three', 'three'],
    ]);
    this.#gauges.add('Drawn, with shadows', '', [
      ['indexCalls', 'Accelerated', 'index'],
      ['threeCalls', 'Plain three', 'three'],
    ]);
    this.#gauges.add('In the scene', '', [
      ['meshes', 'Meshes'],
      ['trees', 'Trees'],
    ]);
    this.#gauges.add('Frame rate', '', [
      ['pixels', 'Pixel ratio'],
      ['built', 'Index built in'],
    ]);
  }

  get element(): HTMLElement {
    return this.#gauges.element;
  }

  clear(): void {
    this.#costs.clear();
  }

  show(mode: Mode, ways: RenderComparison, trees: number, meshes: number, frame: Meter, pixelRatio: number): void {
    const { index, three } = ways.costs;
    const { figure, unit } = describeSpeed(index.time, three.time, mode);
    this.#gauges.put('CPU time of a frame', figure, unit);
    this.#gauges.write('index', milliseconds(index.time.mean));
    this.#gauges.write('three', milliseconds(three.time.mean));
    if (index.time.isReliable && three.time.isReliable) this.#costs.push(three.time.mean, index.time.mean);
    this.#gauges.put('Drawn, with shadows', number(ways.costs[mode].calls), 'draw calls a frame');
    this.#gauges.write('indexCalls', number(index.calls));
    this.#gauges.write('threeCalls', number(three.calls));
    this.#gauges.put('In the scene', number(ways.followed), 'objects, none instanced');
    this.#gauges.write('meshes', number(meshes));
    this.#gauges.write('trees', number(trees));
    this.#gauges.put('Frame rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.#gauges.write('pixels', pixelRatio.toFixed(2));
    this.#gauges.write('built', `${ways.buildTime.toFixed(0)} ms`);
  }
}
