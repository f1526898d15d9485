import { random } from '../../helpers/random.js';

/** World units for each item, so that some thirty lie within 50. */
const AREA = 256;

/** Boxes that wander on a square, flat arrays. */
export class Crowd {
  readonly edge: number;
  readonly boxes: Float64Array;
  readonly #way: Float64Array;

  constructor(count: number) {
    const next = random(5);
    this.edge = Math.sqrt(AREA * count);
    this.boxes = new Float64Array(6 * count);
    this.#way = Float64Array.from({ length: 2 * count }, () => 2 * (next() - 0.5));
    for (let i = 0; i < count; i++) {
      const [x, z] = [next() * (this.edge - 1), next() * (this.edge - 1)];
      this.boxes.set([x, 0, z, x + 1, 2, z + 1], 6 * i);
    }
  }

  move(): void {
    for (let i = 0; i < this.#way.length; i++) {
      const o = 6 * (i >> 1) + 2 * (i & 1);
      if (this.boxes[o] + this.#way[i] < 0 || this.boxes[o + 3] + this.#way[i] > this.edge) this.#way[i] *= -1;
      this.boxes[o] += this.#way[i];
      this.boxes[o + 3] += this.#way[i];
    }
  }
}
