import { Matrix4, Vector3 } from 'three';
import type { OccluderMesh } from '../../../src/occlusion/OccluderMesh.js';
import { random as seeded } from '../random.js';
import { Adversary, type Errors } from './Adversary.js';
import { awkwardPositions, boxPositions } from './geometries.js';
import type { AnyBuffer } from './plain/PlainOcclusion.js';
import { type RandomPass, randomPass } from './RandomPass.js';

export interface Code {
  make(width: number, height: number): AnyBuffer;
  Mesh: typeof OccluderMesh;
}

export interface Tally {
  scenes: number;
  /** Pixels said to be covered, points in them that were tried, and boxes said to be hidden, with points of these. */
  covered: number;
  points: number;
  hidden: number;
  hiddenPoints: number;
  /** What was not so. */
  wrong: string[];
}

const UNIT_BOX = boxPositions();
/** Points tried for each covered pixel and each hidden box. */
const POINTS = 9;
const BOX_POINTS = 12;
const BOXES = 24;
/** Depths, as textures hold them, may err by this: 8 u, and the last of 24 bits. */
const DEPTH_ERROR = 2 ** -21;

/**
 * Random meshes in random passes, against the promises of a buffer: at each point of a covered pixel something is drawn at
 * least so near, and in front of each point of what is in a hidden box, also after vertices were moved and depths were
 * changed as renderers may.
 */
export function fuzzOcclusion(code: Code, seed: number, scenes: number, width = 32, height = 20, most = 5): Tally {
  const tally: Tally = { scenes, covered: 0, points: 0, hidden: 0, hiddenPoints: 0, wrong: [] };
  const buffer = code.make(width, height);
  for (let i = 0; i < scenes && tally.wrong.length < most; i++) fuzzScene(code, buffer, seed + 7919 * i, tally);
  return tally;
}

function fuzzScene(code: Code, buffer: AnyBuffer, seed: number, tally: Tally): void {
  const random = seeded(seed);
  const { width, height } = buffer;
  const pass = randomPass(random, width, height);
  if (!buffer.begin(pass.settings)) {
    tally.wrong.push(`${seed}: refused`);
    return;
  }
  const errors = randomErrors(random);
  const drawn = new Adversary(pass, errors, width, height, random);
  const toWorld = fromScreen(pass);
  for (let parts = 1 + Math.floor(random() * 3); parts > 0; parts--) {
    const isFlat = random() < 0.2;
    const positions = isFlat ? pixelAligned(random, pass, toWorld, width, height) : awkwardPositions(random);
    const world = (isFlat ? new Matrix4() : randomWorld(random, pass)).elements;
    const side = random() < 0.6 ? 1 : random() < 0.5 ? 0 : -1;
    buffer.draw(new code.Mesh(positions), world, 0, side);
    drawn.draw(positions, world, side);
  }
  const about = (): string =>
    `${seed}: ${pass.settings.depth} ${pass.settings.logarithmic ? 'log ' : ''}${JSON.stringify(errors)} sections ${pass.settings.sections.length / 4}`;
  const { near } = buffer;
  const covered = [...near.keys()].filter((k) => near[k] > 0);
  tally.covered += covered.length;
  for (const k of covered) {
    for (let s = 0; s < POINTS; s++) {
      const x = (k % width) + (s < 4 ? (s & 1) * (1 - 1e-9) : random());
      const y = Math.floor(k / width) + (s < 4 ? (s >> 1) * (1 - 1e-9) : random());
      tally.points++;
      if (drawn.covers(x, y, near[k])) continue;
      tally.wrong.push(`${about()}, pixel ${k % width} ${Math.floor(k / width)}`);
      return;
    }
  }
  buffer.end();
  for (let b = 0; b < BOXES && covered.length > 0; b++) {
    const k = covered[Math.floor(random() * covered.length)];
    const box = boxBehind(
      random,
      pass,
      toWorld,
      ((k % width) + within(random)) / width,
      (Math.floor(k / width) + within(random)) / height,
      near[k],
    );
    if (!buffer.isHidden(box, 0)) continue;
    tally.hidden++;
    if (isCoveredBox(drawn, box, width, height, tally)) continue;
    tally.wrong.push(`${about()}, box ${box.join()}`);
    return;
  }
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

function randomWorld(random: () => number, { camera }: RandomPass): Matrix4 {
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
  return m.premultiply(camera);
}

/** A rectangle that faces the camera, with sides that lie on lines between pixels but for less than renderers may round. */
function pixelAligned(
  random: () => number,
  { scale }: RandomPass,
  toWorld: (x: number, y: number, near: number) => Vector3,
  width: number,
  height: number,
): number[] {
  const near = 10 ** (-0.3 - 2 * random());
  const side = (most: number): number => Math.floor(random() * most) + ((random() - 0.5) * 0.3) / scale;
  const corner = (x: number, y: number): number[] => toWorld((2 * x) / width - 1, (2 * y) / height - 1, near).toArray();
  const [x0, x1] = [side(width), side(width)].sort((a, b) => a - b);
  const [y0, y1] = [side(height), side(height)].sort((a, b) => a - b);
  const [a, b, c, d] = [corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)];
  return [...a, ...b, ...c, ...a, ...c, ...d];
}

/** From x and y in -1 to 1 and nearness, w = 1, to the world. */
function fromScreen({ settings, camera }: RandomPass): (x: number, y: number, near: number) => Vector3 {
  const inverse = new Matrix4().fromArray(settings.projection).invert();
  return (x, y, near) => {
    const p = new Vector3(x, y, 0);
    if (settings.logarithmic) {
      const w = settings.logarithmic.near / near;
      p.set(
        (x + settings.projection[8]) * (w / settings.projection[0]),
        (y + settings.projection[9]) * (w / settings.projection[5]),
        -w,
      );
    } else {
      p.z = settings.depth === 'reversed' ? near : settings.depth === 'gpu' ? 1 - near : 1 - 2 * near;
      p.applyMatrix4(inverse);
    }
    return p.applyMatrix4(camera);
  };
}

/** A place in a pixel, often so near its side that a rounding takes it to the next. */
function within(random: () => number): number {
  const at = random();
  return random() < 0.6 ? at : at < 0.5 ? 0.005 : 0.995;
}

/** A box somewhat farther than a place, often just so. */
function boxBehind(
  random: () => number,
  { settings }: RandomPass,
  toWorld: (x: number, y: number, near: number) => Vector3,
  x: number,
  y: number,
  near: number,
): Float64Array {
  const at = toWorld(2 * x - 1, 2 * y - 1, near * (1 - 10 ** (-7 * random())) - 10 ** (-3 - 5 * random()));
  const eye = new Vector3().applyMatrix4(new Matrix4().fromArray(settings.view).invert());
  // Now and then so large that it reaches behind the eye.
  const size = at.distanceTo(eye) * (random() < 0.05 ? 6 : 10 ** (-6 * random()));
  const e = [random() * size, random() * size, random() * size];
  // Now and then flat.
  if (random() < 0.3) e[Math.floor(random() * 3)] = 0;
  const p = at.toArray();
  return Float64Array.of(...p.map((c, k) => c - e[k] * random()), ...p.map((c, k) => c + e[k] * random()));
}

/** Draws a box, both sides, and looks whether points of it are behind what is drawn. */
function isCoveredBox(drawn: Adversary, box: Float64Array, width: number, height: number, tally: Tally): boolean {
  const { pass, errors, random } = drawn;
  const item = new Adversary({ ...pass, settings: { ...pass.settings, sections: [] } }, errors, width, height, random);
  const size = [0, 1, 2].map((c) => box[c + 3] - box[c]);
  const world = new Matrix4().makeScale(size[0], size[1], size[2]);
  world.setPosition((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2);
  item.draw(UNIT_BOX, world.elements, 0);
  for (let s = 0; s < BOX_POINTS && item.count > 0; s++) {
    const [x, y, near] = item.pointOf(Math.floor(random() * item.count));
    if (x < 0 || y < 0 || x > width || y > height || near <= 0) continue;
    tally.hiddenPoints++;
    if (!drawn.covers(x, y, ...nearestAndMargin(near, errors, pass))) return false;
  }
  return true;
}

/** How near an item may come by errors of depth, and by how much what is before it may go back. */
function nearestAndMargin(
  near: number,
  { isWorst }: Errors,
  { settings: { logarithmic } }: RandomPass,
): [number, number] {
  if (!isWorst) return [near, 0];
  if (logarithmic === null || logarithmic === undefined) return [near + DEPTH_ERROR, DEPTH_ERROR];
  const { near: first, far } = logarithmic;
  const error = Math.LN2 * (2 ** -21 + 2 ** -22 * Math.log2(1 + far));
  const w = first / near;
  return [first / (w - 2 * (1 + w) * error), 0];
}
