/** Tests each item for each observer, and compares with the tick before. */
export class PairLoop {
  readonly #observers: number;
  readonly #items: number;
  readonly #radius: number;
  readonly #far: number;
  readonly #seen: Uint8Array;
  inView = 0;

  constructor(observers: number, items: number, radius: number, hysteresis: number) {
    this.#observers = observers;
    this.#items = items;
    this.#radius = radius;
    this.#far = radius * (1 + hysteresis);
    this.#seen = new Uint8Array(observers * items);
  }

  tick(boxes: Float64Array): number {
    const every = Math.floor(this.#items / this.#observers);
    let events = 0;
    this.inView = 0;
    for (let n = 0; n < this.#observers; n++) {
      const own = 6 * n * every;
      for (let i = 0, o = 0, at = n * this.#items; i < this.#items; i++, o += 6, at++) {
        const dx = boxes[o] - boxes[own];
        const dz = boxes[o + 2] - boxes[own + 2];
        const reach = this.#seen[at] === 1 ? this.#far : this.#radius;
        const sees = dx * dx + dz * dz <= reach * reach && o !== own ? 1 : 0;
        this.inView += sees;
        if (sees === this.#seen[at]) continue;
        this.#seen[at] = sees;
        events++;
      }
    }
    return events;
  }
}
