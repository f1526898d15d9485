import type { Growth, Way } from '../measure/Growth.js';
import { element, setText } from './parts/element.js';
import { number } from './parts/format.js';

const NAMES: readonly (readonly [Way, string])[] = [
  ['three', 'Plain three'],
  ['batched', 'three-scene-index'],
];

/** The button that multiplies a world, and what that has found. */
export class GrowthNote {
  readonly #button = element('button', { type: 'button', class: 'note', 'data-act': 'grow' });
  readonly #said = element('p', { class: 'note', role: 'status', 'data-key': 'growth' });
  readonly #growth: Growth;
  #objects: number | null = null;

  constructor(pane: HTMLElement, growth: Growth) {
    this.#growth = growth;
    this.#button.title = 'Multiplies the town until it is drawn less than 20 times a second';
    this.#button.addEventListener('pointerdown', (event) => event.stopPropagation());
    this.#button.addEventListener('click', () => {
      if (growth.isRunning) growth.stop();
      else growth.start(performance.now());
      this.show();
    });
    pane.append(this.#button, this.#said);
    this.show();
  }

  /** Takes a world with so many objects; null: one that cannot be multiplied. */
  open(objects: number | null): void {
    this.#objects = objects;
    this.#growth.found.clear();
    this.show();
  }

  show(): void {
    const { isRunning, found } = this.#growth;
    this.#button.hidden = this.#objects === null;
    setText(this.#button, isRunning ? 'Stop' : '× 10');
    this.#button.setAttribute('aria-pressed', String(isRunning));
    const lines = NAMES.flatMap(([way, name]) => {
      const known = found.get(way);
      if (!known) return [];
      const rate = number(known.rate, known.rate < 10 ? 1 : 0);
      const objects = number((this.#objects ?? 0) * known.times);
      return `${name} ${known.fell ? 'fell to' : 'draws'} ${rate} pictures a second at ${objects} objects`;
    });
    this.#said.hidden = lines.length === 0 && !isRunning;
    setText(this.#said, lines.join('. ') || 'Measuring…');
  }
}
