import { MODES } from '../state/controls/pageControls.js';
import type { Mode } from '../state/Settings.js';
import { Meter } from './Meter.js';

/** Draw calls of a frame, or whatever is counted of it; with those of its shadow maps. */
export type Drawn = number | { readonly calls: number; readonly inShadows: number };

/** What frames cost in each way to draw them, as far as it was in use. */
export class DrawCosts {
  /** CPU time of a frame. */
  readonly cpu: Readonly<Record<Mode, Meter>> = forEachMode(() => new Meter());
  /** What the last frame drew, and how much of that into shadow maps; null: none was drawn yet. */
  readonly drawn: Record<Mode, number | null> = forEachMode(() => null);
  readonly inShadows: Record<Mode, number | null> = forEachMode(() => null);

  /** Draws a frame; `draw` returns how much was drawn. */
  measure(mode: Mode, draw: () => Drawn): number {
    const drawn = this.cpu[mode].time(draw);
    const { calls, inShadows } = typeof drawn === 'number' ? { calls: drawn, inShadows: null } : drawn;
    this.drawn[mode] = calls;
    this.inShadows[mode] = inShadows;
    return calls;
  }

  /** Drops all costs, because they are about to change. */
  reset(): void {
    for (const mode of Object.values(MODES)) {
      this.cpu[mode].reset();
      this.drawn[mode] = this.inShadows[mode] = null;
    }
  }
}

/** A value for each way to draw. */
export function forEachMode<T>(make: () => T): Record<Mode, T> {
  return Object.fromEntries(Object.values(MODES).map((mode) => [mode, make()])) as Record<Mode, T>;
}
