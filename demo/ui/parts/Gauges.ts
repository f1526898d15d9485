import { element } from './element.js';

/** A line under a figure: what its value is written by, its label, and the class of its colour (see style/hud.css). */
export type GaugeRow = [key: string, label: string, swatch?: string];

/** Instruments side by side: a title, a large figure with its unit, a picture if there is one, and lines. */
export class Gauges {
  readonly element: HTMLElement;
  readonly #texts = new Map<string, HTMLElement>();

  /** @param kind Class of the element, or several. */
  constructor(kind: string) {
    this.element = element('section', { class: `hud ${kind}`, 'aria-label': 'Measurements' });
  }

  add(title: string, picture: Node | string, rows: GaugeRow[]): void {
    const figure = element('p', { class: 'figure' }, this.#text('b', title), this.#text('span', `${title}, unit`));
    const list = element('dl', { class: 'rows' });
    for (const [key, name, swatch] of rows) {
      const label = element('span', { class: 'label' }, name);
      list.append(element('dt', {}, ...(swatch ? [element('span', { class: `swatch ${swatch}` })] : []), label));
      list.append(this.#text('dd', key));
    }
    this.element.append(element('div', { class: 'gauge' }, element('h2', {}, title), figure, picture, list));
  }

  /** Writes the figure of a gauge. */
  put(title: string, figure: string, unit: string): void {
    this.write(title, figure);
    this.write(`${title}, unit`, unit);
  }

  /** Writes the value of a line. */
  write(key: string, text: string): void {
    const target = this.#texts.get(key)!;
    if (target.textContent !== text) target.textContent = text;
  }

  #text(tag: 'b' | 'span' | 'dd', key: string): HTMLElement {
    const made = element(tag, {}, '–');
    this.#texts.set(key, made);
    return made;
  }
}
