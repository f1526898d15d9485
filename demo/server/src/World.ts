import { enableSimd, Packed } from 'three-scene-index/core';

// Else the first ticks would be answered without the kernels.
enableSimd();

/** In how many ticks an animal takes another way. */
const WAY = 80;

/** All that moves in a zone: animals, with the ids from 0, and players. */
export class World {
  readonly index: Packed = new Packed({ planar: true });
  /** By id, x and z. */
  readonly places: Float64Array;
  tick = 0;
  readonly #size: number;
  readonly #animals: number;
  /** By id, in units a second. */
  readonly #speeds: Float64Array;
  /** All ids there are, and their boxes in the same order. */
  readonly #ids: Int32Array;
  readonly #boxes: Float64Array;
  #count = 0;

  constructor(size: number, animals: number, mostPlayers: number) {
    // As many players may come in a tick as go in it. The index gives free ids again, so none is beyond the capacity.
    const capacity = animals + 2 * mostPlayers;
    this.#size = size;
    this.#animals = animals;
    this.places = new Float64Array(2 * capacity);
    this.#speeds = new Float64Array(2 * capacity);
    this.#ids = new Int32Array(capacity);
    this.#boxes = new Float64Array(6 * capacity);
    for (let i = 0; i < animals; i++) this.#turn(this.add(Math.random() * size, Math.random() * size));
  }

  get ids(): Int32Array {
    return this.#ids.subarray(0, this.#count);
  }

  /** Adds what stands still; returns its id. */
  add(x: number, z: number): number {
    const id = this.index.add([x, 0, z, x, 0, z]);
    this.#ids[this.#count++] = id;
    this.places.set([x, z], 2 * id);
    this.steer(id, 0, 0);
    return id;
  }

  remove(id: number): void {
    this.#ids[this.ids.indexOf(id)] = this.#ids[--this.#count];
    this.index.remove(id);
  }

  /** Where an entity goes from now on, in units a second. */
  steer(id: number, x: number, z: number): void {
    this.#speeds.set([x, z], 2 * id);
  }

  /** Moves all by a step of time, in seconds. Nothing leaves the zone. */
  step(seconds: number): void {
    const { ids, places } = this;
    const boxes = this.#boxes;
    this.tick++;
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      if (id < this.#animals && (id + this.tick) % WAY === 0) this.#turn(id);
      for (let c = 0; c < 2; c++) {
        const to = places[2 * id + c] + this.#speeds[2 * id + c] * seconds;
        const at = to < 0 ? 0 : to > this.#size ? this.#size : to;
        places[2 * id + c] = boxes[6 * i + 2 * c] = boxes[6 * i + 2 * c + 3] = at;
      }
    }
    this.index.updateAll(ids, boxes.subarray(0, 6 * ids.length));
  }

  #turn(id: number): void {
    const [angle, speed] = [Math.random() * 2 * Math.PI, 2 + 4 * Math.random()];
    this.steer(id, Math.cos(angle) * speed, Math.sin(angle) * speed);
  }
}
