import * as THREE from 'three';
import { type AccelerateOptions, accelerate } from '../../../src/index.js';
import { loadBatching } from '../../helpers/loadBatching.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { makeRenderer, readPicture } from '../../helpers/pictures.js';
import { random } from '../../helpers/random.js';
import { comparePictures } from '../pictures/comparePictures.js';
import { type Next, pick } from '../scene/numbers.js';
import { differWhere, drawnIn } from './leftOut.js';
import { makeScene, makeSupplies, type OcclusionScene, placeInRow, REACH, type Supplies } from './makeScene.js';

/** Pixels of pictures, and of small ones. */
const SIZE = [256, 144];
const SMALL = [160, 90];

/** Renderers by the kind of depth they keep, made once: contexts are few. */
const DEPTHS = {
  plain: {},
  logarithmic: { logarithmicDepthBuffer: true },
  reversed: { reversedDepthBuffer: true },
} as const;
const made = new Map<string, THREE.WebGLRenderer>();

function rendererOf(depth: keyof typeof DEPTHS, [width, height]: readonly number[]): THREE.WebGLRenderer {
  let renderer = made.get(depth);
  if (renderer === undefined) {
    renderer = makeRenderer(width, height, { stencil: true, ...DEPTHS[depth] });
    renderer.localClippingEnabled = true;
    made.set(depth, renderer);
  }
  renderer.setSize(width, height, false);
  return renderer;
}

export interface OcclusionRun {
  pictures: number;
  /** What went wrong with the last picture, in words; null for nothing. */
  fault: string | null;
  /** Draw calls of all pictures, with everything in view and with what is not hidden. */
  readonly calls: [all: number, visible: number];
  /** Pictures that differ only where nothing was left out. */
  elsewhere: number;
}

export interface OcclusionScript {
  readonly seed: number;
  readonly pictures: number;
  /** Draws the second without occlusion: what differs then is not its doing. */
  readonly isAll?: boolean;
  /** Has the first culled by an index, so that all that differs is the doing of occlusion. */
  readonly isIndexed?: boolean;
  /** Small pictures, of which many are made in little time. */
  readonly isSmall?: boolean;
}

/** What may happen between two pictures, to both scenes alike. */
const ACTS: readonly ((given: OcclusionScene, supplies: Supplies, next: Next) => void)[] = [
  ({ walls }, _, next) => {
    const { position } = pick(next, walls);
    position.x += next() * 6 - 3;
    position.z += next() * 6 - 3;
  },
  ({ walls }, _, next) => {
    pick(next, walls).rotation.y = next() * 6;
  },
  ({ walls }, _, next) => {
    const wall = pick(next, walls);
    wall.visible = !wall.visible;
  },
  ({ walls }, { materials }, next) => {
    pick(next, walls).material = pick(next, materials);
  },
  ({ walls }, _, next) => {
    pick(next, walls).scale.x = next() * 18;
  },
  ({ things }, _, next) => {
    for (let i = 0; i < 10; i++) {
      pick(next, things).position.set((2 * next() - 1) * REACH, next() * 3, (2 * next() - 1) * REACH);
    }
  },
  ({ things }, { materials }, next) => {
    for (let i = 0; i < 5; i++) {
      const thing = pick(next, things) as THREE.Mesh;
      if (thing.isMesh && !Array.isArray(thing.material)) thing.material = pick(next, materials);
    }
  },
  ({ things, walls }, _, next) => {
    const thing = pick(next, things);
    if (!things.includes(thing.parent as THREE.Object3D)) pick(next, walls).add(thing);
  },
  ({ things }, _, next) => {
    pick(next, things).layers.toggle(1);
  },
  ({ rows }, _, next) => placeInRow(pick(next, rows), Math.floor(next() * 4), next),
];

/** What may happen to what both scenes share. */
const EDITS: readonly ((supplies: Supplies, next: Next) => void)[] = [
  ({ materials }, next) => {
    const material = pick(next, materials);
    material.depthTest = !material.depthTest;
  },
  ({ materials }, next) => {
    const material = pick(next, materials);
    material.depthWrite = !material.depthWrite;
  },
  ({ materials }, next) => {
    const material = pick(next, materials);
    material.side = pick(next, [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]);
    material.needsUpdate = true;
  },
  ({ shapes }, next) => {
    const { position } = pick(next, shapes).attributes;
    for (let i = 0; i < position.count; i += 2) position.setY(i, position.getY(i) * 1.2);
    position.needsUpdate = true;
  },
];

const OPTIONS: readonly AccelerateOptions[] = [{ occlusion: true }, { occlusion: true, cullCasters: true }];

/** Draws a random scene twice in each picture, in plain three and with occlusion, and compares all pixels. */
export async function runOcclusion(script: OcclusionScript): Promise<OcclusionRun> {
  const { seed, pictures } = script;
  await loadOcclusion();
  await loadBatching();
  const run: OcclusionRun = { pictures: 0, fault: null, calls: [0, 0], elsewhere: 0 };
  const next = random(seed * 7919 + 3);
  const depth = next() < 0.6 ? 'plain' : next() < 0.5 ? 'logarithmic' : 'reversed';
  const size = script.isSmall ? SMALL : SIZE;
  const renderer = rendererOf(depth, size);
  const isBatched = next() < 0.25;
  const options = { ...pick(next, OPTIONS), ...(isBatched ? { batch: { atLeast: 2 } } : {}) };
  const planes =
    next() < 0.2
      ? [new THREE.Plane(new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).normalize(), next() * 6)]
      : [];
  const supplies = makeSupplies(seed);
  const sides = [0, 1].map(() => makeScene(seed, supplies));
  const without = { ...options, occlusion: false };
  const reference = script.isIndexed ? accelerate(sides[0].scene, without) : null;
  const index = accelerate(sides[1].scene, script.isAll ? without : options);
  const indexes = [reference, index];
  if (next() < 0.4)
    indexes.forEach((one, s) => {
      for (const wall of sides[s].walls.slice(0, 5)) one?.setStatic(wall);
    });
  const moved = [0, 1].map(() => random(seed + 17));
  renderer.clippingPlanes = planes;
  // Unsorted, what is blended shows which of its neighbours are in a batch.
  renderer.sortObjects = next() < 0.8 || isBatched;
  try {
    for (; run.pictures < pictures && run.fault === null; run.pictures++) {
      const acts = run.pictures % 3 === 0 ? [] : [pick(next, ACTS), pick(next, ACTS)];
      const seeds = [Math.floor(next() * 2 ** 31), Math.floor(next() * 2 ** 31)];
      if (acts.length > 0 && next() < 0.4) pick(next, EDITS)(supplies, next);
      for (const side of sides) for (const [i, act] of acts.entries()) act(side, supplies, random(seeds[i]));
      const cameras = sides.map((side, s) => aim(side, moved[s], run.pictures));
      const objects: Set<THREE.Object3D>[] = [];
      const drawnBy = sides.map((side, s) => {
        if (acts.length > 0) indexes[s]?.touch(side.scene);
        objects.push(drawnIn(renderer, () => renderer.render(side.scene, cameras[s])));
        run.calls[s] += renderer.info.render.calls;
        return readPicture(renderer);
      });
      const fault = faultOf(drawnBy[0], drawnBy[1], size, isBatched);
      if (fault === null) continue;
      const others = objectsOf(sides[1]);
      const leftOut = objectsOf(sides[0]).filter((object, i) => objects[0].has(object) && !objects[1].has(others[i]));
      if (differWhere(new Set(leftOut), drawnBy, renderer, sides[0].scene, cameras[0])) {
        run.fault = `picture ${run.pictures}, ${depth}, ${planes.length} planes, sorted ${renderer.sortObjects}, ${JSON.stringify(options)}: ${fault}`;
      } else run.elsewhere++;
    }
  } finally {
    for (const one of indexes) one?.dispose();
    renderer.clippingPlanes = [];
    renderer.sortObjects = true;
    for (const { scene } of sides) free(scene);
  }
  return run;
}

/** Meshes in batches are drawn by matrices that are multiplied in another order: there rounding shows at edges. */
function faultOf(
  plain: Uint8Array,
  fast: Uint8Array,
  [width, height]: readonly number[],
  isBatched: boolean,
): string | null {
  const { pixels, patches, mostLevels } = comparePictures(plain, fast, width);
  const most = isBatched ? 0.01 * width * height : 0;
  return pixels > most || patches > 0
    ? `${pixels} pixels differ by up to ${mostLevels} levels, ${patches} within patches`
    : null;
}

/** In the same order for both sides. */
function objectsOf({ scene }: OcclusionScene): THREE.Object3D[] {
  const objects: THREE.Object3D[] = [];
  scene.traverse((object) => objects.push(object));
  return objects;
}

/** Puts a camera somewhere new, or lets it rest, or takes it on a little. */
function aim({ cameras, walls }: OcclusionScene, next: Next, picture: number): THREE.Camera {
  const camera = cameras[Math.floor(picture / 4) % cameras.length];
  const what = next();
  if (picture % 4 === 0 || what < 0.4) {
    camera.position.set((2 * next() - 1) * REACH, 0.5 + next() * 4, (2 * next() - 1) * REACH);
    // Within a wall.
    if (next() < 0.15) camera.position.copy(walls[Math.floor(next() * walls.length)].position);
    camera.rotation.set(next() * 0.6 - 0.3, next() * 7, 0);
    if (next() < 0.05) camera.position.y = 25;
    if (next() < 0.1) camera.rotation.z = next() * 7;
  } else if (what < 0.8) camera.translateZ(-0.3 * next());
  return camera;
}

function free(scene: THREE.Scene): void {
  scene.traverse((object) => {
    for (const one of [(object as THREE.Mesh).material].flat()) one?.dispose();
    (object as THREE.InstancedMesh | THREE.BatchedMesh).dispose?.();
  });
}
