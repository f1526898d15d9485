import type { PerspectiveCamera, Scene } from 'three';
import type { AcceleratedScene } from '../../../src/index.js';
import type { Settings } from '../../state/Settings.js';
import type { Stage } from '../../views/stage/Stage.js';

/**
 * A view that replaces the instruments and both standard views, or only the player's. A player moves through it only if
 * it has a camera.
 */
export interface CustomView {
  /** Replaces both views; null: it draws in the player's. */
  readonly element: HTMLElement | null;
  /** Leaves the view from above in its place. */
  readonly hasAbove?: boolean;
  /** The scene of the player's view, where marks are put. The index of the world follows it. */
  readonly scene?: Scene;
  /** Replaces the instruments. */
  readonly instruments: HTMLElement;
  /** The player's camera; without it there is no player. */
  readonly camera?: PerspectiveCamera;
  /** The index that draws its scene, in batches where the settings say so. */
  readonly index?: AcceleratedScene | null;
  /** Set by the page. Called after the view changed values of its controls. */
  onValuesChanged: () => void;
  /**
   * Draws a frame; returns whether it needs another one.
   * @param milliseconds Since the frame before.
   * @param updateNumbers Whether to update the numbers on the page.
   */
  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean;
}
