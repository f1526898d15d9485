import { element, setText } from '../../../ui/parts/element.js';
import { METHODS } from '../setup/methods.js';
import type { Comparison } from '../simulation/Comparison.js';
import type { RampResult } from '../simulation/Ramp.js';
import { countText, rampTitle } from './resultsText.js';

const SVG = 'http://www.w3.org/2000/svg';
const LINE = 19;
const BAR = 12;
/** Per cent of the width: where bars begin, and what the longest takes; numbers stand behind it. */
const LEFT = 34;
const LONGEST = 50;

interface Bar {
  group: SVGElement;
  bar: SVGElement;
  count: SVGElement;
}

/** How many bodies each method can handle, as bars, with a sentence for screen readers. */
export class RampChart {
  readonly element: HTMLElement;
  readonly #title = element('figcaption');
  readonly #picture = svg('svg', { class: 'bars', role: 'img', height: LINE * METHODS.length });
  readonly #bars: Bar[];

  constructor() {
    this.#bars = METHODS.map(({ title }, i) => {
      const middle = LINE * (i + 0.5);
      const name = svg('text', { x: `${LEFT - 2}%`, y: middle, class: 'name' }, title);
      const track = svg('rect', { x: `${LEFT}%`, y: middle - 0.5, width: `${LONGEST}%`, height: 1, class: 'track' });
      const bar = svg('rect', { x: `${LEFT}%`, y: middle - BAR / 2, width: 0, height: BAR, rx: 2 });
      const count = svg('text', { x: 0, y: middle, class: 'count' });
      const group = svg('g', {});
      group.append(name, track, bar, count);
      this.#picture.append(group);
      return { group, bar, count };
    });
    this.element = element('figure', { class: 'ramp', hidden: '' }, this.#title, this.#picture);
  }

  show({ ramp, rampResults, rampLimit }: Comparison): void {
    const hidden = !ramp && rampResults.length === 0;
    const appears = this.element.hidden && !hidden;
    this.element.hidden = hidden;
    if (hidden) return;
    if (appears) this.element.scrollIntoView({ block: 'nearest' });
    const shown: RampResult[] = [...rampResults];
    const current = ramp?.current;
    if (current) shown.push({ ...current, withinLimit: false });
    const longest = Math.max(1, ...shown.map(({ count }) => count));
    const title = rampTitle(rampLimit);
    setText(this.#title, title);
    METHODS.forEach(({ id }, i) => {
      const { group, bar, count } = this.#bars[i];
      const result = shown.find(({ method }) => method === id);
      const width = result ? (LONGEST * result.count) / longest : 0;
      group.setAttribute('class', !result ? 'waits' : current?.method === id ? 'climbs' : 'done');
      bar.setAttribute('width', `${width}%`);
      count.setAttribute('x', `${LEFT + width + 1.5}%`);
      count.textContent = result ? countText(result) : '';
    });
    const known = METHODS.flatMap(({ id, title: name }) => {
      const result = rampResults.find(({ method }) => method === id);
      return result ? [`${name} ${countText(result)}`] : [];
    });
    this.#picture.setAttribute('aria-label', `${title}: ${known.join('; ') || 'under way'}`);
  }
}

function svg(tag: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}
