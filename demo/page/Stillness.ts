import type { Mode } from '../state/Settings.js';

/** Milliseconds without a touch after which the visitor is still, and in which a way to draw is measured. */
const STILL = 5000;
const MEASURED = 1000;

/** Has the ways to draw that nobody chose measured, one after the other, while the visitor is still. */
export class Stillness {
  #touched = performance.now();
  readonly #done = new Set<Mode>();
  #measuring: Mode | null = null;
  #since = 0;

  readonly touch = (): void => {
    this.#touched = performance.now();
  };

  /** Forgets what was measured, as in another world. */
  reset(): void {
    this.#done.clear();
  }

  /** The way to draw the next picture; pictures are the same in each. @param chosen The visitor's way, of those of the world. */
  modeAt(now: number, chosen: Mode, modes: readonly Mode[]): Mode {
    for (const mode of chosen === 'both' ? (['three', 'batched'] as const) : [chosen]) this.#done.add(mode);
    const next = modes.find((mode) => mode !== 'both' && !this.#done.has(mode));
    if (next === undefined || now - this.#touched < STILL) return chosen;
    if (this.#measuring !== next) this.#since = now;
    this.#measuring = next;
    if (now - this.#since > MEASURED) this.#done.add(next);
    return next;
  }
}
