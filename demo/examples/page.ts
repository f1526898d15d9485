import './page.css';
import { element } from '../ui/parts/element.js';
import { EXAMPLES, type Example } from './catalogue.js';
import { filesOf, projectOf } from './project.js';
import { bindTheme, showTheme } from './theme.js';

// `?embedded` is for pages that show an example in a frame, with the code and the links beside it.
if (new URLSearchParams(location.search).has('embedded')) showTheme();
else addBar(EXAMPLES.find(({ name }) => name === location.pathname.split('/').at(-2))!);

/** The bar of an example: the way back, its code, and the same code to try out. */
function addBar(example: Example): void {
  const theme = element('button', { type: 'button', title: 'Light or dark (T)' }, 'Theme');
  const source = element('div', { class: 'source', tabindex: '0', role: 'region', 'aria-label': 'Source' });
  const details = element('details', {}, element('summary', { title: 'The code of this page' }, 'Source'), source);
  document.body.prepend(
    element(
      'header',
      { class: 'bar' },
      element('nav', { 'aria-label': 'Pages' }, element('a', { href: '../' }, '‹ Examples')),
      element('h1', {}, example.title),
      element('nav', { 'aria-label': 'This example' }, details, theme),
    ),
  );
  bindTheme(theme);

  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') details.open = false;
  });

  void filesOf(example.name).then((files) => {
    for (const [name, text] of Object.entries(files)) {
      if (name !== 'index.html') source.append(element('h2', {}, name), element('pre', {}, element('code', {}, text)));
    }
    if (example.needs) source.prepend(element('p', {}, example.needs));
    else details.after(formOf(projectOf(example, files)));
  });
}

/** Posts a project to StackBlitz, which makes it from these fields alone. */
function formOf(fields: Record<string, string>): HTMLFormElement {
  const form = element('form', { action: 'https://stackblitz.com/run', method: 'post', target: '_blank' });
  for (const [name, value] of Object.entries(fields)) form.append(element('input', { type: 'hidden', name, value }));
  form.append(element('button', { title: 'The same code, to change and run' }, 'Open in StackBlitz'));
  return form;
}
