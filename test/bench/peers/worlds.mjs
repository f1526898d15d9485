// Seeded boxes, motions and queries, the same in every process. All coordinates are multiples of 1/1024: peers that keep
// single precision, or center and half size, then hold the very same boxes.
import { PerspectiveCamera, Vector3 } from 'three';
import { cameraPlanes, cameraThatSees, flatBoxes, random, uniformBoxes } from './library.mjs';

const GRID = 1024;
const POSES = 64;
const snap = (value) => Math.round(value * GRID) / GRID;

/** Worlds of 1000 by 1000 by 1000 around the origin, by name. */
export const WORLDS = {
  uniform: (n) => uniformBoxes(n, 7).map(snap),
  city: (n) => flatBoxes(n, 7).map(snap),
  mixed: mixedBoxes,
};

/** Edges from 0.01 to 1000, each with a chance that falls with the root of its length: 10 % beyond 1, 1 % beyond 100. */
function mixedBoxes(n) {
  const next = random(7);
  const boxes = new Float64Array(6 * n);
  for (let i = 0; i < n; i++) {
    const size = Math.min(1000, 0.01 / (next() + 1e-9) ** 2);
    for (let c = 0; c < 3; c++) {
      const at = snap(next() * 1000 - 500);
      boxes[6 * i + c] = at;
      boxes[6 * i + c + 3] = at + snap(size * (0.5 + next() / 2));
    }
  }
  return boxes;
}

/**
 * Unit cubes that fly and bounce, up to a quarter of their edge a frame along each axis; those of flat scenes stay at
 * height 0. Five times their volume for each, or area in flat ones. `start` is the edge of where they begin, `frames` how
 * many a round has.
 */
export const PAIR_SCENES = {
  'pairs of 2,000 flat in 100 x 100': { n: 2000, size: 100, flat: true, frames: 40 },
  'pairs of 2,000 flat in a corner of 1000 x 1000': { n: 2000, size: 1000, start: 100, flat: true, frames: 40 },
  'pairs of 20,000 in 3D': { n: 20_000, size: Math.cbrt(20_000 / 0.2), frames: 4 },
  'pairs of 100,000 in 3D': { n: 100_000, size: Math.cbrt(100_000 / 0.2), frames: 1 },
};

export function pairBoxes({ n, size, start = size, flat = false }) {
  const next = random(11);
  const boxes = new Float64Array(6 * n);
  for (let o = 0; o < boxes.length; o += 6) {
    for (let c = 0; c < 3; c++) {
      boxes[o + c] = flat && c === 1 ? 0 : snap(next() * (start - 1));
      boxes[o + c + 3] = boxes[o + c] + 1;
    }
  }
  return boxes;
}

/** Moves some boxes a little in each frame, and turns them round at the border. */
export class Drift {
  /** Of the long motion before the first round; the time it takes some peers with many boxes is the reason for fewer. */
  get pauses() {
    return this.boxes.length / 6 <= 20_000 ? 40 : 10;
  }

  constructor(boxes, ids, low, high, { speed = 0.25, flat = false } = {}) {
    const next = random(13);
    Object.assign(this, { boxes, ids, low, high });
    this.velocities = Float64Array.from({ length: 3 * ids.length }, (_, i) => {
      const v = snap((2 * next() - 1) * speed);
      return flat && i % 3 === 1 ? 0 : v;
    });
  }

  /** From one pause to the next. */
  drift() {
    for (let i = 0; i < 10; i++) this.step();
  }

  step() {
    const { boxes, ids, velocities, low, high } = this;
    for (let i = 0; i < ids.length; i++) {
      for (let c = 0; c < 3; c++) {
        const o = 6 * ids[i] + c;
        const v = velocities[3 * i + c];
        if (boxes[o] + v < low || boxes[o + 3] + v > high) velocities[3 * i + c] = -v;
        boxes[o] += velocities[3 * i + c];
        boxes[o + 3] += velocities[3 * i + c];
      }
    }
  }
}

/** Drifts all boxes, in single precision, and writes minima and maxima to two arrays as well. */
export class Corners extends Drift {
  constructor(boxes, ...rest) {
    super(boxes, ...rest);
    this.min = new Float32Array(boxes.length / 2);
    this.max = new Float32Array(boxes.length / 2);
  }

  step() {
    super.step();
    const { boxes, min, max } = this;
    for (let o = 0, i = 0; o < boxes.length; o += 6) {
      for (let c = o; c < o + 3; c++, i++) {
        boxes[c] = min[i] = Math.fround(boxes[c]);
        boxes[c + 3] = max[i] = Math.fround(boxes[c + 3]);
      }
    }
  }
}

/** Puts other boxes elsewhere in each frame: each takes the place of another one, by a new offset. */
export class Jumps {
  pauses = 0;

  constructor(boxes, share) {
    this.boxes = boxes;
    this.next = random(17);
    this.ids = new Int32Array(Math.round((share * boxes.length) / 6));
  }

  step() {
    const { boxes, ids, next } = this;
    const n = boxes.length / 6;
    // A stride that walks through all ids, so that none comes twice in a frame.
    const first = Math.floor(next() * n);
    const stride = Math.floor(n / ids.length);
    for (let i = 0; i < ids.length; i++) {
      const id = (first + i * stride) % n;
      ids[i] = id;
      const other = 6 * Math.floor(next() * n);
      for (let c = 0; c < 3; c++) {
        const by = snap(boxes[other + c] + next() - 0.5) - boxes[6 * id + c];
        boxes[6 * id + c] += by;
        boxes[6 * id + c + 3] += by;
      }
    }
  }
}

/** A share of all ids, spread over the whole set. */
export function someIds(n, share) {
  const count = Math.round(n * share);
  return Int32Array.from({ length: count }, (_, i) => Math.floor((i * n) / count));
}

/** Camera poses on an orbit, each with the far plane at which it sees the wanted share of the boxes. */
export function cameraViews(boxes, share) {
  const radius = share === 1 ? 2500 : share === 0.5 ? 1000 : 300;
  return Array.from({ length: POSES }, (_, i) => {
    const angle = (i / POSES) * 2 * Math.PI;
    const position = [Math.cos(angle), 0.1 + Math.sin(angle * 3) / 15, Math.sin(angle)].map((value) => value * radius);
    return view(
      share === 1 ? cameraAt({ position, far: 8000 }) : cameraThatSees(boxes, share, new Vector3(...position)),
    );
  });
}

/** A camera that looks at the centre of the world. */
export function cameraAt({ position, far }) {
  const camera = new PerspectiveCamera(60, 1.6, 0.1, far);
  camera.position.fromArray(position);
  camera.lookAt(0, 0, 0);
  return camera;
}

/** What the libraries ask for: planes, the matrix, or the box around the frustum; and what makes the camera anew. */
function view(camera) {
  const planes = cameraPlanes(camera);
  const matrix = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse);
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let corner = 0; corner < 8; corner++) {
    const at = camera.position.clone();
    at.set(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).unproject(camera);
    at.toArray().forEach((value, c) => {
      box[c] = Math.min(box[c], value - 0.01);
      box[c + 3] = Math.max(box[c + 3], value + 0.01);
    });
  }
  const pose = { position: camera.position.toArray(), far: camera.far };
  return { planes, matrix: Float64Array.from(matrix.elements), box, pose };
}

/** Places of queries lie where boxes are, beside a box of the world. */
function places(boxes, count, seed, make) {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const o = 6 * Math.floor((next() * boxes.length) / 6);
    return make(
      [0, 1, 2].map((c) => snap(boxes[o + c] + 20 * next() - 10)),
      next,
    );
  });
}

export function rays(boxes, count = 200) {
  return places(boxes, count, 19, (origin, next) => {
    const d = [next() - 0.5, next() - 0.5, next() - 0.5];
    const length = Math.hypot(...d);
    const direction = d.map((value) => value / length);
    return { origin, direction, inverse: direction.map((value) => 1 / value) };
  });
}

export function boxQueries(boxes, size, count) {
  return places(boxes, count, 23, (center) =>
    Float64Array.from([...center.map((c) => c - size / 2), ...center.map((c) => c + size / 2)]),
  );
}

export function sphereQueries(boxes, radius, count) {
  return places(boxes, count, 29, (center) => ({ center, radius }));
}

export function points(boxes, count = 200) {
  return places(boxes, count, 31, (point) => point);
}
