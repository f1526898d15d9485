import { element } from '../ui/parts/element.js';
import { EXAMPLES, type Example } from './catalogue.js';
import { bindTheme } from './theme.js';

const PICTURES = import.meta.glob<string>('./*/picture.webp', { query: '?url', import: 'default', eager: true });

document.querySelector('ul')!.append(...EXAMPLES.map(cardOf));
bindTheme(document.querySelector('button')!);

function cardOf({ name, title, text }: Example): HTMLElement {
  const src = PICTURES[`./${name}/picture.webp`] ?? 'data:,';
  const link = element(
    'a',
    { href: `./${name}/`, id: name },
    element('img', { src, alt: '', width: '512', height: '320' }),
    element('h2', {}, title),
    element('p', {}, text),
  );
  return element('li', {}, link);
}
