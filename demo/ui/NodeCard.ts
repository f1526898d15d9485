import { element, setText } from './parts/element.js';
import { number } from './parts/format.js';

/** What the card says about a node. */
export interface NodeFacts {
  depth: number;
  facts: [name: string, value: string][];
  verdict: string;
  items: { title: string; pick: () => void }[];
}

/** Where the keys and buttons of the card lead. */
export type NodeStep = 'parent' | 'child' | 'previous' | 'next';

const STEPS: [step: NodeStep, label: string, key: string][] = [
  ['parent', 'Parent', 'ArrowUp'],
  ['child', 'Child', 'ArrowDown'],
  ['previous', 'Previous', 'ArrowLeft'],
  ['next', 'Next', 'ArrowRight'],
];
/** Items listed at most. */
const LISTED = 50;

/** The card about a node: of the one under the pointer, or with buttons and a list of the one that is kept. */
export class NodeCard {
  onStep: (step: NodeStep) => void = () => {};
  onClose: () => void = () => {};
  readonly #root = element('section', { class: 'nodeCard', tabindex: '-1', 'aria-label': 'Node of the index' });
  readonly #title = element('h2');
  readonly #facts = element('dl');
  readonly #verdict = element('p', { 'data-key': 'verdict' });
  readonly #more = element('div', { class: 'more' });
  readonly #items = element('ul');
  readonly #returnTo: HTMLElement;

  constructor(stage: HTMLElement, returnTo: HTMLElement) {
    this.#returnTo = returnTo;
    const buttons = STEPS.map(([step, label, key]) => {
      const button = element('button', { type: 'button', 'data-step': step, title: `${label} node (${key})` }, label);
      button.addEventListener('click', () => this.onStep(step));
      return button;
    });
    const close = element('button', { type: 'button', 'data-act': 'closeNode', title: 'Close (Esc)' }, 'Close');
    close.addEventListener('click', () => this.onClose());
    this.#more.append(element('div', { class: 'actions' }, ...buttons, close), this.#items);
    this.#root.append(this.#title, this.#facts, this.#verdict, this.#more);
    this.#root.hidden = true;
    this.#root.addEventListener('keydown', (event) => {
      const step = STEPS.find(([, , key]) => key === event.key);
      if (!step) return;
      event.preventDefault();
      this.onStep(step[0]);
    });
    stage.append(this.#root);
  }

  /** Shows a node, or hides the card. */
  show(node: NodeFacts | null, isKept: boolean): void {
    const hadFocus = this.#root.contains(document.activeElement);
    this.#root.hidden = !node;
    if (hadFocus && !(node && isKept)) this.#returnTo.focus();
    this.#more.hidden = !isKept;
    // What only follows the pointer must not catch its clicks.
    this.#root.classList.toggle('passing', !isKept);
    if (!node) return;
    this.#title.textContent = `Node at depth ${node.depth}`;
    this.#facts.replaceChildren(
      ...node.facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    );
    this.sayVerdict(node.verdict);
    if (isKept) this.#list(node.items);
  }

  sayVerdict(verdict: string): void {
    setText(this.#verdict, verdict);
  }

  focus(): void {
    this.#root.focus({ preventScroll: true });
  }

  #list(items: NodeFacts['items']): void {
    this.#items.replaceChildren(
      ...items.slice(0, LISTED).map(({ title, pick }) => {
        const button = element('button', { type: 'button', class: 'item' }, title);
        button.addEventListener('click', pick);
        return element('li', {}, button);
      }),
    );
    if (items.length > LISTED) this.#items.append(element('li', {}, `and ${number(items.length - LISTED)} more`));
  }
}
