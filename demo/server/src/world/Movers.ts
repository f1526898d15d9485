import { grow } from './grow.js';
import { random } from './random.js';

/** Units a second at which wanderers go. */
const SLOWEST = 2;
const FASTEST = 6;
/** After how many ticks a wanderer takes another way. */
const WAY = 80;

/**
 * What moves, without gaps: mover i is the entity `entities[i]` and has the box `boxes[6 * i]`, a point on the ground. The
 * last takes the place of one that is removed.
 */
export class Movers {
  entities: Float64Array = new Float64Array(64);
  boxes: Float64Array = new Float64Array(64 * 6);
  /** Two numbers a mover, in units a second. */
  speeds: Float64Array = new Float64Array(64 * 2);
  count = 0;
  readonly next: () => number;
  readonly #size: number;
  #wanders = new Uint8Array(64);
  readonly #slotOf = new Map<number, number>();

  constructor(size: number, seed: number) {
    this.#size = size;
    this.next = random(seed);
  }

  has(entity: number): boolean {
    return this.#slotOf.has(entity);
  }

  /** Adds an entity; a wanderer without a speed takes a way of its own. */
  add(entity: number, x: number, z: number, wanders: boolean, vx = 0, vz = 0): void {
    const slot = this.count++;
    if (slot === this.entities.length) this.#grow();
    this.entities[slot] = entity;
    this.#slotOf.set(entity, slot);
    this.boxes.set([x, 0, z, x, 0, z], 6 * slot);
    this.speeds.set([vx, vz], 2 * slot);
    this.#wanders[slot] = wanders ? 1 : 0;
    if (wanders && vx === 0 && vz === 0) this.#takeWay(slot);
  }

  remove(entity: number): void {
    const slot = this.find(entity);
    const last = --this.count;
    this.entities[slot] = this.entities[last];
    this.boxes.copyWithin(6 * slot, 6 * last, 6 * last + 6);
    this.speeds.copyWithin(2 * slot, 2 * last, 2 * last + 2);
    this.#wanders[slot] = this.#wanders[last];
    this.#slotOf.set(this.entities[slot], slot);
    this.#slotOf.delete(entity);
  }

  steer(entity: number, vx: number, vz: number): void {
    this.speeds.set([vx, vz], 2 * this.find(entity));
  }

  place(entity: number, x: number, z: number): void {
    this.boxes.set([x, 0, z, x, 0, z], 6 * this.find(entity));
  }

  /** Moves all; who comes to the border of the world turns back. Calls `turned` for each that has another speed. */
  step(seconds: number, tick: number, turned: (slot: number) => void): void {
    const { boxes, count, speeds } = this;
    for (let slot = 0; slot < count; slot++) {
      let hasTurned = this.#wanders[slot] === 1 && (tick + slot) % WAY === 0;
      if (hasTurned) this.#takeWay(slot);
      for (let axis = 0; axis < 2; axis++) {
        const at = 6 * slot + 2 * axis;
        let c = boxes[at] + speeds[2 * slot + axis] * seconds;
        if (c < 0 || c > this.#size) {
          c = c < 0 ? 0 : this.#size;
          speeds[2 * slot + axis] *= -1;
          hasTurned = true;
        }
        boxes[at] = boxes[at + 3] = c;
      }
      if (hasTurned) turned(slot);
    }
  }

  find(entity: number): number {
    const slot = this.#slotOf.get(entity);
    if (slot === undefined) throw new RangeError(`Movers: no mover ${entity}`);
    return slot;
  }

  #takeWay(slot: number): void {
    const angle = this.next() * 2 * Math.PI;
    const speed = SLOWEST + this.next() * (FASTEST - SLOWEST);
    this.speeds[2 * slot] = Math.cos(angle) * speed;
    this.speeds[2 * slot + 1] = Math.sin(angle) * speed;
  }

  #grow(): void {
    this.entities = grow(this.entities, 2 * this.entities.length);
    this.boxes = grow(this.boxes, 2 * this.boxes.length);
    this.speeds = grow(this.speeds, 2 * this.speeds.length);
    this.#wanders = grow(this.#wanders, 2 * this.#wanders.length);
  }
}
