import type { DrawCosts } from '../measure/DrawCosts.js';
import type { Store } from '../state/Store.js';
import { element, setText } from './parts/element.js';
import { number } from './parts/format.js';

/** Per cent of the width by which an arrow key moves the handle. */
const STEP = 2;
const SIDES = [
  ['three', 'Plain three'],
  ['batched', 'three-scene-index'],
] as const;

/** The handle between the halves of a view that is drawn in two ways, and the figures of each over it. */
export class SideBySide {
  readonly #root = element('div', { class: 'sides', hidden: '' });
  readonly #handle = element('div', {
    class: 'handle',
    role: 'slider',
    tabindex: '0',
    'aria-label': 'Plain three to the left, in batches to the right',
    'aria-valuemin': '0',
    'aria-valuemax': '100',
  });
  readonly #figures = SIDES.map(([mode, title]) => {
    const [calls, unit, time, shadows] = [element('b'), element('span'), element('b'), element('small')];
    const lines = [element('p', {}, calls, unit), shadows, element('p', {}, time, element('span', {}, 'ms CPU'))];
    const side = element('div', { class: 'side', 'data-side': mode }, element('h2', {}, title), ...lines);
    return { side, calls, unit, time, shadows };
  });
  readonly #store: Store;

  constructor(pane: HTMLElement, store: Store) {
    this.#store = store;
    const note = element('p', { class: 'how' }, 'Each half is drawn by itself, with lights of its own.');
    this.#root.append(...this.#figures.map(({ side }) => side), this.#handle, note);
    pane.append(this.#root);
    const drag = (event: PointerEvent): void => {
      // A press on the handle neither turns the view nor picks.
      event.stopPropagation();
      if (event.type === 'pointerdown') this.#handle.setPointerCapture(event.pointerId);
      else if (!this.#handle.hasPointerCapture(event.pointerId)) return;
      const { left, width } = pane.getBoundingClientRect();
      this.#moveTo((100 * (event.clientX - left)) / width);
    };
    this.#handle.addEventListener('pointerdown', drag);
    this.#handle.addEventListener('pointermove', drag);
    this.#handle.addEventListener('pointerup', (event) => event.stopPropagation());
    this.#handle.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -STEP, ArrowRight: STEP, Home: -100, End: 100 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#moveTo(store.settings.handle + by);
    });
    store.on(['mode', 'handle', 'world'], () => this.#place());
    this.#place();
  }

  show({ cpu, drawn, inShadows }: DrawCosts): void {
    SIDES.forEach(([mode], i) => {
      const { calls, unit, time, shadows } = this.#figures[i]!;
      setText(calls, drawn[mode] === null ? '–' : number(drawn[mode]));
      setText(unit, drawn[mode] === 1 ? 'draw call' : 'draw calls');
      setText(time, cpu[mode].isReliable ? number(cpu[mode].mean, 1) : '–');
      setText(shadows, `${number(inShadows[mode] ?? 0)} of them in the shadow map`);
    });
  }

  #moveTo(at: number): void {
    this.#store.set({ handle: Math.round(Math.min(100, Math.max(0, at))) });
  }

  #place(): void {
    const { mode, handle } = this.#store.settings;
    this.#root.hidden = mode !== 'both';
    this.#root.style.setProperty('--at', `${handle}%`);
    this.#handle.setAttribute('aria-valuenow', String(handle));
  }
}
