import { Matrix4, PerspectiveCamera } from 'three';
import { OccluderMesh } from '../../../src/occlusion/OccluderMesh.js';
import { random as seeded } from '../random.js';
import { boxPositions, conePositions, patchPositions, tubePositions } from './geometries.js';

/** Meshes: a geometry, a matrix and a world box each; and cameras, as matrices of their worlds. */
export class World {
  readonly geometries: { positions: Float32Array; mesh: OccluderMesh }[] = [];
  readonly geometryOf: number[] = [];
  readonly cameras: PerspectiveCamera[] = [];
  matrices: Float64Array = new Float64Array(0);
  boxes: Float64Array = new Float64Array(0);
  readonly #matrices: number[] = [];
  readonly #boxes: number[] = [];
  readonly #far: number;

  constructor(far: number) {
    this.#far = far;
  }

  get size(): number {
    return this.geometryOf.length;
  }

  geometry(positions: number[]): number {
    this.geometries.push({ positions: Float32Array.from(positions), mesh: new OccluderMesh(positions) });
    return this.geometries.length - 1;
  }

  add(geometry: number, x: number, y: number, z: number, sx = 1, sy = 1, sz = 1, yaw = 0): void {
    const c = Math.cos(yaw);
    const s = Math.sin(yaw);
    const m = [c * sx, 0, -s * sx, 0, 0, sy, 0, 0, s * sz, 0, c * sz, 0, x, y, z, 1];
    this.#matrices.push(...m);
    this.geometryOf.push(geometry);
    const { positions } = this.geometries[geometry].mesh;
    const box = [1, 1, 1, -1, -1, -1].map((sign) => sign * Number.POSITIVE_INFINITY);
    for (let v = 0; v < positions.length; v += 3) {
      for (let k = 0; k < 3; k++) {
        const q = m[k] * positions[v] + m[4 + k] * positions[v + 1] + m[8 + k] * positions[v + 2] + m[12 + k];
        box[k] = Math.min(box[k], q);
        box[k + 3] = Math.max(box[k + 3], q);
      }
    }
    this.#boxes.push(...box);
  }

  camera(x: number, y: number, z: number, yaw: number, pitch = 0): void {
    const camera = new PerspectiveCamera(60, 16 / 9, 0.1, this.#far);
    camera.position.set(x, y, z);
    camera.rotation.set(pitch, yaw, 0, 'YXZ');
    camera.updateMatrixWorld();
    this.cameras.push(camera);
  }

  end(): World {
    this.matrices = Float64Array.from(this.#matrices);
    this.boxes = Float64Array.from(this.#boxes);
    return this;
  }

  matrixOf(id: number): Matrix4 {
    return new Matrix4().fromArray(this.matrices, 16 * id);
  }
}

/** 25 by 25 blocks of 16 buildings; 40,000 things in its streets, in its yards, inside, on roofs and on walls. */
function town(isAbove: boolean): World {
  const world = new World(2000);
  const random = seeded(11);
  const cube = world.geometry(boxPositions());
  const PITCH = 96;
  const half = (25 * PITCH) / 2;
  world.add(cube, 0, -0.5, 0, 2 * half, 1, 2 * half);
  const walls: number[][] = [];
  for (let block = 0; block < 625; block++) {
    for (let k = 0; k < 16; k++) {
      const x = Math.floor(block / 25) * PITCH - half + 18 + 20 * (k & 3);
      const z = (block % 25) * PITCH - half + 18 + 20 * (k >> 2);
      const w = random() < 0.4 ? 20 : 12 + 8 * random();
      const d = random() < 0.4 ? 20 : 12 + 8 * random();
      const h = 6 + 14 * random() + (random() < 0.15 ? 40 * random() : 0);
      world.add(cube, x, h / 2, z, w, h, d);
      walls.push([x, z, w, d, h]);
    }
  }
  for (let i = 0; i < 40_000; i++) {
    const size = 0.3 + 1.7 * random();
    const kind = random();
    if (kind < 0.35) {
      const across = Math.floor(random() * 26) * PITCH - half + (random() - 0.5) * 14;
      const along = (random() * 2 - 1) * half;
      const [x, z] = random() < 0.5 ? [across, along] : [along, across];
      world.add(cube, x, size / 2, z, size, size, size, random() * 6);
      continue;
    }
    const [x, z, w, d, h] = walls[Math.floor(random() * walls.length)];
    const [u, v] = [random(), random()];
    if (kind < 0.5) world.add(cube, x + (u - 0.5) * w, h + size / 2, z + (v - 0.5) * d, size, size, size, random() * 6);
    // Signs in a wall, on it, or just behind its surface: what depth tests find hardest.
    else if (kind < 0.65)
      world.add(cube, x + (u - 0.5) * w, h * v, z + d / 2 - [0, 0.05, 0.051, 0.04][i & 3], size, size, 0.1);
    else world.add(cube, x + (u - 0.5) * 24, size / 2, z + (v - 0.5) * 24, size, size, size, random() * 6);
  }
  for (let i = 0; i < (isAbove ? 12 : 40); i++) {
    const street = (12 + (i >> 3)) * PITCH - half;
    const along = ((i & 7) - 4) * 40 + 13;
    if (isAbove) world.camera(-500 + 80 * i, 180, 30 * i, i * 0.5, -0.7);
    else if ((i >> 3) & 1) world.camera(along, 1.7, street + 2, -Math.PI / 2 + 0.35 * Math.sin(i));
    else world.camera(street - 2, 1.7, along, 0.35 * Math.sin(i * 2) + (i % 3 === 0 ? Math.PI : 0));
  }
  return world.end();
}

/** A floor of 20 by 20 rooms, with doors between them, and 50,000 things. */
function rooms(): World {
  const world = new World(300);
  const random = seeded(12);
  const cube = world.geometry(boxPositions());
  const N = 20;
  const ROOM = 5;
  const THICK = 0.15;
  const size = N * ROOM;
  world.add(cube, size / 2, -0.1, size / 2, size, 0.2, size);
  world.add(cube, size / 2, 3.1, size / 2, size, 0.2, size);
  const put = (isX: boolean, line: number, a: number, b: number, y0: number, y1: number): void => {
    if (isX) world.add(cube, line, (y0 + y1) / 2, (a + b) / 2, THICK, y1 - y0, b - a);
    else world.add(cube, (a + b) / 2, (y0 + y1) / 2, line, b - a, y1 - y0, THICK);
  };
  for (let k = 0; k < 2 * (N + 1) * N; k++) {
    const isX = k % 2 === 0;
    const i = Math.floor(k / (2 * N));
    const from = (Math.floor(k / 2) % N) * ROOM;
    if (i === 0 || i === N || random() < 0.3) {
      put(isX, i * ROOM, from, from + ROOM, 0, 3);
      continue;
    }
    const door = from + 0.5 + random() * (ROOM - 2);
    put(isX, i * ROOM, from, door, 0, 3);
    put(isX, i * ROOM, door + 1, from + ROOM, 0, 3);
    put(isX, i * ROOM, door, door + 1, 2.1, 3);
  }
  for (let i = 0; i < 50_000; i++) {
    const s = 0.1 + 0.9 * random() ** 2;
    const h = s * (0.5 + random());
    // Some stand in walls, and stick out by nothing or a little.
    const x = random() < 0.03 ? Math.round(random() * N) * ROOM : random() * size;
    const y = random() < 0.8 ? h / 2 : 2.6 * random();
    const isFlat = i % 7 === 0;
    world.add(cube, x, y, random() * size, isFlat ? THICK : s, h, s * (0.5 + random()), isFlat ? 0 : 6 * random());
  }
  for (let i = 0; i < 40; i++) {
    world.camera(7.5 + 2.2 * i, 1.6, 52.5 + 20 * Math.sin(i / 5) + random(), -Math.PI / 2 + 2.2 * Math.sin(i));
  }
  return world.end();
}

/** 20,000 trees of a cone and a thin trunk on flat ground: nothing large to hide behind. */
function forest(): World {
  const world = new World(800);
  const random = seeded(13);
  const cube = world.geometry(boxPositions());
  const cones = [8, 12, 16].map((n) => world.geometry(conePositions(n)));
  const trunk = world.geometry(tubePositions(5));
  world.add(cube, 0, -0.5, 0, 1600, 1, 1600);
  for (let i = 0; i < 20_000; i++) {
    const x = (random() - 0.5) * 1500;
    const z = (random() - 0.5) * 1500;
    const h = 4 + 8 * random();
    world.add(cones[i % 3], x, 0.2 * h, z, 0.2 * h, h, 0.2 * h, 6 * random());
    world.add(trunk, x, 0, z, 0.02 * h, 0.3 * h, 0.02 * h);
  }
  for (let i = 0; i < 40; i++) world.camera(-300 + 15 * i, 1.7, 40 * Math.sin(i), i * 0.4);
  return world.end();
}

/** Hills in 256 patches of 128 triangles, and 10,000 things on them. */
function hills(): World {
  const world = new World(2000);
  const random = seeded(14);
  const cube = world.geometry(boxPositions());
  const SIZE = 2048;
  const EDGE = SIZE / 16;
  const waves = Array.from({ length: 9 }, (_, k) => {
    const slope = (): number => (1 + k) * 0.0042 * (random() - 0.5) * 2;
    return [random() * 6, random() * 6, slope(), slope(), 30 / (1 + k)];
  });
  const height = (x: number, z: number): number =>
    waves.reduce((h, [a, b, u, v, size]) => h + size * Math.sin(a + u * x + v * z) * Math.cos(b + v * x - u * z), 0);
  for (let k = 0; k < 256; k++) {
    const [x, z] = [(k >> 4) * EDGE - SIZE / 2, (k & 15) * EDGE - SIZE / 2];
    world.add(world.geometry(patchPositions(x, z, EDGE, 8, height)), 0, 0, 0);
  }
  for (let i = 0; i < 10_000; i++) {
    const x = (random() - 0.5) * 2000;
    const z = (random() - 0.5) * 2000;
    const s = 1 + 5 * random();
    world.add(cube, x, height(x, z) + s / 2 - 0.5, z, s, s, s, 6 * random());
  }
  for (let i = 0; i < 40; i++) {
    const x = -700 + 35 * i;
    const z = 300 * Math.sin(i / 4);
    world.camera(x, height(x, z) + 3, z, -Math.PI / 2 + 1.2 * Math.sin(i), 0);
  }
  return world.end();
}

export const WORLDS = { street: () => town(false), rooms, hills, forest, above: () => town(true) };
