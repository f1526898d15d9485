import { BasicShadowMap, PCFShadowMap, type ShadowMapType, VSMShadowMap, type WebGLRenderer } from 'three';
import { type AccelerateOptions, accelerate, explain } from '../../../src/index.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { loadCasters } from '../../helpers/loadCasters.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { endRenderer, makeRenderer, otherPixels } from '../../helpers/pictures.js';
import { random } from '../../helpers/random.js';
import { depthsOf, otherTexels } from '../../helpers/shadowMaps.js';
import { type Next, pick, upTo } from '../scene/numbers.js';
import { LIGHT_EDITS } from './edits/lightEdits.js';
import { LOOK_EDITS } from './edits/lookEdits.js';
import { SHAPE_EDITS } from './edits/shapeEdits.js';
import { TREE_EDITS } from './edits/treeEdits.js';
import { ShadowWorld, SIZE } from './ShadowWorld.js';

/** Something that users do between two pictures: both worlds are given the same random numbers. */
export type Edits = { readonly [name: string]: (world: ShadowWorld, next: Next) => void };

export const EDITS: Edits = { ...TREE_EDITS, ...LOOK_EDITS, ...SHAPE_EDITS, ...LIGHT_EDITS };

const TYPES = { basic: BasicShadowMap, pcf: PCFShadowMap, vsm: VSMShadowMap } as const;
export type TypeName = keyof typeof TYPES;

interface Mode {
  /** Options of both worlds; none for one in plain three. */
  readonly both: AccelerateOptions | null;
  /** Further options of the world whose maps are kept. */
  readonly more?: AccelerateOptions;
  /** Maps that are not kept lack casters. */
  readonly arePartial?: true;
}
const MODES = {
  accelerate: { both: null },
  batches: { both: { batch: { atLeast: 3 } } },
  occlusion: { both: null, more: { occlusion: true } },
  cullCasters: { both: null, more: { cullCasters: true }, arePartial: true },
} as const satisfies { readonly [name: string]: Mode };
export type ModeName = keyof typeof MODES;

export interface ShadowScript {
  readonly seed: number;
  readonly steps: number;
  readonly type: TypeName;
  readonly mode: ModeName;
  /** Keeps nothing, which shows what comes out in two ways without that. */
  readonly isControl?: boolean;
  /** Compares maps after each so many pictures; default 5. */
  readonly maps?: number;
  readonly without?: readonly string[];
  /** The only edits, where some are named. */
  readonly only?: readonly string[];
  /** Steps at which nothing is done. */
  readonly skipped?: readonly number[];
}

export interface ShadowRun {
  readonly history: string[];
  fault: string | null;
  pictures: number;
  maps: number;
  /** Draw calls of all pictures, of both worlds. */
  readonly calls: [other: number, kept: number];
}

/** A renderer for worlds; those of one type are drawn by one, so that each shader is compiled once. */
export function makeShadowRenderer(type: TypeName): WebGLRenderer {
  const renderer = makeRenderer(SIZE);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = TYPES[type] as ShadowMapType;
  return renderer;
}

async function load({ batch, occlusion, cullCasters }: AccelerateOptions): Promise<void> {
  if (batch) await loadBatching();
  if (occlusion) await loadOcclusion();
  if (cullCasters) await loadCasters();
}

/** Makes the same world twice, keeps the maps of one, and compares pictures and maps after random edits. */
export async function runShadows(script: ShadowScript, given: WebGLRenderer | null = null): Promise<ShadowRun> {
  const { seed, steps, type, mode, isControl = false, maps = 5, without = [], skipped = [], only } = script;
  const run: ShadowRun = { history: [], fault: null, pictures: 0, maps: 0, calls: [0, 0] };
  const renderer = given ?? makeShadowRenderer(type);
  const { both, more, arePartial }: Mode = MODES[mode];
  const worlds = [0, 1].map(() => new ShadowWorld(seed, type !== 'vsm'));
  if (both) worlds[0].index = accelerate(worlds[0].scene, both);
  worlds[1].index = accelerate(worlds[1].scene, { ...both, ...more, keepShadows: !isControl });
  await Promise.all(worlds.map(({ index }) => index?.ready));
  await load({ ...both, ...more });
  const names = only ?? Object.keys(EDITS).filter((name) => !without.includes(name));
  const next = random(seed * 7919 + 13);
  try {
    for (let step = 0; step < steps && run.fault === null; step++) {
      // The same numbers are taken whatever is left out.
      const planned = next() < 0.6 ? [pick(next, names), pick(next, names)].slice(next() < 0.4 ? 0 : 1) : [];
      const [calm, walk, hasSecond] = [next() < 0.35, next() < 0.5, next() < 0.2];
      const seeds = [0, 1, 2].map(() => upTo(next, 2 ** 31));
      const edits = step < 3 || skipped.includes(step) ? [] : planned;
      run.history.push(edits.join(' and ') || 'nothing');
      for (const world of worlds) {
        if (calm) settle(world);
        if (walk && !skipped.includes(step)) walkOn(world, random(seeds[2]));
        for (const [i, name] of edits.entries()) EDITS[name](world, random(seeds[i]));
      }
      run.fault = comparePictures(worlds, renderer, run, false);
      if (hasSecond) run.fault ??= comparePictures(worlds, renderer, run, true);
      if (step % maps === maps - 1 && !arePartial) run.fault ??= compareMaps(worlds, renderer, run);
      if (step % 20 === 19) await new Promise((resolve) => setTimeout(resolve));
    }
    if (renderer.getContext().getError() !== 0) run.fault ??= 'an error of WebGL';
    if (run.fault !== null) run.fault += `; ${worlds[1].lights.map((light) => sayOf(worlds[1], light)).join(' ')}`;
  } finally {
    for (const world of worlds) world.dispose();
    if (given === null) {
      endRenderer(renderer);
    }
  }
  return run;
}

const sayOf = ({ index, camera }: ShadowWorld, light: ShadowWorld['lights'][number]): string =>
  `${light.type}: ${index === null ? '' : explain(index, light, camera).join(' ')}`;

/** What switches shadows off does not stay. */
function settle(world: ShadowWorld): void {
  Object.assign(world.shadowMap, { enabled: true, autoUpdate: true });
  world.scene.visible = true;
  for (const light of world.lights) {
    light.castShadow = light.visible = light.shadow.autoUpdate = true;
    if (!light.parent) world.scene.add(light);
  }
  for (const one of [...world.materials, ...world.groups]) one.visible = true;
}

function walkOn({ meshes }: ShadowWorld, next: Next): void {
  for (const mesh of meshes.slice(0, 1 + upTo(next, 2))) mesh.position.x += next() * 0.4 - 0.2;
}

function comparePictures(
  worlds: readonly ShadowWorld[],
  renderer: WebGLRenderer,
  run: ShadowRun,
  isSecond: boolean,
): string | null {
  const [expected, found] = worlds.map((world, i) => {
    const pixels = world.draw(renderer, isSecond ? world.secondEye() : world.camera);
    run.calls[i] += renderer.info.render.calls;
    return pixels;
  });
  run.pictures++;
  const other = otherPixels(found, expected);
  return other > 0 ? `${other} pixels differ${isSecond ? ', seen by a second camera' : ''}` : null;
}

function compareMaps(worlds: readonly ShadowWorld[], renderer: WebGLRenderer, run: ShadowRun): string | null {
  for (const [i, { type }] of worlds[0].lights.entries()) {
    const [expected, found] = worlds.map(({ lights }) => depthsOf(renderer, lights[i].shadow));
    run.maps++;
    const other = otherTexels(found, expected);
    if (other > 0) return `${other} texels of the map of the ${type} differ`;
  }
  return null;
}
