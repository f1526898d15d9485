import { element } from './element.js';

/** Values as bars below each other, all on one scale from zero. */
export class Bars {
  readonly element = element('div', { class: 'way-bars', 'aria-hidden': 'true' });
  readonly #bars: HTMLElement[];

  /** @param names Class names of the bars. */
  constructor(names: readonly string[]) {
    this.#bars = names.map((name) => element('i', { class: name }));
    this.element.append(...this.#bars);
  }

  show(values: readonly number[]): void {
    const highest = Math.max(1e-6, ...values);
    values.forEach((value, i) => {
      this.#bars[i]!.style.width = `${((100 * value) / highest).toFixed(1)}%`;
    });
  }
}
