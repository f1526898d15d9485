import type { Mode } from '../state/Settings.js';
import { Meter } from './Meter.js';

/** What frames cost in each way to draw them, as far as it was in use. */
export class DrawCosts {
  /** CPU time of a frame. */
  readonly cpu: Readonly<Record<Mode, Meter>> = { index: new Meter(), batched: new Meter(), three: new Meter() };
  /** What the last frame drew; null: none was drawn yet. */
  readonly drawn: Record<Mode, number | null> = { index: null, batched: null, three: null };

  /** Draws a frame; `draw` returns how much was drawn. */
  measure(mode: Mode, draw: () => number): number {
    const drawn = this.cpu[mode].time(draw);
    this.drawn[mode] = drawn;
    return drawn;
  }

  /** Drops all costs, because they are about to change. */
  reset(): void {
    for (const mode of ['index', 'batched', 'three'] as const) {
      this.cpu[mode].reset();
      this.drawn[mode] = null;
    }
  }
}
