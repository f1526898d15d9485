import type { PerspectiveCamera } from 'three';
import type { Settings } from '../../state/Settings.js';
import type { Stage } from '../../views/stage/Stage.js';

/**
 * A world that shows itself: it has the stage and the instruments to itself. A player goes through it only if it has a
 * camera for one.
 */
export interface CustomView {
  /** Goes in place of both views; null: the player's view has all the room. */
  readonly element: HTMLElement | null;
  /** Goes in place of the instruments. */
  readonly instruments: HTMLElement;
  /** What the player sees with; without it, there is no player. */
  readonly camera?: PerspectiveCamera;
  /** Called when the view itself wrote values of its controls, so that others can show them. */
  onValuesChanged: () => void;
  /**
   * One frame, drawing included; returns whether the next one is wanted in any case.
   * @param milliseconds Since the frame before.
   * @param updateNumbers Whether it is time to write numbers.
   */
  frame(stage: Stage, settings: Settings, milliseconds: number, updateNumbers: boolean): boolean;
}
