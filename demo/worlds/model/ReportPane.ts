import { copyText } from '../../ui/parts/copyText.js';
import { element } from '../../ui/parts/element.js';
import { renderMarkdown } from '../../ui/parts/renderMarkdown.js';

/** What was measured of the model, over the views: to read, to fold away, and to copy as Markdown. */
export class ReportPane {
  readonly element: HTMLDetailsElement;

  constructor(report: string) {
    const status = element('span', { role: 'status' });
    const copy = element('button', { type: 'button', 'data-act': 'copy' }, 'Copy as Markdown');
    copy.addEventListener('click', async () => {
      const isDone = await copyText(report);
      status.textContent = isDone ? 'Copied.' : 'This browser does not let the page copy.';
    });
    const note = element('p', { class: 'note' }, 'The file was read and measured in this page. Nothing was uploaded.');
    this.element = element(
      'details',
      { class: 'model-report', id: 'modelReport', open: '' },
      element('summary', {}, 'Report'),
      element('div', { class: 'actions' }, copy, status),
      element('article', { 'aria-label': 'Report on the model' }, ...renderMarkdown(report), note),
    );
  }
}
