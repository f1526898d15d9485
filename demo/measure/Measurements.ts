import { Meter } from './Meter.js';

/** Everything the instruments show, gathered frame by frame. */
export class Measurements {
  readonly update = new Meter();
  /** Culling by the index, and by a test of each object as three does. */
  readonly index = new Meter();
  readonly three = new Meter();
  readonly frame = new Meter();
  total = 0;
  inside = 0;
  intersecting = 0;
  visible = 0;
  /** Boxes of nodes and of objects that the index tested. */
  boxesTested = 0;
  drawCalls = 0;

  get culled(): number {
    return this.total - this.inside - this.intersecting;
  }

  /** Forgets all times, after a change of world or structure. */
  reset(): void {
    for (const times of [this.update, this.index, this.three]) times.reset();
  }
}
