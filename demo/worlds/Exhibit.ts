import type { Settings } from '../state/Settings.js';
import type { Stage } from '../views/Stage.js';

/** A world that shows itself: it has the stage and the instruments to itself, without a player and without a scene. */
export interface Exhibit {
  /** Goes in place of both views. */
  readonly element: HTMLElement;
  /** Goes in place of the instruments. */
  readonly instruments: HTMLElement;
  /** Called when the exhibit itself wrote values of its controls, so that others can show them. */
  changed: () => void;
  /**
   * One frame, drawing included; returns whether the next one is wanted in any case.
   * @param milliseconds Since the frame before.
   * @param tell Whether it is time to write numbers.
   */
  frame(stage: Stage, settings: Settings, milliseconds: number, tell: boolean): boolean;
}
