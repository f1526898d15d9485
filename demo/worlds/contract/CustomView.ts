import type { Settings } from '../../state/Settings.js';
import type { Stage } from '../../views/stage/Stage.js';

/** A view without a player, which replaces the instruments and both standard views. */
export interface CustomView {
  /** Replaces both views. */
  readonly element: HTMLElement;
  /** Replaces the instruments. */
  readonly instruments: HTMLElement;
  /** Set by the page. Called after the view changed values of its controls. */
  onValuesChanged: () => void;
  /**
   * Draws a frame; returns whether it needs another one.
   * @param milliseconds Since the frame before.
   * @param updateNumbers Whether to update the numbers on the page.
   */
  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean;
}
