import { grow } from './grow.js';
import { random } from './random.js';

/** Units a second at which wanderers go. */
const SLOWEST = 2;
const FASTEST = 6;
/** After how many ticks a wanderer takes another way. */
const WAY = 80;

/**
 * What moves, without gaps: mover i has the id `ids[i]` and the box `boxes[6 * i]`, a point on the ground. The last takes
 * the place of one that is removed.
 */
export class Movers {
  ids: Int32Array = new Int32Array(64);
  boxes: Float64Array = new Float64Array(64 * 6);
  count = 0;
  readonly next: () => number;
  readonly #size: number;
  /** Two numbers a mover, in units a second. */
  #speeds = new Float64Array(64 * 2);
  #wanders = new Uint8Array(64);
  readonly #slotOf = new Map<number, number>();

  constructor(size: number, seed: number) {
    this.#size = size;
    this.next = random(seed);
  }

  add(id: number, x: number, z: number, wanders: boolean): void {
    const slot = this.count++;
    if (slot === this.ids.length) this.#grow();
    this.ids[slot] = id;
    this.#slotOf.set(id, slot);
    this.boxes.set([x, 0, z, x, 0, z], 6 * slot);
    this.#wanders[slot] = wanders ? 1 : 0;
    this.#speeds.fill(0, 2 * slot, 2 * slot + 2);
    if (wanders) this.#takeWay(slot);
  }

  remove(id: number): void {
    const slot = this.#find(id);
    const last = --this.count;
    this.ids[slot] = this.ids[last];
    this.boxes.copyWithin(6 * slot, 6 * last, 6 * last + 6);
    this.#speeds.copyWithin(2 * slot, 2 * last, 2 * last + 2);
    this.#wanders[slot] = this.#wanders[last];
    this.#slotOf.set(this.ids[slot], slot);
    this.#slotOf.delete(id);
  }

  steer(id: number, vx: number, vz: number): void {
    this.#speeds.set([vx, vz], 2 * this.#find(id));
  }

  place(id: number, x: number, z: number): void {
    this.boxes.set([x, 0, z, x, 0, z], 6 * this.#find(id));
  }

  /** Moves all; who comes to the border turns back. */
  step(seconds: number, tick: number): void {
    const { boxes, count } = this;
    const speeds = this.#speeds;
    for (let slot = 0; slot < count; slot++) {
      if (this.#wanders[slot] === 1 && (tick + slot) % WAY === 0) this.#takeWay(slot);
      for (let axis = 0; axis < 2; axis++) {
        const at = 6 * slot + 2 * axis;
        let c = boxes[at] + speeds[2 * slot + axis] * seconds;
        if (c < 0 || c > this.#size) {
          c = c < 0 ? 0 : this.#size;
          speeds[2 * slot + axis] *= -1;
        }
        boxes[at] = boxes[at + 3] = c;
      }
    }
  }

  #takeWay(slot: number): void {
    const angle = this.next() * 2 * Math.PI;
    const speed = SLOWEST + this.next() * (FASTEST - SLOWEST);
    this.#speeds[2 * slot] = Math.cos(angle) * speed;
    this.#speeds[2 * slot + 1] = Math.sin(angle) * speed;
  }

  #find(id: number): number {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) throw new RangeError(`Movers: no mover ${id}`);
    return slot;
  }

  #grow(): void {
    this.ids = grow(this.ids, 2 * this.ids.length);
    this.boxes = grow(this.boxes, 2 * this.boxes.length);
    this.#speeds = grow(this.#speeds, 2 * this.#speeds.length);
    this.#wanders = grow(this.#wanders, 2 * this.#wanders.length);
  }
}
