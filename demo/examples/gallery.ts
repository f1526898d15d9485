import { element } from '../ui/parts/element.js';
import { EXAMPLES, type Example } from './catalogue.js';
import { bindTheme } from './theme.js';

const PICTURES = import.meta.glob<string>('./*/picture.webp', { query: '?url', import: 'default', eager: true });

const list = document.querySelector('ul')!;
list.append(...EXAMPLES.map(cardOf));
list.addEventListener('keydown', moveFocus);
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

/** Arrows, Home and End go from card to card; Enter opens a link as ever. */
function moveFocus(event: KeyboardEvent): void {
  const cards = [...list.querySelectorAll('a')];
  const at = cards.indexOf(document.activeElement as HTMLAnchorElement);
  const top = cards[0]!.getBoundingClientRect().top;
  const columns = cards.filter((card) => card.getBoundingClientRect().top === top).length;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const places: Record<string, number> = { Home: 0, End: cards.length - 1 };
  const next = cards[places[event.key] ?? at + (steps[event.key] ?? Number.NaN)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
