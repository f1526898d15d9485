import type { Measurements } from '../measure/Measurements.js';
import { TOUR } from '../state/catalogue.js';
import type { NodesIn } from '../state/Settings.js';
import type { Store } from '../state/Store.js';
import { element } from './parts/element.js';
import { number } from './parts/format.js';

const KEY = 'three-scene-index.tour';

/** True once in each browser; never where it cannot be remembered, as a tour each time would be in the way. */
export function isFirstVisit(): boolean {
  try {
    if (localStorage.getItem(KEY) !== null) return false;
    localStorage.setItem(KEY, 'seen');
    return true;
  } catch {
    return false;
  }
}

type Count = 'total' | 'visible' | 'boxesTested';

/** Space between the card, what it is about, and the border of the window, in pixels. */
const GAP = 12;

/**
 * Some cards that explain the page, one after the other. A bar below each runs for some seconds and then brings the next;
 * it waits while the pointer is on the card, and where less motion is asked for there is none.
 */
export class Tour {
  readonly #measured: Measurements;
  readonly #store: Store;
  #nodes: NodesIn;
  readonly #title = element('h2', { id: 'tour-title' });
  readonly #text = element('p');
  readonly #count = element('span', { class: 'count' });
  readonly #next = element('button', { type: 'button', title: 'Enter' }, 'Next');
  readonly #skip = element('button', { type: 'button', title: 'Esc' }, 'Skip the tour');
  readonly #bar = element('i', { 'aria-hidden': 'true' });
  readonly #light = element('div', { class: 'tour-light', hidden: '' });
  readonly #card = element('div', { class: 'tour', role: 'dialog', 'aria-labelledby': 'tour-title', hidden: '' });
  #at = -1;
  #focused: Element | null = null;

  constructor(measured: Measurements, store: Store) {
    this.#measured = measured;
    this.#store = store;
    this.#nodes = store.settings.nodes;
    this.#card.append(
      element('div', { 'aria-live': 'polite' }, this.#title, this.#text),
      element('div', { class: 'actions' }, this.#next, this.#skip, this.#count),
      this.#bar,
    );
    document.body.append(this.#light, this.#card);
    this.#next.addEventListener('click', () => this.#go(this.#at + 1));
    this.#skip.addEventListener('click', () => this.end());
    this.#bar.addEventListener('animationend', () => this.#go(this.#at + 1));
    // Before the keys of the page: Escape would clear the pick as well.
    addEventListener('keydown', (event) => this.#key(event), { capture: true });
    addEventListener('resize', () => this.#place());
  }

  get isRunning(): boolean {
    return this.#at >= 0;
  }

  start(): void {
    if (this.isRunning) return;
    this.#focused = document.activeElement;
    this.#go(0);
    this.#next.focus();
  }

  /** Gives the focus back. */
  end(): void {
    if (!this.isRunning) return;
    this.#go(TOUR.length);
  }

  #go(to: number): void {
    if (TOUR[this.#at]?.nodes) this.#store.set({ nodes: this.#nodes });
    const stop = TOUR[to];
    this.#at = stop ? to : -1;
    this.#light.hidden = this.#card.hidden = stop === undefined;
    if (!stop) {
      if (this.#focused instanceof HTMLElement) this.#focused.focus();
      return;
    }
    if (stop.mode) this.#store.set({ mode: stop.mode });
    if (stop.nodes) {
      this.#nodes = this.#store.settings.nodes;
      this.#store.set({ nodes: 'both' });
    }
    const isLast = to === TOUR.length - 1;
    this.#title.textContent = stop.title;
    this.#text.textContent = stop.text.replace(/{(\w+)}/g, (_, count: Count) => number(this.#measured[count]));
    this.#count.textContent = `${to + 1} of ${TOUR.length}`;
    this.#next.textContent = isLast ? 'Done' : 'Next';
    this.#skip.hidden = isLast;
    // Runs from its begin again.
    this.#card.append(this.#bar);
    this.#place();
  }

  #key(event: KeyboardEvent): void {
    // A dialog has its own keys, and buttons and links have Enter.
    if (!this.isRunning || document.querySelector('dialog[open]')) return;
    const isButton = (event.target as HTMLElement).closest('a, button, input, select') !== null;
    if (event.key === 'Escape') this.end();
    else if (event.key === 'Enter' && !isButton) this.#go(this.#at + 1);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Lights what the card is about, and puts the card where most of the window is left. */
  #place(): void {
    const stop = TOUR[this.#at];
    if (!stop) return;
    const parts = [...document.querySelectorAll<HTMLElement>(stop.about)].map((part) => part.getBoundingClientRect());
    const shown = parts.filter(({ width, height }) => width * height > 0);
    const left = Math.max(0, Math.min(...shown.map((part) => part.left)));
    const top = Math.max(0, Math.min(...shown.map((part) => part.top)));
    const right = Math.min(innerWidth, Math.max(...shown.map((part) => part.right)));
    const bottom = Math.min(innerHeight, Math.max(...shown.map((part) => part.bottom)));
    this.#light.hidden = shown.length === 0;
    Object.assign(this.#light.style, px({ left, top, width: right - left, height: bottom - top }));

    const { offsetWidth: width, offsetHeight: height } = this.#card;
    const [x, y] = [(left + right - width) / 2, (top + bottom - height) / 2];
    const places = [
      { room: left - width, x: left - width - GAP, y },
      { room: innerWidth - right - width, x: right + GAP, y },
      { room: top - height, x, y: top - height - GAP },
      { room: innerHeight - bottom - height, x, y: bottom + GAP },
    ];
    const best = places.reduce((one, other) => (other.room > one.room ? other : one));
    const within = (at: number, size: number, all: number) => Math.max(GAP, Math.min(all - size - GAP, at));
    Object.assign(
      this.#card.style,
      px({ left: within(best.x, width, innerWidth), top: within(best.y, height, innerHeight) }),
    );
  }
}

function px(values: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${Math.round(value)}px`]));
}
