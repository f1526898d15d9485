import type { Report } from '../worlds/contract/Report.js';
import { element, setText, swatch } from './parts/element.js';

/** The gauge for the report of the world; hidden without a report. */
export class ReportGauge {
  readonly element = element('div', { class: 'gauge report', id: 'report', hidden: '' });
  readonly #title = element('h2');
  readonly #figure = element('b');
  readonly #unit = element('span');
  readonly #rows = element('dl', { class: 'rows' });

  constructor() {
    this.element.append(this.#title, element('p', { class: 'figure' }, this.#figure, this.#unit), this.#rows);
  }

  show(report: Report | null): void {
    this.element.hidden = report === null;
    if (!report) return;
    setText(this.#title, report.title);
    setText(this.#figure, report.figure);
    setText(this.#unit, report.unit);
    const rows = report.rows.flatMap(([label, value, colour]) => [
      element('dt', {}, swatch(colour), element('span', { class: 'label' }, label)),
      element('dd', {}, value),
    ]);
    this.#rows.replaceChildren(...rows);
  }
}
