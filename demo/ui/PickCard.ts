import { PICK_ACTS, type PickAct } from '../worlds/contract/PickAct.js';
import { element, paint, setText, swatch } from './parts/element.js';

/** A button of the card: what it says, and why it does nothing here, if so. */
export interface ActChoice {
  label: string;
  whyNot: string | null;
}

/** What the card says about an object. */
export interface PickFacts {
  title: string;
  where: string;
  /** The name and the value of each fact; a mark in a colour of `style/tokens.css` before the value. */
  facts: [name: string, value: string, colour?: string][];
  /** The node that holds it: a button that lights it up. Null where nodes are not known. */
  node: string | null;
  /** A sentence each: how it is drawn, and why. */
  drawn: string[];
  acts: Readonly<Record<PickAct, ActChoice>>;
}

/** The card about the picked object, with buttons for what one can do with it. */
export class PickCard {
  onAct: (act: PickAct) => void = () => {};
  onNode: () => void = () => {};
  onClose: () => void = () => {};
  /** Called when it is shown. */
  onShow: () => void = () => {};
  readonly #root: HTMLElement;
  readonly #returnTo: HTMLElement;
  readonly #title = element('h2');
  readonly #where = element('p', { class: 'where' });
  readonly #facts = element('dl');
  readonly #node = element('button', { type: 'button', 'data-act': 'node', title: 'Light up the node in both views' });
  readonly #drawn = element('ul', { class: 'drawn', 'aria-label': 'How it is drawn' });
  readonly #buttons = new Map<PickAct, HTMLButtonElement>();
  readonly #whyNot = element('p', { class: 'whyNot', role: 'status' });
  readonly #nodeRow = element('div', { class: 'nodeRow' }, element('dt', {}, 'Node'), element('dd', {}, this.#node));
  #values: HTMLElement[] = [];
  #names = '';
  #said = '';

  constructor(root: HTMLElement, returnTo: HTMLElement) {
    this.#root = root;
    this.#returnTo = returnTo;
    root.tabIndex = -1;
    for (const act of PICK_ACTS) {
      const button = element('button', { type: 'button', 'data-act': act });
      button.addEventListener('click', () => this.#press(act, button));
      this.#buttons.set(act, button);
    }
    const close = element('button', { type: 'button', 'data-act': 'close', title: 'Close (Esc)' }, 'Close');
    close.addEventListener('click', () => this.onClose());
    this.#node.addEventListener('click', () => this.onNode());
    const actions = element('div', { class: 'actions' }, ...this.#buttons.values(), close);
    root.append(this.#title, this.#where, this.#facts, this.#drawn, actions, this.#whyNot);
  }

  /** Shows an object, or hides the card. */
  show(facts: PickFacts | null): void {
    const hadFocus = this.#root.contains(document.activeElement);
    this.#root.hidden = !facts;
    setText(this.#whyNot, '');
    if (facts) {
      this.refresh(facts);
      this.onShow();
    } else if (hadFocus) this.#returnTo.focus({ preventScroll: true });
  }

  /** Updates what is said about the same object. */
  refresh({ title, where, facts, node, drawn, acts }: PickFacts): void {
    setText(this.#title, title);
    setText(this.#where, where);
    this.#nameFacts(facts.map(([name]) => name));
    facts.forEach(([, value, colour = ''], i) => {
      const shown = this.#values[i]!;
      setText(shown.lastElementChild!, value);
      paint(shown.firstElementChild as HTMLElement, colour);
    });
    this.#nodeRow.hidden = node === null;
    setText(this.#node, node ?? '');
    // A list that stays the same keeps its place for screen readers.
    if (this.#said !== drawn.join()) {
      this.#said = drawn.join();
      this.#drawn.replaceChildren(...drawn.map((sentence) => element('li', {}, sentence)));
    }
    for (const [act, button] of this.#buttons) {
      const { label, whyNot } = acts[act];
      setText(button, label);
      // Not `disabled`: one must be able to come to it and read why.
      button.setAttribute('aria-disabled', String(whyNot !== null));
      button.title = whyNot ?? '';
    }
  }

  focus(): void {
    if (!this.#root.hidden) this.#root.focus({ preventScroll: true });
  }

  #press(act: PickAct, button: HTMLButtonElement): void {
    const isDisabled = button.getAttribute('aria-disabled') === 'true';
    setText(this.#whyNot, isDisabled ? button.title : '');
    if (!isDisabled) this.onAct(act);
  }

  #nameFacts(names: string[]): void {
    if (names.join() === this.#names) return;
    this.#names = names.join();
    this.#values = names.map(() => element('dd', {}, swatch(), element('span')));
    const rows = names.flatMap((name, i) => [element('dt', {}, name), this.#values[i]!]);
    this.#facts.replaceChildren(...rows, this.#nodeRow);
  }
}
