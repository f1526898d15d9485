import { random } from '../../helpers/random.js';

/** Points that wander on a square, as boxes without extent in flat arrays. */
export class Crowd {
  readonly edge: number;
  readonly boxes: Float64Array;
  readonly #way: Float64Array;

  /**
   * @param area World units for each.
   * @param most How far they go in a tick along an axis, at most.
   */
  constructor(count: number, area: number, most: number) {
    const next = random(5);
    this.edge = Math.sqrt(area * count);
    this.boxes = new Float64Array(6 * count);
    this.#way = Float64Array.from({ length: 2 * count }, () => 2 * most * (next() - 0.5));
    for (let i = 0; i < count; i++) {
      const [x, z] = [next() * this.edge, next() * this.edge];
      this.boxes.set([x, 0, z, x, 0, z], 6 * i);
    }
  }

  move(): void {
    for (let i = 0; i < this.#way.length; i++) {
      const o = 6 * (i >> 1) + 2 * (i & 1);
      if (this.boxes[o] + this.#way[i] < 0 || this.boxes[o] + this.#way[i] > this.edge) this.#way[i] *= -1;
      this.boxes[o] += this.#way[i];
      this.boxes[o + 3] = this.boxes[o];
    }
  }
}
