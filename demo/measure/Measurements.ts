import { Meter } from './Meter.js';
import { Speed, type Spread } from './Speed.js';

/** Everything the instruments show, gathered frame by frame. */
export class Measurements {
  readonly update = new Meter();
  /** Culling by the index, and by a test of each object as three does. */
  readonly index = new Meter();
  readonly three = new Meter();
  readonly culling = new Speed();
  readonly frame = new Meter();
  total = 0;
  inside = 0;
  intersecting = 0;
  visible = 0;
  /** Boxes of nodes and of objects that the index tested. */
  boxesTested = 0;
  drawCalls = 0;

  /** How many times as fast the index culls, once the times behind it may be shown as well. */
  get cullingSpeed(): Spread {
    const { spread } = this.culling;
    return { ...spread, isReliable: spread.isReliable && this.index.isReliable && this.three.isReliable };
  }

  get culled(): number {
    return this.total - this.inside - this.intersecting;
  }

  /** Forgets all times, after a change of world or structure. */
  reset(): void {
    for (const times of [this.update, this.index, this.three, this.culling]) times.reset();
  }
}
