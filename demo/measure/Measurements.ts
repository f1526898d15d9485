import { Meter } from './Meter.js';

/** Everything the instruments show, gathered frame by frame. */
export class Measurements {
  readonly update = new Meter();
  readonly index = new Meter();
  readonly three = new Meter();
  readonly frame = new Meter();
  total = 0;
  inside = 0;
  intersecting = 0;
  visible = 0;
  nodesVisited = 0;
  itemsTested = 0;
  drawCalls = 0;

  get culled(): number {
    return this.total - this.inside - this.intersecting;
  }

  /** Forgets all times, after a change of world or structure. */
  reset(): void {
    for (const meter of [this.update, this.index, this.three]) meter.reset();
  }
}
