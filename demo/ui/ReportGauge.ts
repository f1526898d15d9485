import type { Report } from '../worlds/contract/Report.js';
import { element, paint, setText, swatch } from './parts/element.js';

/** The gauge for the report of the world; hidden without a report. */
export class ReportGauge {
  readonly element = element('div', { class: 'gauge report', id: 'report', hidden: '' });
  readonly #title = element('h2');
  readonly #figure = element('b');
  readonly #unit = element('span');
  readonly #rows = element('dl', { class: 'rows' });
  /** Label and value of each row that is shown. */
  #lines: { swatch: HTMLElement; label: HTMLElement; value: HTMLElement }[] = [];

  constructor() {
    this.element.append(this.#title, element('p', { class: 'figure' }, this.#figure, this.#unit), this.#rows);
  }

  show(report: Report | null): void {
    this.element.hidden = report === null;
    if (!report) return;
    setText(this.#title, report.title);
    setText(this.#figure, report.figure);
    setText(this.#unit, report.unit);
    if (this.#lines.length !== report.rows.length) this.#setLines(report.rows.length);
    report.rows.forEach(([label, value, colour = ''], i) => {
      const line = this.#lines[i]!;
      setText(line.label, label);
      setText(line.value, value);
      paint(line.swatch, colour);
    });
  }

  #setLines(count: number): void {
    this.#rows.replaceChildren();
    this.#lines = Array.from({ length: count }, () => {
      const line = { swatch: swatch(), label: element('span', { class: 'label' }), value: element('dd') };
      this.#rows.append(element('dt', {}, line.swatch, line.label), line.value);
      return line;
    });
  }
}
