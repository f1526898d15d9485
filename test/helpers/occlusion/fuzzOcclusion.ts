import { Matrix4, Vector3 } from 'three';
import { OccluderMesh } from '../../../src/occlusion/OccluderMesh.js';
import { OcclusionBuffer } from '../../../src/occlusion/OcclusionBuffer.js';
import { random as seeded } from '../random.js';
import { Adversary, type Errors } from './Adversary.js';
import { awkwardPositions, boxPositions } from './geometries.js';
import { type RandomPass, randomPass } from './RandomPass.js';

export interface Tally {
  /** Pixels said to be covered, points in them that were tried, and boxes said to be hidden, with points of these. */
  covered: number;
  points: number;
  hidden: number;
  hiddenPoints: number;
  /** What was not so. */
  wrong: string[];
}

const WIDTH = 32;
const HEIGHT = 20;
const UNIT_BOX = boxPositions();
/** Points tried for each covered pixel and each hidden box. */
const POINTS = 9;
const BOX_POINTS = 12;
const BOXES = 24;
/** Faults after which there is no point in going on. */
const MOST_WRONG = 5;
/** Depths, as textures hold them, may err by this: 8 u, and the last of 24 bits. */
const DEPTH_ERROR = 2 ** -21;

/**
 * Random meshes in random passes, against the promises of the buffer: at each point of a covered pixel something is drawn
 * at least so near, and in front of each point of what is in a hidden box, also after vertices were moved and depths were
 * changed as renderers may.
 */
export function fuzzOcclusion(seed: number, scenes: number, isMap = false): Tally {
  const tally: Tally = { covered: 0, points: 0, hidden: 0, hiddenPoints: 0, wrong: [] };
  const buffer = OcclusionBuffer.create(WIDTH, HEIGHT) as OcclusionBuffer;
  for (let i = 0; i < scenes && tally.wrong.length < MOST_WRONG; i++) {
    const own = seed + 7919 * i;
    const random = seeded(own);
    const pass = randomPass(random, WIDTH, HEIGHT, isMap);
    const errors = randomErrors(random);
    const fault = new Stage(random, pass, errors, buffer, tally).faultOf();
    const { depth, logarithmic, sections } = pass.settings;
    const kind = `${depth} ${logarithmic ? 'log ' : ''}${JSON.stringify(errors)} sections ${sections.length / 4}`;
    if (fault !== null) tally.wrong.push(`${own}: ${kind}, ${fault}`);
  }
  return tally;
}

function randomErrors(random: () => number): Errors {
  const snaps = ['round', 'floor', 'random'] as const;
  return {
    isWorst: random() < 0.5,
    grid: random() < 0.7 ? 16 : 256,
    snap: snaps[Math.floor(random() * 3)],
    byMiddle: random() < 0.5,
  };
}

/** A random scene in a pass, as the buffer and as a renderer draw it. */
class Stage {
  readonly random: () => number;
  readonly pass: RandomPass;
  readonly errors: Errors;
  readonly buffer: OcclusionBuffer;
  readonly drawn: Adversary;
  readonly tally: Tally;

  constructor(random: () => number, pass: RandomPass, errors: Errors, buffer: OcclusionBuffer, tally: Tally) {
    this.random = random;
    this.pass = pass;
    this.errors = errors;
    this.buffer = buffer;
    this.drawn = new Adversary(pass, errors, WIDTH, HEIGHT, random);
    this.tally = tally;
  }

  /** What is not as promised, in words; null for nothing. */
  faultOf(): string | null {
    const { random, buffer, tally } = this;
    if (!buffer.beginPass(this.pass.settings)) return 'refused';
    for (let parts = 1 + Math.floor(random() * 3); parts > 0; parts--) this.#addMesh();
    const { near } = buffer;
    const covered = [...near.keys()].filter((k) => near[k] > 0);
    tally.covered += covered.length;
    for (const k of covered) {
      if (!this.#isCovered(k, near[k])) return `pixel ${k % WIDTH} ${Math.floor(k / WIDTH)}`;
    }
    buffer.end();
    for (let b = 0; b < BOXES && covered.length > 0; b++) {
      const box = this.#boxBehind(covered[Math.floor(random() * covered.length)]);
      if (!buffer.isHidden(box, 0)) continue;
      tally.hidden++;
      if (!this.#isCoveredBox(box)) return `box ${box.join()}`;
    }
    return null;
  }

  #addMesh(): void {
    const { random } = this;
    const isFlat = random() < 0.2;
    const positions = isFlat ? this.#pixelAligned() : awkwardPositions(random);
    const world = (isFlat ? new Matrix4() : this.#randomWorld()).elements;
    const side = random() < 0.6 ? 1 : random() < 0.5 ? 0 : -1;
    this.buffer.draw(new OccluderMesh(positions), world, 0, side);
    this.drawn.draw(positions, world, side);
  }

  #randomWorld(): Matrix4 {
    const { random } = this;
    const spread = (size: number): number => (random() - 0.5) * 2 * size;
    const m = new Matrix4();
    const { elements } = m;
    for (let k = 0; k < 3; k++) {
      const axis = random() < 0.4 ? [+(k === 0), +(k === 1), +(k === 2)] : [spread(1), spread(1), spread(1)];
      const size = (0.05 + 6 * random() ** 2) * (random() < 0.1 ? -1 : 1);
      for (let c = 0; c < 3; c++) elements[4 * k + c] = axis[c] * size;
    }
    m.setPosition(spread(4), spread(3), 1.5 - 14 * random());
    // A side of a box that is seen exactly edge-on: single precision decides which way it faces.
    if (random() < 0.2) elements[12] = elements[0] * (random() < 0.5 ? 1 : -1) * (random() < 0.5 ? 1 : 1 + 1e-8);
    return m.premultiply(this.pass.camera);
  }

  /** A rectangle that faces the camera, with sides that lie on lines between pixels but for less than renderers may round. */
  #pixelAligned(): number[] {
    const { random } = this;
    const near = 10 ** (-0.3 - 2 * random());
    const sides = (most: number): number[] =>
      [0, 0].map(() => Math.floor(random() * most) + ((random() - 0.5) * 0.3) / this.pass.scale).sort((a, b) => a - b);
    const [[x0, x1], [y0, y1]] = [sides(WIDTH), sides(HEIGHT)];
    const corner = (x: number, y: number): number[] => this.#toWorld(x, y, near).toArray();
    const [a, b, c, d] = [corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)];
    return [...a, ...b, ...c, ...a, ...c, ...d];
  }

  /** From x and y in the buffer, and nearness, to the world. */
  #toWorld(x: number, y: number, near: number): Vector3 {
    const { depth, logarithmic, projection } = this.pass.settings;
    const p = new Vector3((2 * x) / WIDTH - 1, (2 * y) / HEIGHT - 1, 0);
    if (logarithmic) {
      const w = logarithmic.near / near;
      p.set(((p.x + projection[8]) * w) / projection[0], ((p.y + projection[9]) * w) / projection[5], -w);
    } else {
      p.z = depth === 'reversed' ? near : depth === 'gpu' ? 1 - near : 1 - 2 * near;
      p.applyMatrix4(new Matrix4().fromArray(projection).invert());
    }
    return this.pass.isMap ? p : p.applyMatrix4(this.pass.camera);
  }

  /** Tries points of a pixel, its corners first. */
  #isCovered(k: number, near: number): boolean {
    for (let s = 0; s < POINTS; s++) {
      const [x, y] = [s & 1, s >> 1].map((bit) => (s < 4 ? bit * (1 - 1e-9) : this.random()));
      this.tally.points++;
      if (!this.drawn.covers((k % WIDTH) + x, Math.floor(k / WIDTH) + y, near)) return false;
    }
    return true;
  }

  /** A box somewhat farther than what covers a pixel, often just so. */
  #boxBehind(k: number): Float64Array {
    const { random } = this;
    // Often so near the side of the pixel that a rounding takes it to the next.
    const [x, y] = [k % WIDTH, Math.floor(k / WIDTH)].map((low) => {
      const at = random();
      return low + (random() < 0.6 ? at : at < 0.5 ? 0.005 : 0.995);
    });
    const near = this.buffer.near[k] * (1 - 10 ** (-7 * random())) - 10 ** (-3 - 5 * random());
    const at = this.#toWorld(x, y, near);
    const eye = new Vector3().setFromMatrixPosition(this.pass.camera);
    // Now and then so large that it reaches behind the eye.
    const size = at.distanceTo(eye) * (random() < 0.05 ? 6 : 10 ** (-6 * random()));
    const sides = [random() * size, random() * size, random() * size];
    // Now and then flat.
    if (random() < 0.3) sides[Math.floor(random() * 3)] = 0;
    const p = at.toArray();
    return Float64Array.of(...p.map((c, i) => c - sides[i] * random()), ...p.map((c, i) => c + sides[i] * random()));
  }

  /** Draws a box, both sides, and looks whether points of it are behind what is drawn. */
  #isCoveredBox(b: Float64Array): boolean {
    const { pass, errors, random } = this;
    const settings = { ...pass.settings, sections: [] };
    const item = new Adversary({ ...pass, settings }, errors, WIDTH, HEIGHT, random);
    const world = new Matrix4().makeScale(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
    world.setPosition((b[0] + b[3]) / 2, (b[1] + b[4]) / 2, (b[2] + b[5]) / 2);
    item.draw(UNIT_BOX, world.elements, 0);
    for (let s = 0; s < BOX_POINTS && item.count > 0; s++) {
      const [x, y, near] = item.anyPoint();
      if (x < 0 || y < 0 || x > WIDTH || y > HEIGHT || near <= 0) continue;
      this.tally.hiddenPoints++;
      if (!this.drawn.covers(x, y, ...this.#nearestAndMargin(near))) return false;
    }
    return true;
  }

  /** How near an item may come by errors of depth, and by how much what is before it may go back. */
  #nearestAndMargin(near: number): [nearest: number, margin: number] {
    const { logarithmic } = this.pass.settings;
    if (!this.errors.isWorst) return [near, 0];
    if (!logarithmic) return [near + DEPTH_ERROR, DEPTH_ERROR];
    const error = Math.LN2 * (2 ** -21 + 2 ** -22 * Math.log2(1 + logarithmic.far));
    const w = logarithmic.near / near;
    return [logarithmic.near / (w - 2 * (1 + w) * error), 0];
  }
}
