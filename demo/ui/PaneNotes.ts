import { element } from './parts/element.js';
import { number } from './parts/format.js';

/** Short notes over the panes: what the ray of a pick tested, and that something is hidden. */
export class PaneNotes {
  onShowAll: () => void = () => {};
  readonly #ray = element('p', { class: 'note', role: 'status', 'data-key': 'ray' });
  readonly #hidden = element('button', { type: 'button', class: 'note', 'data-act': 'showAll' });

  constructor(panes: { player: HTMLElement; above: HTMLElement }) {
    this.#hidden.addEventListener('click', () => this.onShowAll());
    // A press on the button is no pick.
    this.#hidden.addEventListener('pointerdown', (event) => event.stopPropagation());
    panes.above.append(this.#ray);
    panes.player.append(this.#hidden);
    this.showRay(null);
    this.showHidden(0);
  }

  showRay(cast: { entered: number; tested: number; nodes: number } | null): void {
    this.#ray.hidden = cast === null;
    if (!cast) return;
    const { entered, tested, nodes } = cast;
    this.#ray.textContent = `The ray tested ${number(tested)} of ${number(nodes)} nodes and entered ${number(entered)}`;
  }

  showHidden(count: number): void {
    this.#hidden.hidden = count === 0;
    this.#hidden.textContent = `Show ${number(count)} hidden again`;
  }
}
