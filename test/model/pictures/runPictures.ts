import { Raycaster, type Scene, Vector2, type WebGLRendererParameters } from 'three';
import { batchReports } from '../../../src/batching/MeshBatching.js';
import { occlusionReports } from '../../../src/passes/Pass.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { tryOcclusion } from '../../helpers/occlusion/tryOcclusion.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { random } from '../../helpers/random.js';
import { validateScene } from '../../helpers/validateScene.js';
import { ACTS, type ActName } from '../scene/acts.js';
import { hasFlat } from '../scene/checkFrame.js';
import { KINDS as SCENE_KINDS } from '../scene/makeObject.js';
import { anyPlace, pick, upTo } from '../scene/numbers.js';
import type { Setting } from '../scene/SceneScript.js';
import { comparePictures } from './comparePictures.js';
import { DEPTH_EDITS } from './edits/depthEdits.js';
import { GEOMETRY_EDITS } from './edits/geometryEdits.js';
import { MATERIAL_EDITS } from './edits/materialEdits.js';
import { TREE_EDITS } from './edits/treeEdits.js';
import { VIEW_EDITS } from './edits/viewEdits.js';
import { looksTheSame } from './makeLooks.js';
import { KINDS, makeObject } from './makeObject.js';
import { type Edits, HEIGHT, MOST_OBJECTS, type Painter, PictureSide, paintByWebGL, WIDTH } from './PictureSide.js';

/** Rounding shows at edges: batches multiply matrices in another order than three. Without them nothing may differ. */
const MOST_PIXELS = 0.01 * WIDTH * HEIGHT;
const PLAIN: Setting = {
  structure: 'packed',
  mode: 'accelerate',
  capacity: 64,
  planar: false,
  isMaintained: false,
  cullCasters: false,
  scenes: 1,
};
/** What pictures may be of. */
const SETTINGS: Readonly<Record<'batches' | 'levels' | 'occlusion', (seed: number) => Setting>> = {
  /** Two that are alike make a batch, so that most meshes are in one. */
  batches: () => ({ ...PLAIN, batch: 2 }),
  levels: () => ({ ...PLAIN, batch: 2, levels: looksTheSame }),
  /** Now and then of what is in batches. */
  occlusion: (seed) => ({
    ...PLAIN,
    occlusion: true,
    cullCasters: seed % 2 === 0,
    ...(seed % 4 === 3 && { batch: 2 }),
  }),
};
/** Kinds of depth, of which each scene with occlusion has one. */
const DEPTHS: readonly WebGLRendererParameters[] = [
  {},
  { logarithmicDepthBuffer: true },
  { reversedDepthBuffer: true },
];
/** By which matrix each picture is told where it is seen from. */
const TOLD = ['world', 'projection', 'world', 'inverse'] as const;
/** After so many pictures what keeps others from being hidden is taken away. */
const CALM = 5;
/** Beyond this nothing near is told apart. */
const LARGEST = 1e4;

/** Acts of scenes that pictures have in other words, or that take more than one scene. */
const OTHERWISE: readonly ActName[] = ['add', 'crowd', 'nest', 'strayLevel'];
/** Kinds of objects that pictures make otherwise, or not: of lit materials and without normals, or of more lights. */
const LEFT = ['instanced', 'batched', 'points', 'spot', 'point', 'directional', 'planeHelper', 'innerScene', 'many'];
const kindsOfScenes = SCENE_KINDS.filter((kind) => !LEFT.includes(kind));

const sceneEdit = (name: ActName): [string, Edits[string]] => [
  name,
  (side, next) => {
    const [a, b] = [upTo(next, 1000), upTo(next, 1000)];
    ACTS[name].apply(side, { a, b, v: ACTS[name].values?.(next) ?? [] });
  },
];

/** All that may be done between two pictures: the acts of scenes, and what concerns looks alone. */
export const EDITS: Edits = {
  ...Object.fromEntries((Object.keys(ACTS) as ActName[]).filter((name) => !OTHERWISE.includes(name)).map(sceneEdit)),
  add(side, next) {
    for (let n = 1 + upTo(next, 5); n > 0 && side.objects.length < MOST_OBJECTS; n--) {
      if (next() < 0.5) side.put(makeObject(side, pick(next, side.painter.kinds ?? KINDS), next), side.parentFor(next));
      else {
        const kind = SCENE_KINDS.indexOf(pick(next, kindsOfScenes));
        ACTS.add.apply(side, { a: 0, b: upTo(next, 1000), v: [kind, upTo(next, 1000), ...anyPlace(next, 16)] });
      }
    }
  },
  ...TREE_EDITS,
  ...MATERIAL_EDITS,
  ...DEPTH_EDITS,
  ...GEOMETRY_EDITS,
  ...VIEW_EDITS,
  /** What is done to batches alone; pictures must not show it. */
  batches(side, next) {
    const object = pick(next, side.objects);
    const [target, isOn] = [pick(next, [object, object, side.scene]), next() < 0.7];
    side.index?.batch(target, isOn);
  },
};

export interface PictureRun {
  /** What was done for each picture, by the names of the edits. */
  readonly history: string[];
  /** What went wrong with the last of them, in words; null for nothing. */
  fault: string | null;
  /** Draw calls of all pictures, in plain three and accelerated. */
  readonly calls: [plain: number, accelerated: number];
  /** Triangles that levels of detail spared, of all pictures. */
  spared: number;
  /** Objects that were left out of pictures as they lie behind others. */
  hidden: number;
}

export interface PictureScript {
  readonly seed: number;
  readonly steps: number;
  /** Default `batches`. */
  readonly of?: keyof typeof SETTINGS;
  /** Leaves both in plain three, which shows what three itself draws in two ways. */
  readonly isPlain?: boolean;
  /** Names of edits that are left out. */
  readonly without?: readonly string[];
  /** Steps at which nothing is done. */
  readonly skipped?: readonly number[];
}

/** Levels come between pictures, and the next pictures wait for the first of them, however busy the machine is. */
async function letLevelsCome(scene: Scene, step: number): Promise<void> {
  const came = () => (batchReports.get(scene)?.made?.groups.levels?.made.size ?? 0) > 0;
  let pauses = 0;
  do await new Promise((resolve) => setTimeout(resolve, 20));
  while (step < 4 && !came() && ++pauses < (step === 0 ? 200 : 40));
}

/** Makes the same scene twice, accelerates one, and compares pictures and hits after random edits. */
export async function runPictures(
  script: PictureScript,
  makePainter: () => Painter = () => paintByWebGL(script.of === 'occlusion' ? DEPTHS[script.seed % 3] : {}),
): Promise<PictureRun> {
  const { seed, steps, of = 'batches', isPlain = false, without = [], skipped = [] } = script;
  const run: PictureRun = { history: [], fault: null, calls: [0, 0], spared: 0, hidden: 0 };
  const names = Object.keys(EDITS).filter((name) => !without.includes(name));
  const painter = makePainter();
  const setting = SETTINGS[of](seed);
  const sides = [false, !isPlain].map((isFast) => new PictureSide(seed, isFast, setting, painter));
  const rest = setting.occlusion ? tryOcclusion() : () => {};
  const next = random(seed * 7919 + 13);
  if (!isPlain) await loadBatching();
  if (!isPlain && setting.occlusion) await loadOcclusion();
  try {
    for (let step = 0; step < steps && run.fault === null; step++) {
      // The same numbers are taken whatever is left out.
      const planned = [pick(next, names), pick(next, names)].slice(next() < 0.4 ? 0 : 1);
      const seeds = [0, 1, 2].map(() => upTo(next, 2 ** 31));
      // Meshes join in the first pictures.
      const edits = step < 3 || skipped.includes(step) ? [] : planned;
      if (setting.occlusion && step % CALM === 0) edits.unshift('calm');
      if (setting.levels && step % 2 === 0) edits.unshift('standIns');
      run.history.push(edits.join(' and ') || 'nothing');
      const drawn: (Uint8Array | string)[] = [];
      for (const [i, side] of sides.entries()) {
        side.told = TOLD[step % TOLD.length];
        drawn.push(await editAndDraw(side, edits, seeds));
        run.calls[i] += painter.calls();
      }
      run.spared += batchReports.get(sides[1].scene)?.made?.groups.countTriangles().spared ?? 0;
      if (setting.levels) await letLevelsCome(sides[1].scene, step);
      run.hidden += occlusionReports.get(sides[1].scene)?.bufferOf(sides[1].drawnBy)?.hidden.length ?? 0;
      const failures = drawn.filter((each) => typeof each === 'string');
      // Something that three itself cannot draw ends it, as do numbers that nobody has.
      if (failures.length === 2 || !(reachOf(sides[0].scene) < LARGEST)) break;
      run.fault = failures[0] ?? (await faultOf(sides, drawn as Uint8Array[], step, seeds[2]));
    }
  } finally {
    rest();
    for (const side of sides) side.dispose();
    painter.dispose();
  }
  return run;
}

/** Edits one side and draws it: its picture, or what was thrown, in words. */
async function editAndDraw(side: PictureSide, edits: readonly string[], seeds: readonly number[]) {
  try {
    for (const [i, name] of edits.entries()) EDITS[name](side, random(seeds[i]));
    return await side.draw();
  } catch (error) {
    side.renderer.setRenderTarget(null);
    return `${side.isFast ? 'accelerated' : 'plain'}: ${(error as Error).stack}`;
  }
}

/** The largest number in a world matrix. */
function reachOf(scene: Scene): number {
  let reach = 0;
  scene.traverse(({ matrixWorld }) => {
    for (const number of matrixWorld.elements) reach = reach >= Math.abs(number) ? reach : Math.abs(number);
  });
  return reach;
}

async function faultOf(
  [plain, accelerated]: readonly PictureSide[],
  pictures: readonly Uint8Array[],
  step: number,
  seed: number,
): Promise<string | null> {
  const { pixels, patches, mostLevels } = comparePictures(pictures[0], pictures[1], WIDTH);
  if (pixels > (accelerated.setting.batch && accelerated.isFast ? MOST_PIXELS : 0) || patches > 0) {
    const again = comparePictures(pictures[0], await plain.draw(), WIDTH).pixels;
    // What moves with each picture, or three draws in two ways.
    if (again === 0) return `${pixels} pixels differ by up to ${mostLevels} levels, ${patches} of them within patches`;
    await accelerated.draw();
  }
  if (step % 4 === 3 && !hasFlat(plain)) {
    const [expected, found] = [plain, accelerated].map((side) => hitsOf(side, seed));
    if (expected !== null && expected !== found) return `other hits: ${found} in place of ${expected}`;
  }
  if (step % 16 === 15 && accelerated.index !== null) return validateScene(accelerated.index)[0] ?? null;
  return null;
}

/** All hits of some rays from the camera, in words; null where three throws, as a material is missing. */
function hitsOf({ scene, eye: camera, isPartial }: PictureSide, seed: number): string | null {
  const next = random(seed);
  const raycaster = new Raycaster();
  raycaster.layers.enableAll();
  raycaster.params.Line.threshold = 0.2;
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const all: string[] = [];
  for (let ray = 0; ray < 5; ray++) {
    raycaster.setFromCamera(new Vector2(next() * 2 - 1, next() * 2 - 1), camera);
    try {
      for (const { object, distance, faceIndex, instanceId, batchId } of raycaster.intersectObject(scene)) {
        all.push(`${object.name} ${faceIndex ?? ''} ${instanceId ?? batchId ?? ''} at ${distance}`);
      }
    } catch {
      return null;
    }
  }
  // Of hits at one distance, those at what was left out of the index come last.
  return (isPartial ? all.sort() : all).join(', ');
}
