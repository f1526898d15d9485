import { element } from '../../ui/parts/element.js';

/** Said over the view while levels are made. */
export class Making {
  readonly element = element('p', { class: 'making', role: 'status', hidden: '' });
  readonly #text = element('span');
  readonly #bar = element('progress', { 'aria-label': 'Levels made' });

  constructor() {
    this.element.append(this.#text, this.#bar);
  }

  /** @param made Meshes that have levels. @param waiting Meshes that have yet to get them. */
  show(made: number, waiting: number): void {
    const total = made + waiting;
    this.element.hidden = waiting === 0;
    if (waiting === 0) return;
    const text = `Making levels, ${made} of ${total}`;
    // A status is read aloud when its text changes.
    if (this.#text.textContent !== text) this.#text.textContent = text;
    Object.assign(this.#bar, { max: total, value: made });
  }
}
