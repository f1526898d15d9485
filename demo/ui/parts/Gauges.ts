import type { Meter } from '../../measure/Meter.js';
import { element, setText, swatch } from './element.js';
import { number } from './format.js';

/** A line under a figure: what its value is written by, its label, and the name of its colour in `style/tokens.css`. */
export type GaugeRow = [key: string, label: string, colour?: string];

/** Instruments side by side: a title, a large figure with its unit, a picture if there is one, and lines. */
export class Gauges {
  readonly element: HTMLElement;
  readonly #gauges = new Map<string, HTMLElement>();
  readonly #texts = new Map<string, HTMLElement>();

  constructor(root: HTMLElement) {
    this.element = root;
  }

  /** @param key What its figure is written by. */
  add(key: string, title: string | Node, rows: GaugeRow[] = [], picture: Node | string = ''): void {
    const figure = element('p', { class: 'figure' }, this.#text('b', key), this.#text('span', `${key}-unit`));
    const list = element('dl', { class: 'rows' });
    for (const [row, name, colour] of rows) {
      const label = element('span', { class: 'label' }, name);
      list.append(element('dt', {}, ...(colour ? [swatch(colour)] : []), label));
      list.append(this.#text('dd', row));
    }
    const gauge = element('div', { class: 'gauge', 'data-gauge': key }, element('h2', {}, title), figure, picture);
    if (rows.length > 0) gauge.append(list);
    this.#gauges.set(key, gauge);
    this.element.append(gauge);
  }

  /** Shows a gauge, or hides it where it would say nothing. */
  toggle(key: string, isShown: boolean): void {
    this.#gauges.get(key)!.hidden = !isShown;
  }

  toggleRow(key: string, isShown: boolean): void {
    const value = this.#texts.get(key)!;
    value.hidden = (value.previousElementSibling as HTMLElement).hidden = !isShown;
  }

  /** Writes the figure of a gauge. */
  put(key: string, figure: string, unit: string): void {
    this.write(key, figure);
    this.write(`${key}-unit`, unit);
  }

  /** Writes what a frame takes, once that is known. */
  putTime(key: string, { mean, isReliable }: Meter, unit = 'ms a frame'): void {
    this.put(key, isReliable ? number(mean, 2) : '–', isReliable ? unit : 'measuring…');
  }

  /** Writes the value of a line. */
  write(key: string, text: string): void {
    setText(this.#texts.get(key)!, text);
  }

  #text(tag: 'b' | 'span' | 'dd', key: string, text = '–'): HTMLElement {
    const made = element(tag, { 'data-key': key }, text);
    this.#texts.set(key, made);
    return made;
  }
}
