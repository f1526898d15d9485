import { Raycaster, Vector2 } from 'three';
import type { AccelerateOptions } from '../../../src/index.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { readPicture } from '../../helpers/pictures.js';
import { random } from '../../helpers/random.js';
import { validateScene } from '../../helpers/validateScene.js';
import { upTo } from '../scene/numbers.js';
import { pick } from './chance.js';
import { comparePictures } from './comparePictures.js';
import type { Edits } from './edits/Edit.js';
import { GEOMETRY_EDITS } from './edits/geometryEdits.js';
import { INDEX_EDITS } from './edits/indexEdits.js';
import { MATERIAL_EDITS } from './edits/materialEdits.js';
import { OBJECT_EDITS } from './edits/objectEdits.js';
import { TREE_EDITS } from './edits/treeEdits.js';
import { VIEW_EDITS } from './edits/viewEdits.js';
import { HEIGHT, Side, WIDTH } from './Side.js';

/** Two that are alike make a batch, so that most meshes are in one. */
export const BATCHED: AccelerateOptions = { batch: { atLeast: 2 } };
/** Rounding shows at edges: batches multiply matrices in another order than three. */
const MOST_PIXELS = 0.01 * WIDTH * HEIGHT;

export const EDITS: Edits = {
  ...TREE_EDITS,
  ...OBJECT_EDITS,
  ...MATERIAL_EDITS,
  ...GEOMETRY_EDITS,
  ...VIEW_EDITS,
  ...INDEX_EDITS,
};

export interface PictureRun {
  /** What was done for each picture, by the names of the edits. */
  readonly history: string[];
  /** What went wrong with the last of them, in words; null for nothing. */
  fault: string | null;
  /** Draw calls of all pictures, in plain three and accelerated. */
  readonly calls: [plain: number, accelerated: number];
}

export interface PictureScript {
  readonly seed: number;
  readonly steps: number;
  /** Of `accelerate`; null leaves both in plain three, which shows what three itself draws in two ways. */
  readonly options?: AccelerateOptions | null;
  /** Names of edits that are left out. */
  readonly without?: readonly string[];
  /** Steps at which nothing is done. */
  readonly skipped?: readonly number[];
}

/** Makes the same scene twice, accelerates one, and compares pictures and hits after random edits. */
export async function runPictures(script: PictureScript): Promise<PictureRun> {
  const { seed, steps, options = BATCHED, without = [], skipped = [] } = script;
  const run: PictureRun = { history: [], fault: null, calls: [0, 0] };
  const names = Object.keys(EDITS).filter((name) => !without.includes(name));
  const sides = [new Side(seed, null), new Side(seed, options)] as const;
  const next = random(seed * 7919 + 13);
  if (options !== null) await loadBatching();
  try {
    for (let step = 0; step < steps && run.fault === null; step++) {
      // The same numbers are taken whatever is left out.
      const planned = [pick(next, names), pick(next, names)].slice(next() < 0.4 ? 0 : 1);
      const seeds = [0, 1, 2].map(() => upTo(next, 2 ** 31));
      // Meshes join in the first pictures.
      const edits = step < 3 || skipped.includes(step) ? [] : planned;
      run.history.push(edits.join(' and ') || 'nothing');
      const failures = sides.map((side) => failureOf(side, edits, seeds));
      // Something that three itself cannot draw ends it.
      if (failures[0] !== null && failures[1] !== null) break;
      run.fault = failures[0] ?? failures[1] ?? faultOf(sides, step, seeds[2]);
      for (const side of [0, 1]) run.calls[side] += sides[side].renderer.info.render.calls;
    }
  } finally {
    for (const side of sides) side.dispose();
  }
  return run;
}

/** Edits one side and draws it: what was thrown, in words, or null. */
function failureOf(side: Side, edits: readonly string[], seeds: readonly number[]): string | null {
  try {
    for (const [i, name] of edits.entries()) EDITS[name](side, random(seeds[i]));
    side.draw();
    return null;
  } catch (error) {
    side.renderer.setRenderTarget(null);
    return `${side.index === null ? 'plain' : 'accelerated'}: ${(error as Error).stack}`;
  }
}

function faultOf([plain, accelerated]: readonly [Side, Side], step: number, seed: number): string | null {
  const picture = readPicture(plain.renderer);
  const { pixels, patches, mostLevels } = comparePictures(picture, readPicture(accelerated.renderer), WIDTH);
  if (pixels > (accelerated.index === null ? 0 : MOST_PIXELS) || patches > 0) {
    const where = `${pixels} pixels differ by up to ${mostLevels} levels, ${patches} of them within patches`;
    plain.draw();
    const again = comparePictures(picture, readPicture(plain.renderer), WIDTH).pixels;
    if (again === 0) return where;
  }
  if (step % 4 === 3) {
    const [expected, found] = [plain, accelerated].map((side) => hitsOf(side, seed));
    if (expected !== null && expected !== found) return `other hits: ${found} in place of ${expected}`;
  }
  if (step % 16 === 15 && accelerated.index !== null) return validateScene(accelerated.index)[0] ?? null;
  return null;
}

/** All hits of some rays from the camera, in words; null where three throws, as a material is missing. */
function hitsOf({ scene, camera }: Side, seed: number): string | null {
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
  return all.join(', ');
}
