import type { Mode } from '../state/Settings.js';

/** Milliseconds without a touch after which the visitor is still. */
const STILL = 5000;
/** A way to draw is measured for so many milliseconds, and for as many pictures as its mean needs. */
const MEASURED = { time: 1000, pictures: 12 };

/** Has the ways to draw that nobody chose measured, one after the other, while the visitor is still. */
export class Stillness {
  #touched: number;
  readonly #done = new Set<Mode>();
  #measuring: Mode | null = null;
  #since = 0;
  #pictures = 0;

  constructor(now: number) {
    this.#touched = now;
  }

  touch(now: number): void {
    this.#touched = now;
  }

  /** Forgets what was measured, as in another world. */
  reset(): void {
    this.#done.clear();
  }

  /** The way to draw the next picture; pictures are the same in each. @param chosen The visitor's way, of those of the world. */
  modeAt(now: number, chosen: Mode, modes: readonly Mode[]): Mode {
    for (const mode of chosen === 'both' ? (['three', 'batched'] as const) : [chosen]) this.#done.add(mode);
    const next = modes.find((mode) => mode !== 'both' && !this.#done.has(mode));
    if (next === undefined || now - this.#touched < STILL) return chosen;
    if (this.#measuring !== next) [this.#since, this.#pictures] = [now, 0];
    this.#measuring = next;
    const isOver = ++this.#pictures > MEASURED.pictures && now - this.#since > MEASURED.time;
    if (isOver) this.#done.add(next);
    return next;
  }
}
