/** Rows that make scenes of their own. */
import {
  BoxGeometry,
  type BufferGeometry,
  ConeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  type WebGLRenderer,
} from 'three';
import { ObjectBVH } from 'three-mesh-bvh';
import { type AcceleratedScene, type AccelerateOptions, accelerate } from '../../../src/index.js';
import { sceneOf } from '../../helpers/occlusion/WorldTruth.js';
import { WORLDS } from '../../helpers/occlusion/worlds.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { random } from '../../helpers/random.js';
import { leaveOutGpu, type Measured, timeFrames } from './takeTurns.js';
import { World } from './world.js';

interface Side {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly index: AcceleratedScene;
}

/** An accelerated scene, and a picture of it. */
async function open(scene: Scene, camera: PerspectiveCamera, options: AccelerateOptions, isStatic = true) {
  const index = accelerate(scene, options);
  if (isStatic) index.setStatic(scene);
  await index.ready;
  return { scene, camera, index };
}

const dispose = (sides: readonly Side[]) => (): void => {
  for (const { index } of sides) index.dispose();
};

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Frames of meshes that all lie below one large shadow, while the camera turns and sees a tenth of them: accelerated without
 * `cullCasters`, and with it.
 */
export async function casters(renderer: WebGLRenderer, count: number, batch: boolean, rounds: number) {
  renderer.shadowMap.enabled = true;
  const sides: Side[] = [];
  for (const cullCasters of [false, true]) {
    const { scene, camera, sun } = new World(count, 'kinds').show(1);
    sun.shadow.mapSize.set(1024, 1024);
    camera.position.set(0, 0, 0);
    Object.assign(camera, { far: 600, fov: 50 }).updateProjectionMatrix();
    sides.push(await open(scene, camera, { batch, cullCasters }));
  }
  let angle = 0;
  const draw = ({ scene, camera }: Side): void => renderer.render(scene, camera);
  const restore = leaveOutGpu(renderer, batch);
  for (let frame = 0; frame < 3; frame++) sides.forEach(draw);
  restore();
  return timeFrames(renderer, sides, rounds, {
    draw,
    between: ({ camera }) => {
      camera.rotation.y = angle;
    },
    next: () => {
      angle += 0.01;
    },
    hasUniforms: batch,
    end: dispose(sides),
  });
}

const GEOMETRIES = 4;

/**
 * Frames of 10,000 batched boxes of a few geometries: where what is drawn in another way has geometries of its own, and where
 * it shares theirs.
 * @param which One overlay, which is drawn alone; or half of the boxes, which have other shadow flags.
 */
export async function twice(renderer: WebGLRenderer, which: 'overlay' | 'flags', isMoving: boolean, rounds: number) {
  renderer.shadowMap.enabled = false;
  const camera = new PerspectiveCamera(60, 1, 1, 1000);
  camera.position.z = 250;
  const sides: Side[] = [];
  for (const isShared of [false, true]) {
    sides.push(await open(overlaid(which, isShared), camera, { batch: true }, false));
  }
  const draw = ({ scene }: Side): void => renderer.render(scene, camera);
  const restore = leaveOutGpu(renderer, true);
  for (let frame = 0; frame < 5; frame++) sides.forEach(draw);
  restore();
  return timeFrames(renderer, sides, rounds, {
    draw,
    between: ({ scene }) => {
      if (isMoving) for (const mesh of scene.children) mesh.position.x += 1e-3;
    },
    end: dispose(sides),
  });
}

function overlaid(which: 'overlay' | 'flags', isShared: boolean): Scene {
  const boxes = (size: number): BufferGeometry[] =>
    Array.from({ length: GEOMETRIES }, (_, i) => new BoxGeometry(size, size / (i + 1), size));
  const scene = new Scene();
  const material = new MeshBasicMaterial();
  const geometries = boxes(1);
  const others = isShared ? geometries : boxes(1.001);
  for (let i = 0; i < 10_000; i++) {
    const isOther = which === 'flags' && i % 2 === 1;
    const mesh = new Mesh((isOther ? others : geometries)[(i >> 1) % GEOMETRIES], material);
    mesh.castShadow = isOther;
    mesh.position.set((i % 100) - 50, Math.floor(i / 100) - 50, i % 7);
    scene.add(mesh);
  }
  if (which === 'overlay') scene.add(new Mesh(others[0], new MeshBasicMaterial({ wireframe: true })));
  return scene;
}

/** The picture, and metres that the camera goes on from one frame to the next. */
const SIZE = [1920, 1080] as const;
const STEP = 0.02;

/**
 * Frames of a street of 50,000 meshes at rest, walked along: accelerated without occlusion, and with it.
 * @param counts Triangles that are sent to the GPU, in thousands, instead of times.
 */
export async function hidden(renderer: WebGLRenderer, batch: boolean, counts: boolean, rounds: number) {
  await loadOcclusion();
  const before = [renderer.domElement.width, renderer.domElement.height] as const;
  renderer.setSize(...SIZE);
  renderer.shadowMap.enabled = false;
  const world = WORLDS.street();
  const sides: Side[] = [];
  for (const occlusion of [false, true]) {
    sides.push(await open(sceneOf(world), world.cameras[0].clone(), { batch, occlusion }));
  }
  let stop = 0;
  const draw = ({ scene, camera }: Side): void => renderer.render(scene, camera);
  const next = (): void => {
    stop = (stop + 1) % world.cameras.length;
    for (const side of sides) {
      side.camera.copy(world.cameras[stop]);
      // The picture after a jump is one of many, and not of a walk.
      draw(side);
    }
  };
  const end = (): void => {
    dispose(sides)();
    renderer.setSize(...before);
  };
  // Rasterisers are probed, and batches made, by pictures that are drawn; kernels are loaded after the first query.
  for (let frame = 0; frame < 3; frame++) {
    sides.forEach(draw);
    await pause(100);
  }
  const between = ({ camera }: Side): unknown => camera.translateZ(-STEP);
  if (!counts) return timeFrames(renderer, sides, rounds, { draw, between, next, hasUniforms: batch, end });
  const restore = leaveOutGpu(renderer, batch);
  const sent: number[][] = [[], []];
  for (let round = 0; round < rounds; round++) {
    next();
    sides.forEach((side, i) => {
      draw(side);
      sent[i].push(renderer.info.render.triangles / 1e3);
    });
  }
  restore();
  end();
  return { plain: sent[0], fast: sent[1], seen: rounds };
}

/** Pictures in which batches come. */
const COMING = 12;

/**
 * The longest picture while batches come, beside a usual one of plain three.
 * @param vertices Of each geometry; there are as many geometries as meshes divided by ten.
 */
export async function longest(renderer: WebGLRenderer, count: number, vertices: number): Promise<Measured> {
  renderer.shadowMap.enabled = false;
  const { camera } = new World(0).show(1);
  const scene = new Scene().add(...crowd(count, vertices));
  const restore = leaveOutGpu(renderer, true);
  const times = async (): Promise<number[]> => {
    const all: number[] = [];
    for (let picture = 0; picture < COMING; picture++) {
      await pause(5);
      renderer.getContext().finish();
      all.push(timed(() => renderer.render(scene, camera)));
    }
    return all.sort((a, b) => a - b);
  };
  const plain = (await times())[COMING >> 1];
  const index = accelerate(scene, { batch: true });
  await index.ready;
  const all = await times();
  restore();
  if (renderer.info.render.calls > 1) throw new Error(`${renderer.info.render.calls} draw calls`);
  index.dispose();
  return { plain: [plain], fast: all.slice(-1), seen: count };
}

function crowd(count: number, vertices: number): Mesh[] {
  const material = new MeshLambertMaterial();
  const rows = Math.round(Math.sqrt(vertices));
  const geometries =
    vertices > 0
      ? Array.from({ length: count / 10 }, () => new SphereGeometry(0.5, rows - 1, rows - 1))
      : [new BoxGeometry(), new ConeGeometry(), new SphereGeometry(0.6, 8, 6), new BoxGeometry(1, 2, 1)];
  return Array.from({ length: count }, (_, i) => {
    const mesh = new Mesh(geometries[i % geometries.length], material);
    return mesh.translateY((i % 50) * 10 - 250).translateZ(Math.floor(i / 50) * 10 - 200);
  });
}

function timed(what: () => unknown): number {
  const start = performance.now();
  what();
  return performance.now() - start;
}

/**
 * `accelerate` of many meshes in groups of 50, in code that runs for the first time, beside three's first matrix pass over as
 * many, or beside the `ObjectBVH` of three-mesh-bvh, which needs matrices: then those are there.
 */
export async function loading(_: WebGLRenderer, count: number, rival: 'pass' | 'ObjectBVH'): Promise<Measured> {
  const [first, second] = [inGroups(count), inGroups(count)];
  if (rival === 'ObjectBVH') for (const scene of [first, second]) scene.updateMatrixWorld();
  for (let i = 0; i < 4; i++) (globalThis as { gc?: () => void }).gc?.();
  const plain = timed(() => (rival === 'pass' ? first.updateMatrixWorld() : new ObjectBVH(first)));
  const fast = timed(() => accelerate(second));
  return { plain: [plain], fast: [fast], seen: count };
}

function inGroups(count: number): Scene {
  const next = random(1);
  const geometries = [new BoxGeometry(), new SphereGeometry(1, 8, 6), new ConeGeometry(1, 2, 8)];
  const material = new MeshLambertMaterial();
  const scene = new Scene();
  for (let i = 0; i < count / 50; i++) {
    const group = new Group();
    group.position.set(next() * 2000 - 1000, next() * 20, next() * 2000 - 1000);
    for (let k = 0; k < 50; k++) {
      const mesh = new Mesh(geometries[k % 3], material);
      mesh.position.set(next() * 50, next() * 10, next() * 50);
      mesh.rotation.y = next() * 6;
      group.add(mesh);
    }
    scene.add(group);
  }
  return scene;
}
