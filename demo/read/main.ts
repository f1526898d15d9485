import { bindTheme } from '../examples/theme.js';
import { element } from '../ui/parts/element.js';
import { renderGuide } from './renderGuide.js';

// Shows a file of the repository as text: `?file=demo/worlds/town/townWorld.ts`. Each is a file of its own in the build.
const FILES: Record<string, () => Promise<string>> = {
  ...import.meta.glob<string>('../worlds/**/*.ts', { query: '?raw', import: 'default' }),
  ...import.meta.glob<string>('../docs/guides/*.md', { query: '?guide', import: 'default' }),
};

const asked = new URLSearchParams(location.search).get('file') ?? '';
const path = asked.replace(/^demo\//, '../');
const main = document.querySelector('main')!;
const load = FILES[path];
if (load) show(await load());
else main.append(element('h1', {}, 'There is no such file'), element('p', {}, asked));
// All links are there, and go along with the theme.
bindTheme(document.querySelector('button')!);

function show(text: string): void {
  if (path.endsWith('.md')) main.append(...renderGuide(text));
  else {
    main.append(element('h1', {}, asked), element('pre', { tabindex: '0' }, element('code', {}, text)));
  }
  document.title = `${main.querySelector('h1')?.textContent ?? asked} – three-scene-index`;
}
