import { describeSpeed } from '../../measure/describeSpeed.js';
import type { Meter } from '../../measure/Meter.js';
import type { Mode } from '../../state/Settings.js';
import { element } from '../../ui/parts/element.js';
import { number } from '../../ui/parts/format.js';
import { Graph } from '../../ui/parts/Graph.js';
import type { Cost, RenderComparison } from './RenderComparison.js';

/** The instruments: the cost of a frame in both ways, draw calls, and the size of the scene. */
export class Instruments {
  readonly element = element('section', { class: 'hud forest', 'aria-label': 'Measurements' });
  readonly #texts = new Map<string, HTMLElement>();
  readonly #costs = new Graph(['three', 'index']);

  constructor() {
    this.#add('CPU time of a frame', this.#costs.element, [
      ['index', 'Accelerated', 'index'],
      ['three', 'Plain three', 'three'],
    ]);
    this.#add('Drawn, with shadows', '', [
      ['indexCalls', 'Accelerated', 'index'],
      ['threeCalls', 'Plain three', 'three'],
    ]);
    this.#add('In the scene', '', [
      ['meshes', 'Meshes'],
      ['trees', 'Trees'],
    ]);
    this.#add('Frame rate', '', [
      ['pixels', 'Pixel ratio'],
      ['built', 'Index built in'],
    ]);
  }

  clear(): void {
    this.#costs.clear();
  }

  show(mode: Mode, ways: RenderComparison, trees: number, meshes: number, frame: Meter, pixelRatio: number): void {
    const { index, three } = ways.costs;
    const { figure, unit } = describeSpeed(index.time, three.time, mode);
    this.#put('CPU time of a frame', figure, unit);
    this.#write('index', milliseconds(index));
    this.#write('three', milliseconds(three));
    if (index.time.isReliable && three.time.isReliable) this.#costs.push(three.time.mean, index.time.mean);
    this.#put('Drawn, with shadows', number(ways.costs[mode].calls), 'draw calls a frame');
    this.#write('indexCalls', number(index.calls));
    this.#write('threeCalls', number(three.calls));
    this.#put('In the scene', number(ways.followed), 'objects, none instanced');
    this.#write('meshes', number(meshes));
    this.#write('trees', number(trees));
    this.#put('Frame rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–', 'frames a second');
    this.#write('pixels', pixelRatio.toFixed(2));
    this.#write('built', `${ways.buildTime.toFixed(0)} ms`);
  }

  #add(title: string, picture: Node | string, rows: [key: string, name: string, swatch?: string][]): void {
    const figure = element('p', { class: 'figure' }, this.#text('b', title), this.#text('span', `${title}, unit`));
    const list = element('dl', { class: 'rows' });
    for (const [key, name, swatch] of rows) {
      const label = element('span', { class: 'label' }, name);
      list.append(element('dt', {}, ...(swatch ? [element('span', { class: `swatch ${swatch}` })] : []), label));
      list.append(this.#text('dd', key));
    }
    this.element.append(element('div', { class: 'gauge' }, element('h2', {}, title), figure, picture, list));
  }

  #text(tag: 'b' | 'span' | 'dd', key: string): HTMLElement {
    const made = element(tag, {}, '–');
    this.#texts.set(key, made);
    return made;
  }

  #put(title: string, figure: string, unit: string): void {
    this.#write(title, figure);
    this.#write(`${title}, unit`, unit);
  }

  #write(key: string, text: string): void {
    const target = this.#texts.get(key)!;
    if (target.textContent !== text) target.textContent = text;
  }
}

export function milliseconds({ time: { mean } }: Cost): string {
  return mean > 0 ? `${mean.toFixed(mean < 10 ? 2 : 1)} ms` : '–';
}
