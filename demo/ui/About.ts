import type { About as Facts } from '../state/catalogue.js';
import type { Theme } from '../state/Settings.js';
import { isLight } from '../state/theme.js';
import { element } from './parts/element.js';

/** A note over the views: what to look for in this world, and links to its code, its guide and its example. */
export class About {
  /** Called before a visitor opens it. */
  onOpen = (): void => {};
  readonly #narrow = matchMedia('(max-width: 860px)');
  readonly #look = element('p');
  readonly #code = element('a', {}, 'Code of this view');
  readonly #guide = element('a', {}, 'Guide');
  readonly #example = element('a', {}, 'Example');
  readonly #root: HTMLDetailsElement;

  constructor(stage: HTMLElement) {
    const links = element('nav', { 'aria-label': 'About this world' }, this.#code, this.#guide, this.#example);
    const summary = element('summary', {}, 'What to look for');
    this.#root = element('details', { class: 'about' }, summary, this.#look, links);
    stage.append(this.#root);
    summary.addEventListener('click', () => !this.#root.open && this.onOpen());
    this.#narrow.addEventListener('change', ({ matches }) => {
      if (matches) this.open(false);
    });
  }

  /** Opens it, or closes it where the picture needs the room. */
  open(hasRoom: boolean): void {
    this.#root.open = hasRoom && !this.#narrow.matches;
  }

  show({ look, code, guide, example }: Facts, theme: Theme): void {
    this.#look.textContent = look;
    // A theme that was chosen goes along.
    const chosen = theme === 'auto' ? '' : `theme=${isLight(theme) ? 'light' : 'dark'}`;
    this.#code.href = `./read/?file=${code}&${chosen}`;
    this.#guide.href = `./read/?file=demo/docs/guides/${guide}.md&${chosen}`;
    this.#example.href = `./examples/${example}/?${chosen}`;
  }
}
