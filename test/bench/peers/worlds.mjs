// Seeded boxes, motions and queries, the same in every process. All coordinates are multiples of 1/1024: peers that keep
// single precision, or center and half size, then hold the very same boxes.
import { Box3, PerspectiveCamera, Vector3 } from 'three';
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

/** Moves a share of the boxes a little in each frame, and turns them round at the border. */
export class Drift {
  /** Of the long motion before the first round; the time it takes some peers with many boxes is the reason for fewer. */
  get pauses() {
    return this.boxes.length / 6 <= 20_000 ? 40 : 10;
  }

  constructor(boxes, share) {
    const next = random(13);
    this.boxes = boxes;
    this.ids = someIds(boxes.length / 6, share);
    this.velocities = Float64Array.from({ length: 3 * this.ids.length }, () => snap((2 * next() - 1) * 0.25));
  }

  /** From one pause to the next. */
  drift() {
    for (let i = 0; i < 10; i++) this.step();
  }

  step() {
    const { boxes, ids, velocities } = this;
    for (let i = 0; i < velocities.length; i++) {
      const o = 6 * ids[Math.floor(i / 3)] + (i % 3);
      if (boxes[o] + velocities[i] < -500 || boxes[o + 3] + velocities[i] > 520) velocities[i] *= -1;
      boxes[o] += velocities[i];
      boxes[o + 3] += velocities[i];
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
  const around = new Box3();
  for (const x of [-1, 1]) {
    for (const y of [-1, 1]) for (const z of [-1, 1]) around.expandByPoint(new Vector3(x, y, z).unproject(camera));
  }
  const { min, max } = around.expandByScalar(0.01);
  const box = [...min.toArray(), ...max.toArray()];
  const pose = { position: camera.position.toArray(), far: camera.far };
  return { planes, matrix: Float64Array.from(matrix.elements), box, pose };
}

/** Places of queries lie where boxes are, beside a box of the world. */
function places(boxes, count, seed, make) {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const o = 6 * Math.floor((next() * boxes.length) / 6);
    const place = [0, 1, 2].map((c) => snap(boxes[o + c] + 20 * next() - 10));
    return make(place, next);
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

export const boxQueries = (boxes, size, count) =>
  places(boxes, count, 23, (center) =>
    Float64Array.from([-size / 2, size / 2].flatMap((reach) => center.map((c) => c + reach))),
  );

export const sphereQueries = (boxes, radius, count) => places(boxes, count, 29, (center) => ({ center, radius }));

export const points = (boxes) => places(boxes, 200, 31, (point) => point);
