import type { Description } from '../worlds/contract/World.js';
import { element } from './parts/element.js';

/** The card about the picked object, with a button to remove it. */
export class PickCard {
  readonly #root: HTMLElement;
  readonly #onRemove: () => void;
  readonly #onClose: () => void;
  #values: HTMLElement[] = [];

  constructor(root: HTMLElement, onRemove: () => void, onClose: () => void) {
    this.#root = root;
    this.#onRemove = onRemove;
    this.#onClose = onClose;
  }

  show(description: Description | null): void {
    this.#root.hidden = !description;
    this.#root.replaceChildren();
    if (!description) return;
    const facts = element('dl');
    this.#values = description.facts.map(([, value]) => element('dd', {}, value));
    description.facts.forEach(([name], i) => {
      facts.append(element('dt', {}, name), this.#values[i]!);
    });
    const remove = element('button', { type: 'button', 'data-act': 'remove', title: 'Delete' }, 'Remove');
    const close = element('button', { type: 'button', 'data-act': 'close', title: 'Esc' }, 'Close');
    remove.addEventListener('click', this.#onRemove);
    close.addEventListener('click', this.#onClose);
    this.#root.append(
      element('h2', {}, description.title),
      element('p', { class: 'where' }, description.where),
      facts,
      element('div', { class: 'actions' }, remove, close),
    );
  }

  /** Updates the facts of the same object. */
  refresh({ facts }: Description): void {
    facts.forEach(([, value], i) => {
      const shown = this.#values[i];
      if (shown && shown.textContent !== value) shown.textContent = value;
    });
  }
}
