import type { Setting } from './SceneScript.js';
import type { Side } from './Side.js';

/** What was really compared, so that tests can tell that it was not nothing. */
export class Counters {
  frames = 0;
  /** Passes of an accelerated scene, and those in which the gate handed over a list. */
  passes = 0;
  listed = 0;
  drawn = 0;
  /** Items that plain three draws by their spheres, and the index leaves out by their boxes. */
  spared = 0;
  cast = 0;
  lights = 0;
  hits = 0;
  found = 0;
  /** Items that lie in view, behind others, and are left out by occlusion. */
  hidden = 0;
  /** Draws of batches. */
  batched = 0;
}

/** Both sides of a frame, and the random numbers by which it is looked at. */
export interface Frame {
  setting: Setting;
  plain: Side;
  fast: Side;
  next: () => number;
  counters: Counters;
  /** Checks that are not made, by name. */
  without: ReadonlySet<string>;
}

/** What is wrong, and of which kind it is: a script that is shortened must go on failing in the same way. */
export class Difference extends Error {
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}
