import type { Colour, World } from '../worlds/contract/World.js';
import { element, swatch } from './parts/element.js';

/** The words of the instruments. */
const CLASSES: Colour[] = [
  ['Inside', 'inside'],
  ['Intersecting', 'intersecting'],
  ['Culled', 'culled'],
  ['Picked', 'picked'],
];
/** Depths shown; deeper ones have colours of their own, too. */
const DEPTHS = 6;

/** What the colours of the view from above mean, in its pane. */
export class Legend {
  readonly #list = element('ul', { class: 'legend', 'aria-label': 'Colours' });
  readonly #depths = element('li', { class: 'depths' }, 'Node depth ');

  constructor(pane: HTMLElement) {
    for (let depth = 0; depth < DEPTHS; depth++) {
      const label = element('span', { class: 'depth' }, String(depth));
      // As SceneIndexHelper colours them.
      label.style.setProperty('--hue', String(360 * ((0.55 + depth * 0.381966) % 1)));
      this.#depths.append(label);
    }
    this.show();
    pane.append(this.#list);
  }

  /** Names the colours of a world: those of the classes, or what it has in their place, and what it has besides. */
  show({ classes = CLASSES, colours = [] }: Pick<World, 'classes' | 'colours'> = {}): void {
    this.#list.replaceChildren(...[...classes, ...colours].map(entryOf), this.#depths);
  }

  showDepths(areShown: boolean): void {
    this.#depths.hidden = !areShown;
  }
}

function entryOf([label, colour]: Colour): HTMLElement {
  return element('li', {}, swatch(colour), label);
}
