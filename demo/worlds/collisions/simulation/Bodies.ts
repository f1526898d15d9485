import { dimensionsOf, SCENES, type Scene, type Setup } from '../setup/scenes.js';

/** Numbers of a body: half sizes before it is turned, then its angle about the vertical. */
const SHAPE = 4;
/** Bodies that may be added to those of a setup. */
const ADDED = 1000;

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
  readonly boxes: Float64Array;
  /** Half width, half height, half depth and angle of each body. */
  readonly shapes: Float64Array;
  count = 0;
  #seconds = 0;
  readonly #scene: Scene;
  readonly #random = random(2024);
  /** Per body: place at second 0 as if there were no walls, then velocity, then half the bounds. */
  readonly #starts: Float64Array;
  readonly #velocities: Float64Array;
  readonly #halves: Float64Array;
  /** Cosine and sine of the angle of each body. */
  readonly #turns: Float64Array;

  constructor(setup: Setup) {
    this.#scene = SCENES[setup.scene];
    this.side = this.#scene.side;
    this.dimensions = dimensionsOf(setup);
    this.turned = this.#scene.turned;
    const room = setup.count + ADDED;
    this.boxes = new Float64Array(6 * room);
    this.shapes = new Float64Array(SHAPE * room);
    this.#starts = new Float64Array(3 * room);
    this.#velocities = new Float64Array(3 * room);
    this.#halves = new Float64Array(3 * room);
    this.#turns = new Float64Array(2 * room);
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

  /** Adds a body of random size and velocity at this place, or as near as the walls allow, while there is room. */
  add(x: number, y: number, z: number): void {
    const body = this.count;
    if (6 * body === this.boxes.length) return;
    this.#draw();
    const at = [x, y, z];
    for (let c = 0; c < 3; c++) {
      const o = 3 * body + c;
      const reach = this.#reach(o);
      const here = this.#isFlat(c) ? 0 : Math.max(-reach, Math.min(reach, at[c]));
      this.#starts[o] = here - this.#velocities[o] * this.#seconds;
    }
    this.#place(body);
  }

  /** True when a point of the plane lies in the body, not only in its bounds. */
  covers(body: number, x: number, z: number): boolean {
    return !this.#isBeside(body, x, z, 0, 0);
  }

  /**
   * True when two bodies touch whose bounds overlap. Rectangles that are apart lie on both sides of a side of one of
   * them (Gottschalk, Lin and Manocha, OBBTree, 1996).
   */
  touch(a: number, b: number): boolean {
    return !this.#isBesideBody(a, b) && !this.#isBesideBody(b, a);
  }

  /** True when a side of the first body keeps the second apart from it. */
  #isBesideBody(body: number, other: number): boolean {
    const turns = this.#turns;
    const cos = Math.abs(turns[2 * body] * turns[2 * other] + turns[2 * body + 1] * turns[2 * other + 1]);
    const sin = Math.abs(turns[2 * body] * turns[2 * other + 1] - turns[2 * body + 1] * turns[2 * other]);
    const width = this.shapes[SHAPE * other];
    const depth = this.shapes[SHAPE * other + 2];
    const reach = [width * cos + depth * sin, width * sin + depth * cos] as const;
    return this.#isBeside(body, this.#centre(other, 0), this.#centre(other, 2), ...reach);
  }

  /** True when a side of a body keeps apart what lies around a point and reaches so far along its width and depth. */
  #isBeside(body: number, x: number, z: number, along: number, across: number): boolean {
    const dx = x - this.#centre(body, 0);
    const dz = z - this.#centre(body, 2);
    const [cos, sin] = [this.#turns[2 * body], this.#turns[2 * body + 1]];
    return (
      Math.abs(dx * cos + dz * sin) > this.shapes[SHAPE * body] + along ||
      Math.abs(dz * cos - dx * sin) > this.shapes[SHAPE * body + 2] + across
    );
  }

  #centre(body: number, c: number): number {
    return (this.boxes[6 * body + c] + this.boxes[6 * body + c + 3]) / 2;
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
    this.#turns[2 * body] = Math.cos(shapes[o + 3]);
    this.#turns[2 * body + 1] = Math.sin(shapes[o + 3]);
    const [cos, sin] = [Math.abs(this.#turns[2 * body]), Math.abs(this.#turns[2 * body + 1])];
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
  }

  /** How far from the middle of the world the centre may be. */
  #reach(o: number): number {
    return Math.max(0, this.side / 2 - this.#halves[o]);
  }

  #isFlat(c: number): boolean {
    return c === 1 && this.dimensions === 2;
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
