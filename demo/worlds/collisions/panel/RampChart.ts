import { element, setText } from '../../../ui/parts/element.js';
import { METHODS } from '../setup/methods.js';
import type { Comparison } from '../simulation/Comparison.js';
import { countText, rampTitle } from './resultsText.js';

/** How many bodies each method can handle: a bar and a number for each. */
export class RampChart {
  readonly #title = element('figcaption');
  readonly #list = element('dl', { class: 'bars' });
  readonly element = element('figure', { class: 'ramp', hidden: '' }, this.#title, this.#list);
  readonly #rows = METHODS.map(({ id, title }) => {
    const [bar, count] = [element('i', { 'aria-hidden': 'true' }), element('span')];
    const row = element('div', {}, element('dt', {}, title), element('dd', {}, bar, count));
    this.#list.append(row);
    return { id, row, bar, count };
  });

  show({ ramp, rampResults, rampLimit }: Comparison): void {
    const hidden = !ramp && rampResults.length === 0;
    const appears = this.element.hidden && !hidden;
    this.element.hidden = hidden;
    if (hidden) return;
    if (appears) this.element.scrollIntoView({ block: 'nearest' });
    const current = ramp?.current;
    const shown = current ? [...rampResults, { ...current, withinLimit: false }] : rampResults;
    const longest = Math.max(1, ...shown.map(({ count }) => count));
    setText(this.#title, rampTitle(rampLimit));
    for (const { id, row, bar, count } of this.#rows) {
      const result = shown.find(({ method }) => method === id);
      row.className = !result ? 'waits' : current?.method === id ? 'climbs' : 'done';
      // Numbers stand behind the bars, and need a fifth of the room.
      bar.style.width = `${result ? (80 * result.count) / longest : 0}%`;
      setText(count, result ? countText(result) : '');
    }
  }
}
