import { Matrix4, Vector3 } from 'three';
import { expect, test, vi } from 'vitest';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { FRONT, OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import type { OcclusionSettings } from '../../src/occlusion/OcclusionView.js';
import { queryVisible } from '../../src/occlusion/queryVisible.js';
import { enableSimd, Packed } from '../../src/standalone.js';
import { BoxOracle } from '../helpers/occlusion/BoxOracle.js';
import { awkwardPositions } from '../helpers/occlusion/geometries.js';
import { type RandomPass, randomPass } from '../helpers/occlusion/RandomPass.js';
import { random as seeded } from '../helpers/random.js';
import { seeds } from '../helpers/width.js';

enableSimd();

const WIDTH = 64;
const HEIGHT = 40;
const PASSES = 24;
/** Edges of a pass, and pairs of boxes that are tried for them. */
const EDGES = 40;
const PAIRS = 600;
const isOrthographic = ({ projection }: OcclusionSettings): boolean => projection[15] === 1;
const isOblique = ({ projection }: OcclusionSettings): boolean => projection[2] !== 0;
/** Each kind of camera has its turn, and one twice: there nearness takes most sums. */
const KINDS: ((settings: OcclusionSettings) => boolean)[] = [
  () => true,
  isOrthographic,
  isOblique,
  ({ logarithmic }) => Boolean(logarithmic),
  isOblique,
  ({ inWorldSpace }) => Boolean(inWorldSpace),
];

/** Across and along: 1 for a narrow view, -1 for a wide one. */
const ZOOMS = [
  [0, 0],
  [-1, -1],
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 0],
  [-1, -1],
];

const buffer = OcclusionBuffer.create(WIDTH, HEIGHT)!;
const oracle = new BoxOracle(buffer);
/** One for all passes, as there are kernels for some dozens. */
const index = new Packed();
let random = seeded(0);
const spread = (size: number): number => (random() - 0.5) * 2 * size;

/**
 * A query asks about boxes around others first, and about their middle. Most boxes here are as near as numbers allow to a
 * box with the other answer.
 */
test.each(seeds(16))('boxes on the edge of being hidden are found by each question, seed %i', (seed) => {
  random = seeded(seed);
  const walks = vi.spyOn(buffer, 'overlap');
  let edges = 0;
  for (let k = 0; k < PASSES; k++) {
    const stage = makeStage(seed * PASSES + k);
    expect(buffer.beginPass(stage.settings)).toBe(true);
    drawOccluders(stage);
    oracle.look(stage.settings);
    const boxes: number[] = [];
    for (let i = 0, most = edges + EDGES; i < PAIRS && edges < most; i++) edges += +addEdge(stage, boxes);
    // In a large world, rows have their boxes less exactly.
    const far = stage.size * 10 ** (2 + 5 * random());
    if (random() < 0.4) boxes.push(...makeBox(stage, { x: 0, y: 0, far, sides: [0, 0, 0] }));
    const given = Float64Array.from(boxes);
    index.clear();
    const ids = [...index.addAll(given)];
    const seenBy = (one: { isHidden(boxes: Float64Array, o: number): boolean }): number[] =>
      ids.filter((_, i) => !one.isHidden(given, 6 * i));
    const visible = seenBy(oracle);
    expect(seenBy(buffer), `pass ${k}, while it is drawn`).toEqual(visible);
    buffer.end();
    expect(seenBy(buffer), `pass ${k}`).toEqual(visible);
    const found = [...queryVisible(index, [], buffer)].sort((a, b) => a - b);
    expect(found, `pass ${k}, in rows`).toEqual(visible);
  }
  expect(walks.mock.calls.length).toBeGreaterThan(0.25 * PASSES);
  walks.mockRestore();
  expect(edges).toBeGreaterThan(0.25 * EDGES * PASSES);
});

/** A pass, in units of about `size`, and the part of the view where boxes are. */
interface Stage extends RandomPass {
  size: number;
  x: number;
  y: number;
  /** How far the part goes on the screen, where 1 is half of it; the least distance, and by how much others are larger. */
  spread: number;
  far: number;
  ratio: number;
  /** Whether some boxes are far beside the screen, and some reach far: rows hold all others less exactly then. */
  isWide: boolean;
  isLong: boolean;
}

/** Where the middle of a box is on the screen, from -1 to 1 on it, how far it is, and half its sides. */
interface Place {
  x: number;
  y: number;
  far: number;
  sides: number[];
}

/** Now and then the camera is far away, or all is very small or very large. */
function makeStage(number: number): Stage {
  const isWanted = KINDS[number % KINDS.length];
  let pass = randomPass(random, WIDTH, HEIGHT);
  while (!isWanted(pass.settings)) pass = randomPass(random, WIDTH, HEIGHT);
  const { settings, camera } = pass;
  const { elements } = camera;
  const isFlat = isOrthographic(settings);
  const size = random() < 0.25 ? 2 ** ((random() < 0.5 ? -100 : 100) + spread(3)) : 1;
  const projection = Float64Array.from(settings.projection);
  const zooms = ZOOMS[number % ZOOMS.length].map((zoom) => 10 ** (zoom * (1 + 2 * random())));
  for (let k = 0; k < 16; k++) {
    if (k % 4 < 2) projection[k] *= zooms[k % 4];
    if (isFlat && k < 12) projection[k] /= size;
    if (!isFlat && k >= 12) projection[k] *= size;
  }
  const away = random() < 0.2 ? 10 ** (5 + 8 * random()) : 0;
  for (let c = 12; c < 15; c++) elements[c] = (elements[c] + spread(away)) * size;
  const view = camera.clone().invert().elements;
  const sections = settings.sections.map((x, k) => (k % 4 === 3 ? x * size : x));
  const log = settings.logarithmic;
  const logarithmic = log ? { near: log.near * size, far: log.far * size } : null;
  const [isWide, isLong] = [random() < 0.25, random() < 0.3];
  const stage = { ...pass, size, isWide, isLong, settings: { ...settings, projection, view, sections, logarithmic } };
  if (random() < 0.5) return { ...stage, x: 0, y: 0, spread: 1.2, far: size * (random() < 0.3 ? 0.11 : 1), ratio: 20 };
  const part = 10 ** (-3 * random());
  const pixel = (n: number): number => (2 * Math.floor(n * random())) / n - 1;
  return {
    ...stage,
    x: pixel(WIDTH),
    y: pixel(HEIGHT),
    spread: part,
    far: size * 29.9 * (1 - 1000 ** -random()),
    ratio: 1 + part,
  };
}

/** Half the width and half the height of the view at a distance. */
function viewAt({ settings }: Stage, far: number): number[] {
  const half = isOrthographic(settings) ? 1 : far;
  return [half / settings.projection[0], half / settings.projection[5]];
}

function toWorld({ settings, camera }: Stage, x: number, y: number, far: number): Vector3 {
  const p = settings.projection;
  const middle = isOrthographic(settings)
    ? new Vector3((x - p[12]) / p[0], (y - p[13]) / p[5], -far)
    : new Vector3(((x + p[8]) * far) / p[0], ((y + p[9]) * far) / p[5], -far);
  return middle.applyMatrix4(camera);
}

function drawOccluders(stage: Stage): void {
  // Large enough for some pixels.
  const part = Math.max(stage.spread, 0.2);
  for (let i = 0; i < 4; i++) {
    const far = stage.far * stage.ratio ** (0.7 * random());
    const [width, height] = viewAt(stage, far);
    const at = toWorld(stage, stage.x + spread(part), stage.y + spread(part), far);
    const deep = 0.2 * far * Math.min(1, stage.ratio - 1);
    const world = stage.camera
      .clone()
      .multiply(new Matrix4().makeScale(part * width, part * height, deep))
      .setPosition(at);
    const mesh = new OccluderMesh(awkwardPositions(random));
    buffer.draw(mesh, world.elements, 0, FRONT);
  }
}

function makeBox(stage: Stage, { x, y, far, sides }: Place): Float64Array {
  const at = toWorld(stage, x, y, far).toArray();
  return Float64Array.of(...at.map((c, k) => c - sides[k]), ...at.map((c, k) => c + sides[k]));
}

function randomPlace(stage: Stage): Place {
  const far = stage.far * stage.ratio ** random();
  const view = viewAt(stage, far)[Math.floor(2 * random())] * Math.min(1, stage.spread);
  const side = (): number => (stage.isLong && random() < 0.2 ? far : view) * 10 ** (0.3 - 5 * random());
  // Some are beside the screen.
  const reach = stage.spread * (stage.isWide && random() < 0.3 ? 100 ** random() : 1);
  return { x: stage.x + spread(reach), y: stage.y + spread(reach), far, sides: [side(), side(), side()] };
}

/** Changes a box in one way: where it is on the screen, how far it is, its sides, or one of them. */
function changed(stage: Stage, place: Place): Place {
  const { x, y, far, sides } = randomPlace(stage);
  const way = random();
  if (way < 0.3) return { ...place, x, y };
  if (way < 0.6) return { ...place, far };
  if (way < 0.8) return { ...place, sides };
  const axis = Math.floor(3 * random());
  return { ...place, sides: sides.map((side, k) => (k === axis ? side : place.sides[k])) };
}

/** Finds the edge between two random boxes, and appends boxes on both sides of it; false if both have the same answer. */
function addEdge(stage: Stage, boxes: number[]): boolean {
  const place = randomPlace(stage);
  const from = makeBox(stage, place);
  const to = makeBox(stage, changed(stage, place));
  const isHidden = oracle.isHidden(from, 0);
  if (oracle.isHidden(to, 0) === isHidden) return false;
  const box = new Float64Array(6);
  const between = (t: number): Float64Array => {
    for (let k = 0; k < 6; k++) box[k] = from[k] + t * (to[k] - from[k]);
    return box;
  };
  let low = 0;
  let high = 1;
  for (let t = 0.5; t > low && t < high; t = (low + high) / 2) {
    if (oracle.isHidden(between(t), 0) === isHidden) low = t;
    else high = t;
  }
  boxes.push(...between(low), ...between(high), ...to);
  // Boxes a little beside the edge, by more and by less than single precision can tell.
  for (let k = 0; k < 4; k++) boxes.push(...between(Math.min(1, Math.max(0, low + spread(2 ** (-8 - 24 * random()))))));
  return true;
}
