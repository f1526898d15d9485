import { describeSpeed } from '../measure/describeSpeed.js';
import type { Measurements } from '../measure/Measurements.js';
import type { Meter } from '../measure/Meter.js';
import type { Turns } from '../measure/Turns.js';
import type { Mode } from '../state/Settings.js';
import type { Report } from '../worlds/contract/Report.js';
import { element } from './parts/element.js';
import { number, reliableTime } from './parts/format.js';
import { Graph } from './parts/Graph.js';
import { ReportGauge } from './ReportGauge.js';

export interface TreeFacts {
  followed: number;
  nodes: number;
  height: number;
}

/** The instruments of a world in two views: what is visible, the cost of culling, and the cost of updates. */
export class Hud {
  readonly #texts = new Map<string, HTMLElement>();
  readonly #shares: HTMLElement[] = [];
  readonly #culling = new Graph(['three', 'index']);
  readonly #following = new Graph(['index']);
  readonly #report = new ReportGauge();

  constructor(root: HTMLElement) {
    const share = element('div', { class: 'share', 'aria-hidden': 'true' });
    for (const name of ['inside', 'intersecting']) {
      const part = element('i', { class: name });
      this.#shares.push(part);
      share.append(part);
    }
    root.append(
      this.#report.element,
      this.#gauge('Seen by the player', this.#figure('visible', 'ofTotal'), share, [
        ['inside', 'Inside', 'inside'],
        ['intersecting', 'Intersecting', 'intersecting'],
        ['culled', 'Culled', 'culled'],
      ]),
      this.#gauge('Culling', this.#figure('ratio', 'ratioOf'), this.#culling.element, [
        ['indexTime', 'Index', 'index'],
        ['threeTime', 'Plain three', 'three'],
      ]),
      this.#gauge('Following the scene', this.#figure('updateTime', 'updateUnit'), this.#following.element, [
        ['followed', 'Objects'],
        ['nodes', 'Nodes, levels'],
      ]),
      this.#gauge('Work per frame', this.#figure('rate', 'rateUnit'), '', [
        ['tested', 'Boxes tested'],
        ['drawCalls', 'One by one', 'index'],
        ['batchedDraw', 'In batches', 'batched'],
        ['batchedTime', 'CPU in batches'],
      ]),
    );
    this.#put('updateUnit', 'ms a frame');
    this.#put('rateUnit', 'frames a second');
  }

  clear(): void {
    this.#culling.clear();
    this.#following.clear();
  }

  show(measured: Measurements, tree: TreeFacts, mode: Mode, report: Report | null): void {
    this.#report.show(report);
    const { total } = measured;
    this.#put('visible', number(measured.visible));
    this.#put('ofTotal', `of ${number(total)} objects`);
    this.#put('inside', number(measured.inside));
    this.#put('intersecting', number(measured.intersecting));
    this.#put('culled', number(measured.culled));
    [measured.inside, measured.intersecting].forEach((count, i) => {
      this.#shares[i]!.style.width = `${total ? (100 * count) / total : 0}%`;
    });

    const { index, three, update, frame } = measured;
    const { figure, unit } = describeSpeed(index, three, mode);
    this.#put('ratio', figure);
    this.#put('ratioOf', unit);
    this.#put('indexTime', reliableTime(index));
    this.#put('threeTime', reliableTime(three));
    if (index.isReliable && three.isReliable) this.#culling.push(three.mean, index.mean);

    this.#put('updateTime', update.isReliable ? update.mean.toFixed(2) : '–');
    this.#put('followed', number(tree.followed));
    this.#put('nodes', `${number(tree.nodes)}, ${tree.height}`);
    if (update.isReliable) this.#following.push(update.mean);

    this.#put('rate', frame.isReliable ? (1000 / frame.mean).toFixed(0) : '–');
    this.#put('tested', number(measured.nodesVisited + measured.itemsTested));
  }

  /** Shows what it takes to draw the player's view in both ways; of worlds that have one, its draw calls. */
  showDrawing(calls: number, turns: Turns | null): void {
    const { index, batched } = turns?.costs ?? {};
    this.#put('drawCalls', `${number(index?.drawn ?? calls)} calls`);
    this.#put('batchedDraw', batched ? `${number(batched.drawn)} calls` : '–');
    this.#put('batchedTime', index && batched ? inComparison(batched.time, index.time) : '–');
  }

  #gauge(
    title: string,
    figure: Node,
    picture: Node | string,
    rows: [key: string, name: string, swatch?: string][],
  ): Node {
    const list = element('dl', { class: 'rows' });
    for (const [key, name, swatch] of rows) {
      const label = element('dt', {}, ...(swatch ? [element('span', { class: `swatch ${swatch}` })] : []), name);
      list.append(label, this.#text('dd', key));
    }
    return element('div', { class: 'gauge' }, element('h2', {}, title), figure, picture, list);
  }

  #figure(value: string, unit: string): Node {
    return element('p', { class: 'figure' }, this.#text('b', value), this.#text('span', unit));
  }

  #text(tag: 'b' | 'span' | 'dd', key: string): HTMLElement {
    const made = element(tag, { 'data-key': key }, '–');
    this.#texts.set(key, made);
    return made;
  }

  #put(key: string, text: string): void {
    const target = this.#texts.get(key)!;
    if (target.textContent !== text) target.textContent = text;
  }
}

/** How much less or more one takes than another, once both were measured often enough. */
function inComparison(one: Meter, other: Meter): string {
  if (!one.isReliable || !other.isReliable) return '–';
  const ratio = other.mean / one.mean;
  return ratio >= 1 ? `${ratio.toFixed(1)}× less` : `${(1 / ratio).toFixed(1)}× more`;
}
