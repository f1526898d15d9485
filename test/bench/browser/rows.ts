/** What `bench:browser` measures: three alone, and the same accelerated, on equal scenes in turns. */
import {
  DataTexture,
  type Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  PerspectiveCamera,
  Raycaster,
  type Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { sceneOf } from '../../helpers/occlusion/WorldTruth.js';
import { WORLDS } from '../../helpers/occlusion/worlds.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import {
  type AcceleratedScene,
  type AccelerateOptions,
  accelerate,
  type BatchOptions,
  cullOutlines,
} from '../library.js';
import { type Frames, leaveOutGpu, type Measured, pause, takeTurns, timeFrames } from './takeTurns.js';
import { type Arrangement, litTown, modelOf, World } from './world.js';

/** The ratio that is promised, or the milliseconds that it may last longer. */
interface Promised {
  limit?: number;
  over?: number;
}

interface Row extends Promised {
  label: string;
  /** Whether its sides are three alone, in batches, and static besides. */
  isModel?: boolean;
  run(rounds: number): Promise<Measured>;
}

/** Two equal scenes, the second of them accelerated. */
interface Pair {
  worlds: readonly [World, World];
  index: AcceleratedScene;
  key: string;
}

interface Scenery {
  count: number;
  arrangement?: Arrangement;
  batch?: boolean;
  isStatic?: boolean | 'others';
  /** The share of the meshes that is seen, and that moves. */
  share?: number;
  moving?: number;
  hasShadows?: boolean;
  isDrawn?: boolean;
}

let renderer: WebGLRenderer;
let pair: Pair | null = null;
/** Milliseconds that `accelerate` took. */
let made = 0;

/** As they were made for the row before, where that wants the same. Batches take a frame to come together. */
async function open({
  count,
  arrangement = 'flat',
  batch = false,
  isStatic = true,
  share = 1,
  hasShadows = false,
}: Scenery) {
  const key = [count, arrangement, batch].join();
  if (pair?.key !== key) {
    pair?.index.dispose();
    pair = null;
    (globalThis as { gc?: () => void }).gc?.();
    const worlds = [new World(count, arrangement), new World(count, arrangement)] as const;
    const start = performance.now();
    const index = accelerate(worlds[1].scene, { batch });
    made = performance.now() - start;
    pair = { worlds, index, key };
    await index.ready;
  }
  const { worlds, index } = pair;
  index.setStatic(worlds[1].scene, isStatic !== false);
  if (isStatic === 'others') for (const mesh of worlds[1].movers(0.1)) index.setStatic(mesh, false);
  renderer.shadowMap.enabled = hasShadows;
  for (const world of worlds) Object.assign(world.show(share), { movesOthers: isStatic !== 'others' });
  for (let frame = 0; frame < 3; frame++) counts(worlds[1]);
  return pair;
}

const render = ({ scene, camera }: { scene: Scene; camera: PerspectiveCamera }): void => renderer.render(scene, camera);

/** Draw calls and triangles of a frame, shadows included. */
function counts(world: World): { readonly calls: number; readonly triangles: number } {
  const restore = leaveOutGpu(renderer);
  render(world);
  restore();
  return { ...renderer.info.render };
}

/**
 * A frame with its matrix pass and shadows: as far as finding what is to be drawn, where the list is not sorted and nothing
 * drawn, or with three's work for drawing it.
 */
const frames = (label: string, scenery: Scenery, promised: Promised = {}): Row => ({
  label,
  ...promised,
  async run(rounds) {
    const { moving = 0, batch = false, isDrawn = true } = scenery;
    const { worlds } = await open({ hasShadows: true, ...scenery });
    const [{ calls: seen, triangles: all }, { triangles }] = worlds.map(counts);
    // three culls by spheres, the index by boxes, which are tighter: it may draw less.
    if (triangles > all || triangles < 0.9 * all) throw new Error(`${triangles} triangles, not ${all}`);
    const setDrawn = (visible: boolean): void => {
      for (const { materials } of worlds) for (const material of materials) material.visible = visible;
    };
    setDrawn(isDrawn);
    const { times } = await timeFrames<World>(renderer, worlds, rounds, {
      draw: render,
      between: (world) => moving > 0 && world.move(moving),
      hasUniforms: batch,
    });
    setDrawn(true);
    for (const world of worlds) world.putBack();
    return { times, seen };
  },
});

/** As far as finding what is to be drawn, and with three's work for drawing it. */
const FINDING = 'finding what to draw';
const WHOLE = 'whole frame';
const large = (
  what: string,
  count: number,
  share: number,
  rest = '',
  promised?: Promised,
  arrangement: Arrangement = 'flat',
) =>
  frames(
    `${what}, all static, ${100 * share} % seen${rest}`,
    { count, share, arrangement, isDrawn: what === WHOLE },
    promised,
  );
const moving = (what: string, count: number, promised?: Promised): Row =>
  frames(
    `${what}, none static, 1 % seen, 1 % moving`,
    { count, share: 0.01, moving: 0.01, isStatic: false, isDrawn: what === WHOLE },
    promised,
  );
const small = (count: number): Row =>
  frames(
    `${WHOLE} of ${count.toLocaleString('en')} meshes, all static, all seen`,
    { count },
    count < 1000 ? { over: 0.1 } : { limit: 1.2 },
  );

const BATCH = '`batch: true`';
const batched = (label: string, limit: number, scenery: Partial<Scenery>): Row =>
  frames(
    `${BATCH}, ${WHOLE}, 24,000 meshes, ${label}`,
    { count: 24_000, arrangement: 'kinds', batch: true, hasShadows: false, ...scenery },
    { limit },
  );

/** A pick, by the scene, the list of its children or a list of all meshes. */
const picks = (count: number, call: string, list: ((world: World) => Mesh[]) | null, limit: number): Row => ({
  label: `\`raycaster.${call}\``,
  limit,
  async run(rounds) {
    const { worlds } = await open({ count, isStatic: false });
    const raycaster = new Raycaster();
    let aim = 0;
    const pick = (world: World) => (): number => {
      const target = new Vector3(0, 300 * Math.sin(aim * 7), 300 * Math.sin(aim * 3));
      raycaster.set(world.camera.position, target.sub(world.camera.position).normalize());
      return (list ? raycaster.intersectObjects(list(world)) : raycaster.intersectObject(world.scene)).length;
    };
    for (const { scene } of worlds) scene.updateMatrixWorld();
    return takeTurns(rounds, [[pick(worlds[0])], [pick(worlds[1])]], () => {
      aim++;
    });
  },
});

const outlines = (label: string, isStatic: boolean, batch: boolean): Row => ({
  label: `outline of one of 20,000 meshes, all seen, ${label}`,
  limit: 0.1,
  async run(rounds) {
    const { worlds, index } = await open({ count: 20_000, arrangement: 'kinds', batch, isStatic });
    const targets = [0, 1].map(() => new WebGLRenderTarget(1024, 1024));
    const sides = worlds.map(({ scene, camera, meshes }) => {
      scene.updateMatrixWorld();
      return new OutlinePass(new Vector2(1024, 1024), scene, camera, [meshes[meshes.length >> 1]]);
    });
    const undo = cullOutlines(index, sides[1]);
    const measured = await timeFrames(renderer, sides, rounds, {
      draw: (pass) => pass.render(renderer, targets[0], targets[1], 0, false),
    });
    undo();
    for (const one of [...sides, ...targets]) one.dispose();
    renderer.setRenderTarget(null);
    return measured;
  },
});

interface Side {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly index: AcceleratedScene | null;
}

/** A scene, accelerated unless options are null, of which pictures are made until batches have come and kernels are loaded. */
async function openSide(scene: Scene, camera: PerspectiveCamera, options: AccelerateOptions | null, isStatic = true) {
  const index = options && accelerate(scene, options);
  if (isStatic) index?.setStatic(scene);
  await index?.ready;
  const restore = leaveOutGpu(renderer, Boolean(options?.batch));
  for (let frame = 0; frame < 3; frame++) {
    render({ scene, camera });
    await pause(100);
  }
  restore();
  return { scene, camera, index };
}

/**
 * Frames of meshes that all lie below one large shadow, while the camera turns and sees a tenth of them: accelerated without
 * `cullCasters`, and with it.
 */
const casters = (label: string, batch: boolean, promised: Promised = {}): Row => ({
  label: `\`cullCasters\`, 24,000 meshes below one large shadow, a tenth seen, against accelerated without${label}`,
  ...promised,
  async run(rounds) {
    renderer.shadowMap.enabled = true;
    const sides: Side[] = [];
    for (const cullCasters of [false, true]) {
      const { scene, camera, sun } = new World(24_000, 'kinds').show(1);
      sun.shadow.mapSize.set(1024, 1024);
      camera.position.set(0, 0, 0);
      Object.assign(camera, { far: 600, fov: 50 }).updateProjectionMatrix();
      sides.push(await openSide(scene, camera, { batch, cullCasters }));
    }
    let angle = 0;
    return measureSides(sides, rounds, batch, {
      next() {
        angle += 0.01;
        for (const { camera } of sides) camera.rotation.y = angle;
      },
    });
  },
});

/** The picture, and metres that the camera goes on from one frame to the next. */
const SIZE = [1920, 1080] as const;
const STEP = 0.02;

/** Frames of a street of 50,000 meshes at rest, walked along: accelerated without occlusion, and with it. */
const hidden = (label: string, batch: boolean, limit: number): Row => ({
  label: `occlusion in a street of 50,000 meshes at rest, against accelerated without: ${WHOLE}${label}`,
  limit,
  async run(rounds) {
    await loadOcclusion();
    renderer.setSize(...SIZE);
    renderer.shadowMap.enabled = false;
    const world = WORLDS.street();
    const sides: Side[] = [];
    for (const occlusion of [false, true]) {
      sides.push(await openSide(sceneOf(world), world.cameras[0].clone(), { batch, occlusion }));
    }
    let stop = 0;
    const measured = await measureSides(sides, rounds, batch, {
      between: ({ camera }) => camera.translateZ(-STEP),
      next() {
        stop = (stop + 1) % world.cameras.length;
        for (const side of sides) {
          side.camera.copy(world.cameras[stop]);
          // The picture after a jump is one of many, and not of a walk.
          render(side);
        }
      },
    });
    renderer.setSize(1, 1);
    return measured;
  },
});

async function measureSides(sides: Side[], rounds: number, batch: boolean, steps: Partial<Frames<Side>>) {
  const measured = await timeFrames(renderer, sides, rounds, { draw: render, hasUniforms: batch, ...steps });
  for (const { index } of sides) index?.dispose();
  return measured;
}

type MaterialClass = new (given?: { color: number }) => MeshBasicMaterial | MeshStandardMaterial;
/** How a camera goes on from frame to frame while a model stays in view. */
type Move = (camera: PerspectiveCamera, frame: number) => unknown;
const roll: Move = ({ rotation }, frame) => rotation.set(0, 0, frame / 100);
const turn: Move = ({ rotation }, frame) => rotation.set(0, Math.sin(frame / 10) / 10, 0);
const dolly: Move = ({ position }, frame) => position.setZ(155 + 5 * Math.sin(frame / 10));

/** Frames of what is all in view and does not move, with their draw calls. */
const inView = (label: string, batch: BatchOptions, makeScene: () => Scene, move = roll): Row => ({
  label,
  isModel: true,
  async run(rounds) {
    const camera = new PerspectiveCamera(60, 1, 0.1, 500);
    camera.position.z = 150;
    renderer.setSize(16, 16);
    renderer.setScissor(0, 0, 1, 1);
    renderer.setScissorTest(true);
    const sides: Side[] = [];
    for (const kind of ['three', 'batch', 'static']) {
      sides.push(await openSide(makeScene(), camera, kind === 'three' ? null : { batch }, kind === 'static'));
    }
    const { calls: seen } = renderer.info.render;
    let frame = 0;
    const between = (): unknown => move(camera, frame++);
    return { ...(await measureSides(sides, 3 * rounds, true, { isWhole: true, between })), seen };
  },
});

/** Houses under a sun and two lamps, of which a share moves: in three, in batches, and with their shadow maps kept besides. */
const shadows = (what: string, share: number): Row => ({
  label: `shadows: 3,000 casters, a sun and two lamps, ${what}`,
  isModel: true,
  async run(rounds) {
    renderer.shadowMap.enabled = true;
    const sides: Side[] = [];
    const movers: Mesh[] = [];
    for (const options of [null, { batch: true }, { batch: true, keepShadows: true }]) {
      const { scene, camera, houses } = litTown(3000);
      sides.push(await openSide(scene, camera, options, false));
      movers.push(...houses.filter((_, i) => i % 100 < 100 * share));
    }
    render(sides[0]);
    const { calls: seen } = renderer.info.render;
    let frame = 0;
    const next = (): void => {
      const step = frame++ & 1 ? 0.05 : -0.05;
      for (const { position } of movers) position.x += step;
      for (const { camera } of sides) camera.position.x = Math.sin(frame / 40);
    };
    // A map is kept from its third picture on.
    for (let i = 0; i < 4; i++) for (const side of sides) render(side);
    const measured = await measureSides(sides, 3 * rounds, true, { between: next });
    renderer.shadowMap.enabled = false;
    return { ...measured, seen };
  },
});

const model = (count: number, Kind: MaterialClass, isShared: boolean, move = roll, rest = ''): Row => {
  const label = `model of ${count.toLocaleString('en')} meshes, ${new Kind().type}, ${isShared ? 'one material' : 'a material each'}`;
  const makeScene = (): Scene => {
    const shared = new Kind();
    const materialOf = (i: number) => (isShared ? shared : new Kind({ color: (i * 2654435) & 0xffffff }));
    return modelOf(count, Kind === MeshBasicMaterial ? 1 : 20, materialOf);
  };
  return inView(label + rest, {}, makeScene, move);
};

/** Pieces that share a texture with few others, all of them in batches: by so many a batch costs what its draws did. */
const pieces = (alike: number): Row =>
  inView(`pieces: 640 meshes, ${alike} to a texture`, { atLeast: 2 }, () => {
    const materials = Array.from({ length: 640 / alike }, (_, i) => {
      const map = new DataTexture(new Uint8Array([200, i, 50, 255]), 1, 1);
      map.needsUpdate = true;
      return new MeshStandardMaterial({ map });
    });
    return modelOf(640, 20, (i) => materials[Math.floor(i / alike)]);
  });

/** The share that is seen, and the ratio that is promised of finding it. */
const SHARES = Object.entries({ 0.01: 0.05, 0.1: 0.25, 0.5: 0.9, 1: 0.8 }).sort();

export const rows = (n: number): Row[] => [
  ...SHARES.map(([share, limit]) => large(FINDING, n, Number(share), '', { limit })),
  moving(FINDING, n, { limit: 1 / 3 }),
  ...SHARES.map(([share]) => large(WHOLE, n, Number(share))),
  moving(WHOLE, n),
  picks(n, 'intersectObject(scene)', null, 1 / 500),
  picks(n, 'intersectObjects(scene.children)', ({ scene }) => scene.children as Mesh[], 1 / 8),
  picks(n, 'intersectObjects(meshes)', ({ meshes }) => meshes, 1 / 4),
  large(FINDING, n, 0.1, ', trees of ten meshes', {}, 'trees'),
  large(FINDING, n, 0.1, ', all below one mesh in view', {}, 'ground'),
  batched('6 % seen', 1 / 25, { share: 0.06 }),
  batched('all seen', 1 / 15, {}),
  batched('6 % seen, 10 % moving', 0.35, { share: 0.06, moving: 0.1, isStatic: false }),
  batched('6 % seen, 10 % moving, all others static', 1 / 4, { share: 0.06, moving: 0.1, isStatic: 'others' }),
  batched('6 % seen, with shadows', 1 / 15, { share: 0.06, hasShadows: true }),
  outlines('all static', true, true),
  outlines('none static', false, true),
  outlines('none static, without batches', false, false),
  casters('', false, { limit: 1 / 2 }),
  casters(`, ${BATCH}`, true),
  hidden('', false, 1 / 8),
  hidden(`, ${BATCH}`, true, 1 / 2),
  ...[10, 40, 100, 300, 1000].map(small),
  ...[true, false].map((isShared) => model(20_000, MeshBasicMaterial, isShared)),
  model(20_000, MeshBasicMaterial, true, turn, ', camera turning about y'),
  model(20_000, MeshBasicMaterial, true, dolly, ', camera coming and going'),
  ...[true, false].map((isShared) => model(2000, MeshStandardMaterial, isShared)),
  model(1000, MeshPhysicalMaterial, false),
  ...[4, 8, 16, 32].map(pieces),
  shadows('at rest', 0),
  shadows('1 % moving', 0.01),
  shadows('10 % moving', 0.1),
  shadows('all moving', 1),
];

/** Milliseconds of each round of a row, and what `accelerate` took. */
export async function measure(n: number, row: number, rounds: number): Promise<Measured & { made: number }> {
  if (renderer === undefined) {
    renderer = new WebGLRenderer({ antialias: false });
    renderer.setSize(1, 1);
  }
  return { ...(await rows(n)[row].run(rounds)), made };
}
