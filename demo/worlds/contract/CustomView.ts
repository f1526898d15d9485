import type { PerspectiveCamera } from 'three';
import type { Settings } from '../../state/Settings.js';
import type { Stage } from '../../views/stage/Stage.js';

/**
 * A view that replaces both standard views and the instruments. A player moves through it only
 * if it has a camera.
 */
export interface CustomView {
  /** Replaces both views; null: the player's view fills the stage. */
  readonly element: HTMLElement | null;
  /** Replaces the instruments. */
  readonly instruments: HTMLElement;
  /** The player's camera; without it there is no player. */
  readonly camera?: PerspectiveCamera;
  /** Set by the page. Called after the view changed values of its controls. */
  onValuesChanged: () => void;
  /**
   * Draws a frame; returns whether it needs another one.
   * @param milliseconds Since the frame before.
   * @param updateNumbers Whether to update the numbers on the page.
   */
  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean;
}
