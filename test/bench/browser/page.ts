/** Measures in the browser: three alone, and the same accelerated, on two equal scenes in turns. Called by main.mjs. */
import {
  type BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { type AcceleratedScene, accelerate, cullOutlines } from '../../../src/index.js';
import { casters } from './casters.js';
import { hidden } from './hidden.js';
import { joins, longest } from './joins.js';
import { leaveOutDrawing, leaveOutGpu } from './leaveOut.js';
import { loading } from './loading.js';
import { pointerMoves } from './pointerMoves.js';
import { type Measured, takeTurns } from './takeTurns.js';
import { twice } from './twice.js';
import { type Arrangement, World } from './world.js';

class Pair {
  readonly plain: World;
  readonly fast: World;
  readonly index: AcceleratedScene;
  readonly isBatched: boolean;
  /** Milliseconds that `accelerate` took. */
  readonly made: number;

  constructor(count: number, arrangement: Arrangement, batch: boolean) {
    this.isBatched = batch;
    this.plain = new World(count, arrangement);
    this.fast = new World(count, arrangement);
    const start = performance.now();
    this.index = accelerate(this.fast.scene, { batch });
    this.made = performance.now() - start;
  }
}

const renderer = new WebGLRenderer({ antialias: false });
renderer.setSize(1, 1);
renderer.shadowMap.enabled = true;
let pair: Pair | null = null;

/** Makes the two scenes. */
async function open(count: number, arrangement: Arrangement, batch: boolean): Promise<number> {
  pair?.index.dispose();
  pair = null;
  (globalThis as { gc?: () => void }).gc?.();
  pair = new Pair(count, arrangement, batch);
  await pair.index.ready;
  return pair.made;
}

function declareStatic(isStatic: boolean | 'others'): void {
  const { index, plain, fast } = pair as Pair;
  index.setStatic(fast.scene, isStatic !== false);
  for (const world of [plain, fast]) world.movesOthers = isStatic !== 'others';
  if (isStatic === 'others') for (const mesh of fast.movers(0.1)) index.setStatic(mesh, false);
}

/**
 * The CPU time of a frame with its matrix pass and shadows, when a share of the meshes is seen: as far as finding what is
 * to be drawn, or with three's work for drawing it.
 */
function frames(share: number, moving: number, isDrawn: boolean, hasShadows: boolean, rounds: number): Measured {
  const { plain, fast, isBatched } = pair as Pair;
  renderer.shadowMap.enabled = hasShadows;
  for (const world of [plain, fast]) world.show(share);
  const seen = draws(plain);
  // Batches take a frame to come together.
  for (let frame = 0; frame < 3; frame++) draws(fast);
  const seenFast = triangles(fast);
  const all = triangles(plain);
  // three culls by spheres, the index by boxes, which are tighter: it may draw less.
  if (seenFast > all || seenFast < 0.9 * all) throw new Error(`three draws ${all} triangles, accelerated ${seenFast}`);
  const draw =
    ({ scene, camera }: World) =>
    (): number => {
      renderer.render(scene, camera);
      return seen;
    };
  const between = (world: World) => (): void => {
    renderer.getContext().finish();
    if (moving > 0) world.move(moving);
  };
  const restore = isDrawn ? leaveOutGpu(renderer, isBatched) : leaveOutDrawing([plain, fast]);
  try {
    return { ...takeTurns(rounds, [draw(plain), between(plain)], [draw(fast), between(fast)], () => {}), seen };
  } finally {
    restore();
    for (const world of [plain, fast]) world.putBack();
  }
}

/**
 * The CPU time of two pictures, the first of them with a material of its own for each mesh, as for finding what lies below
 * the pointer.
 */
function swaps(rounds: number): Measured {
  const { plain, fast } = pair as Pair;
  renderer.shadowMap.enabled = false;
  for (const world of [plain, fast]) world.show(1);
  const ids = plain.meshes.map((_, i) => new MeshBasicMaterial({ color: i }));
  const own = [plain, fast].map(({ meshes }) => meshes.map(({ material }) => material));
  const draw =
    ({ scene, camera, meshes }: World, side: number) =>
    (): number => {
      meshes.forEach((mesh, i) => {
        mesh.material = ids[i];
      });
      renderer.render(scene, camera);
      meshes.forEach((mesh, i) => {
        mesh.material = own[side][i];
      });
      renderer.render(scene, camera);
      return meshes.length;
    };
  const restore = leaveOutGpu(renderer, true);
  const finish = (): void => renderer.getContext().finish();
  try {
    const seen = plain.meshes.length;
    return { ...takeTurns(rounds, [draw(plain, 0), finish], [draw(fast, 1), finish], () => {}), seen };
  } finally {
    restore();
    for (const id of ids) id.dispose();
  }
}

/**
 * The CPU time of pictures of transparent meshes, all in view of a camera that turns around them, so that their order
 * changes.
 * @param kinds Of glass, that differ in more than their colour.
 */
function panes(kinds: number, rounds: number): Measured {
  const { plain, fast } = pair as Pair;
  renderer.shadowMap.enabled = false;
  const seen = plain.meshes.length;
  for (const world of [plain, fast]) {
    world.show(1);
    world.materials.forEach((material, i) => {
      Object.assign(material, { transparent: true, opacity: 0.2 + 0.1 * (i % kinds) });
    });
  }
  for (let frame = 0; frame < 3; frame++) draws(fast);
  let turn = 0;
  const draw =
    ({ scene, camera }: World) =>
    (): number => {
      renderer.render(scene, camera);
      return seen;
    };
  const between =
    ({ camera }: World) =>
    (): void => {
      renderer.getContext().finish();
      camera.position.set(1500 * Math.cos(turn), 0, 1500 * Math.sin(turn));
      camera.lookAt(0, 0, 0);
    };
  const restore = leaveOutGpu(renderer, true);
  try {
    const turns = takeTurns(rounds, [draw(plain), between(plain)], [draw(fast), between(fast)], () => {
      turn += 0.001;
    });
    return { ...turns, seen };
  } finally {
    restore();
  }
}

/**
 * The CPU time of frames in which the positions of one geometry of 100,000 vertices are edited and uploaded.
 * @param share Of them, given as a range if it is less than all.
 */
function edits(share: number, rounds: number): Measured {
  const { plain, fast } = pair as Pair;
  renderer.shadowMap.enabled = false;
  const own = [plain, fast].map((world) => {
    world.show(1);
    const mesh = new Mesh(new SphereGeometry(20, 399, 249), world.materials[0]);
    world.scene.add(mesh);
    return { mesh, position: mesh.geometry.attributes.position as BufferAttribute };
  });
  let height = 1;
  const draw =
    ({ scene, camera }: World, side: number) =>
    (): number => {
      const { position } = own[side];
      const count = Math.floor(share * position.count);
      for (let i = 0; i < count; i++) position.setY(i, position.getY(i) * height);
      if (share < 1) position.addUpdateRange(0, 3 * count);
      position.needsUpdate = true;
      renderer.render(scene, camera);
      return position.count;
    };
  const restore = leaveOutGpu(renderer, true);
  const finish = (): void => renderer.getContext().finish();
  try {
    return takeTurns(rounds, [draw(plain, 0), finish], [draw(fast, 1), finish], () => {
      height = 1 / height;
    });
  } finally {
    restore();
    for (const { mesh } of own) mesh.removeFromParent();
  }
}

/** The CPU time that the outline of one of many meshes takes, all of them in view. */
function outlines(rounds: number): Measured {
  const { plain, fast, index } = pair as Pair;
  renderer.shadowMap.enabled = false;
  const [read, write] = [new WebGLRenderTarget(1024, 1024), new WebGLRenderTarget(1024, 1024)];
  const sides = [plain, fast].map((world) => {
    world.show(1);
    world.scene.updateMatrixWorld();
    return new OutlinePass(new Vector2(1024, 1024), world.scene, world.camera, [
      world.meshes[world.meshes.length >> 1],
    ]);
  });
  const undo = cullOutlines(index, sides[1]);
  const draw = (pass: OutlinePass) => (): number => {
    pass.render(renderer, write, read, 0, false);
    return 1;
  };
  const restore = leaveOutGpu(renderer, true);
  const finish = (): void => renderer.getContext().finish();
  try {
    return takeTurns(rounds, [draw(sides[0]), finish], [draw(sides[1]), finish], () => {});
  } finally {
    restore();
    undo();
    for (const pass of sides) pass.dispose();
    for (const target of [read, write]) target.dispose();
    renderer.setRenderTarget(null);
  }
}

/** Number of draw calls of a frame, shadows included. */
function draws({ scene, camera }: World): number {
  const restore = leaveOutGpu(renderer);
  renderer.render(scene, camera);
  restore();
  return renderer.info.render.calls;
}

/** Number of triangles of a frame, shadows included. */
function triangles(world: World): number {
  draws(world);
  return renderer.info.render.triangles;
}

/** The time of a pick, by the scene, the list of its children or a list of all meshes. */
function picks(by: 'scene' | 'children' | 'list', rounds: number): Measured {
  const { plain, fast } = pair as Pair;
  const raycaster = new Raycaster();
  const origin = plain.camera.position;
  let aim = 0;
  const pick =
    ({ scene, meshes }: World) =>
    (): number => {
      const target = new Vector3(0, 300 * Math.sin(aim * 7), 300 * Math.sin(aim * 3));
      raycaster.set(origin, target.sub(origin).normalize());
      if (by === 'scene') return raycaster.intersectObject(scene).length;
      return raycaster.intersectObjects(by === 'list' ? meshes : scene.children).length;
    };
  for (const { scene } of [plain, fast]) scene.updateMatrixWorld();
  const nothing = (): void => {};
  return takeTurns(rounds, [pick(plain), nothing], [pick(fast), nothing], () => {
    aim++;
  });
}

Object.assign(globalThis, {
  bench: {
    open,
    casters: casters.bind(null, renderer),
    twice: twice.bind(null, renderer),
    declareStatic,
    edits,
    frames,
    hidden: hidden.bind(null, renderer),
    joins: joins.bind(null, renderer),
    loading,
    longest: longest.bind(null, renderer),
    outlines,
    panes,
    picks,
    pointerMoves,
    swaps,
  },
});
