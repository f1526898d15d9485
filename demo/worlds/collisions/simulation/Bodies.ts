import { dimensionsOf, SCENES, type Scene, type Setup, sideOf } from '../setup/scenes.js';

/** Numbers of a body: half sizes before it is turned, then its angle about the vertical. */
const SHAPE = 4;
/** Numbers of a rectangle: x and z of its corners, going round. */
export const CORNERS = 8;

/**
 * Bodies that fly straight, bounce off the walls of the world and pass through one another. The world is centred on the
 * origin.
 *
 * Between mirrors a body flies straight on: its place at any time is where it would be without walls, folded back into
 * the world. So nothing adds up from frame to frame, and equal times give equal places, to the bit.
 */
export class Bodies {
  readonly side: number;
  readonly dimensions: 2 | 3;
  readonly turned: boolean;
  /** Bounds, six numbers per body: minX minY minZ maxX maxY maxZ. */
  boxes: Float64Array;
  /** Half width, half height, half depth and angle of each body. */
  shapes: Float64Array;
  /** Corners of turned bodies, {@link CORNERS} numbers each; of others, nothing. */
  corners: Float64Array;
  count = 0;
  #seconds = 0;
  readonly #scene: Scene;
  readonly #random = random(2024);
  /** Per body: place at second 0 as if there were no walls, then velocity, then half the bounds. */
  #starts: Float64Array;
  #velocities: Float64Array;
  #halves: Float64Array;

  constructor(setup: Setup) {
    this.#scene = SCENES[setup.scene];
    this.side = sideOf(setup);
    this.dimensions = dimensionsOf(setup);
    this.turned = this.#scene.turned;
    this.boxes = new Float64Array(6 * setup.count);
    this.shapes = new Float64Array(SHAPE * setup.count);
    this.corners = new Float64Array(this.turned ? CORNERS * setup.count : 0);
    this.#starts = new Float64Array(3 * setup.count);
    this.#velocities = new Float64Array(3 * setup.count);
    this.#halves = new Float64Array(3 * setup.count);
    const { start } = this.#scene;
    for (let i = 0; i < setup.count; i++) {
      this.#draw();
      for (let c = 0; c < 3; c++) {
        const share = this.#random();
        this.#starts[3 * i + c] = this.#isFlat(c) ? 0 : this.side * (start * share - 0.5);
      }
    }
    this.moveTo(0);
  }

  /** Puts all bodies where they are at this time. */
  moveTo(seconds: number): void {
    this.#seconds = seconds;
    for (let i = 0; i < this.count; i++) this.#place(i);
  }

  /** Adds a body of random size and velocity at this place, or as near as the walls allow. */
  add(x: number, y: number, z: number): number {
    const body = this.count;
    if (6 * body === this.boxes.length) this.#grow();
    this.#draw();
    const at = [x, y, z];
    for (let c = 0; c < 3; c++) {
      const o = 3 * body + c;
      const reach = this.#reach(o);
      const here = this.#isFlat(c) ? 0 : Math.max(-reach, Math.min(reach, at[c]));
      this.#starts[o] = here - this.#velocities[o] * this.#seconds;
    }
    this.#place(body);
    return body;
  }

  /** True when a point of the plane lies in the body, not only in its bounds. */
  covers(body: number, x: number, z: number): boolean {
    const { boxes, shapes } = this;
    const dx = x - (boxes[6 * body] + boxes[6 * body + 3]) / 2;
    const dz = z - (boxes[6 * body + 2] + boxes[6 * body + 5]) / 2;
    const angle = shapes[SHAPE * body + 3];
    const along = dx * Math.cos(angle) + dz * Math.sin(angle);
    const across = dz * Math.cos(angle) - dx * Math.sin(angle);
    return Math.abs(along) <= shapes[SHAPE * body] && Math.abs(across) <= shapes[SHAPE * body + 2];
  }

  /**
   * Draws the next body's size and velocity. Each body uses as many random numbers: the first ones agree for any count.
   */
  #draw(): void {
    const { shapes } = this;
    const body = this.count++;
    const [first, second, third] = [this.#random(), this.#random(), this.#random()];
    const o = SHAPE * body;
    if (this.turned) {
      const width = 0.1 + 2.9 * first;
      shapes[o] = width / 2;
      shapes[o + 2] = (width * (0.6 + 0.2 * second)) / 2;
      shapes[o + 3] = ((third - 0.5) * Math.PI) / 3;
    } else {
      shapes.fill(0.5, o, o + 3);
      if (this.dimensions === 2) shapes[o + 1] = 0;
    }
    const cos = Math.abs(Math.cos(shapes[o + 3]));
    const sin = Math.abs(Math.sin(shapes[o + 3]));
    this.#halves[3 * body] = shapes[o] * cos + shapes[o + 2] * sin;
    this.#halves[3 * body + 1] = shapes[o + 1];
    this.#halves[3 * body + 2] = shapes[o] * sin + shapes[o + 2] * cos;
    for (let c = 0; c < 3; c++) {
      const speed = (2 * this.#random() - 1) * this.#scene.speed;
      this.#velocities[3 * body + c] = this.#isFlat(c) ? 0 : speed;
    }
  }

  #place(body: number): void {
    const { boxes } = this;
    const t = this.#seconds;
    for (let c = 0; c < 3; c++) {
      const o = 3 * body + c;
      const at = fold(this.#starts[o] + this.#velocities[o] * t, this.#reach(o));
      boxes[6 * body + c] = at - this.#halves[o];
      boxes[6 * body + c + 3] = at + this.#halves[o];
    }
    if (this.turned) this.#placeCorners(body);
  }

  #placeCorners(body: number): void {
    const { boxes, shapes, corners } = this;
    const x = (boxes[6 * body] + boxes[6 * body + 3]) / 2;
    const z = (boxes[6 * body + 2] + boxes[6 * body + 5]) / 2;
    const cos = Math.cos(shapes[SHAPE * body + 3]);
    const sin = Math.sin(shapes[SHAPE * body + 3]);
    for (let i = 0; i < 4; i++) {
      const along = i === 0 || i === 3 ? -shapes[SHAPE * body] : shapes[SHAPE * body];
      const across = i < 2 ? -shapes[SHAPE * body + 2] : shapes[SHAPE * body + 2];
      corners[CORNERS * body + 2 * i] = x + along * cos - across * sin;
      corners[CORNERS * body + 2 * i + 1] = z + along * sin + across * cos;
    }
  }

  /** How far from the middle of the world the centre may be. */
  #reach(o: number): number {
    return Math.max(0, this.side / 2 - this.#halves[o]);
  }

  #isFlat(c: number): boolean {
    return c === 1 && this.dimensions === 2;
  }

  #grow(): void {
    const room = Math.max(16, 2 * this.count);
    const copy = (old: Float64Array, width: number) => {
      const grown = new Float64Array(width * room);
      grown.set(old);
      return grown;
    };
    this.boxes = copy(this.boxes, 6);
    this.shapes = copy(this.shapes, SHAPE);
    if (this.turned) this.corners = copy(this.corners, CORNERS);
    this.#starts = copy(this.#starts, 3);
    this.#velocities = copy(this.#velocities, 3);
    this.#halves = copy(this.#halves, 3);
  }
}

/** Folds a straight path into -reach..reach by reflection; it repeats after 4 * reach. */
function fold(u: number, reach: number): number {
  if (reach === 0) return 0;
  const period = 4 * reach;
  const m = (((u + reach) % period) + period) % period;
  return m <= 2 * reach ? m - reach : 3 * reach - m;
}

/** Seeded random numbers from 0 to 1 (mulberry32): every run of the comparison sees the same world. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
