import { element } from './parts/element.js';

const CLASSES = [
  ['inside', 'Inside the view'],
  ['intersecting', 'Partly inside'],
  ['culled', 'Culled'],
  ['picked', 'Picked'],
] as const;
/** Depths shown; deeper ones have colours of their own, too. */
const DEPTHS = 6;

/** What the colours of the view from above mean, in its pane. */
export class Legend {
  readonly #depths = element('li', { class: 'depths' }, 'Node depth ');

  constructor(pane: HTMLElement) {
    for (let depth = 0; depth < DEPTHS; depth++) {
      const swatch = element('span', { class: 'depth' }, String(depth));
      // As SceneIndexHelper colours them.
      swatch.style.setProperty('--hue', String(360 * ((0.55 + depth * 0.381966) % 1)));
      this.#depths.append(swatch);
    }
    const classes = CLASSES.map(([name, label]) =>
      element('li', {}, element('span', { class: `swatch ${name}` }), label),
    );
    pane.append(element('ul', { class: 'legend', 'aria-label': 'Colours' }, ...classes, this.#depths));
  }

  showDepths(areShown: boolean): void {
    this.#depths.hidden = !areShown;
  }
}
