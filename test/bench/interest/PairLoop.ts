/** Tests each item for each observer, and compares with the tick before. */
export class PairLoop {
  readonly #observers: number;
  readonly #items: number;
  readonly #radius: number;
  readonly #seen: Uint8Array;
  inView = 0;

  constructor(observers: number, items: number, radius: number) {
    this.#observers = observers;
    this.#items = items;
    this.#radius = radius;
    this.#seen = new Uint8Array(observers * items);
  }

  tick(boxes: Float64Array): number {
    const every = Math.floor(this.#items / this.#observers);
    let events = 0;
    this.inView = 0;
    for (let n = 0; n < this.#observers; n++) {
      const own = 6 * n * every;
      const x = boxes[own] / 2 + boxes[own + 3] / 2;
      const y = boxes[own + 1] / 2 + boxes[own + 4] / 2;
      const z = boxes[own + 2] / 2 + boxes[own + 5] / 2;
      for (let i = 0, o = 0, at = n * this.#items; i < this.#items; i++, o += 6, at++) {
        const dx = (x < boxes[o] ? boxes[o] : x > boxes[o + 3] ? boxes[o + 3] : x) - x;
        const dy = (y < boxes[o + 1] ? boxes[o + 1] : y > boxes[o + 4] ? boxes[o + 4] : y) - y;
        const dz = (z < boxes[o + 2] ? boxes[o + 2] : z > boxes[o + 5] ? boxes[o + 5] : z) - z;
        const sees = dx * dx + dy * dy + dz * dz <= this.#radius * this.#radius && o !== own ? 1 : 0;
        this.inView += sees;
        if (sees !== this.#seen[at]) {
          this.#seen[at] = sees;
          events++;
        }
      }
    }
    return events;
  }
}
