/** Measures in the browser: three alone, and the same accelerated, on two equal scenes in turns. Called by main.mjs. */
import {
  type BufferAttribute,
  type Material,
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
import * as others from './others.js';
import { pointerMoves } from './pointerMoves.js';
import { leaveOutGpu, type Measured, takeTurns, timeFrames } from './takeTurns.js';
import { type Arrangement, World } from './world.js';

const renderer = new WebGLRenderer({ antialias: false });
renderer.setSize(1, 1);
renderer.shadowMap.enabled = true;
let plain: World;
let fast: World;
let index: AcceleratedScene | null = null;
let isBatched: boolean;

/** Makes the two scenes; returns the milliseconds that `accelerate` takes. */
async function open(count: number, arrangement: Arrangement, batch: boolean): Promise<number> {
  index?.dispose();
  (globalThis as { gc?: () => void }).gc?.();
  isBatched = batch;
  plain = new World(count, arrangement);
  fast = new World(count, arrangement);
  const start = performance.now();
  index = accelerate(fast.scene, { batch });
  const made = performance.now() - start;
  await index.ready;
  return made;
}

function declareStatic(isStatic: boolean | 'others'): void {
  index?.setStatic(fast.scene, isStatic !== false);
  for (const world of [plain, fast]) world.movesOthers = isStatic !== 'others';
  if (isStatic === 'others') for (const mesh of fast.movers(0.1)) index?.setStatic(mesh, false);
}

const render = ({ scene, camera }: World): void => renderer.render(scene, camera);

/** Draw calls and triangles of a frame, shadows included. */
function counts(world: World): { readonly calls: number; readonly triangles: number } {
  const restore = leaveOutGpu(renderer);
  render(world);
  restore();
  return { ...renderer.info.render };
}

/** Both scenes, all in view. Batches take a frame to come together. */
function show(share = 1, hasShadows = false): World[] {
  renderer.shadowMap.enabled = hasShadows;
  for (const world of [plain, fast]) world.show(share);
  for (let frame = 0; frame < 3; frame++) counts(fast);
  return [plain, fast];
}

/**
 * A frame with its matrix pass and shadows, when a share of the meshes is seen: as far as finding what is to be drawn, where
 * the list is not sorted and nothing drawn, or with three's work for drawing it.
 */
function frames(share: number, moving: number, isDrawn: boolean, hasShadows: boolean, rounds: number): Measured {
  const sides = show(share, hasShadows);
  const { calls: seen, triangles: all } = counts(plain);
  const { triangles } = counts(fast);
  // three culls by spheres, the index by boxes, which are tighter: it may draw less.
  if (triangles > all || triangles < 0.9 * all)
    throw new Error(`three draws ${all} triangles, accelerated ${triangles}`);
  const setDrawn = (visible: boolean): void => {
    for (const { materials } of sides) for (const material of materials) material.visible = visible;
  };
  setDrawn(isDrawn);
  const times = timeFrames(renderer, sides, rounds, {
    draw: render,
    between: (world) => moving > 0 && world.move(moving),
    hasUniforms: isBatched,
    end() {
      setDrawn(true);
      for (const world of sides) world.putBack();
    },
  });
  return { ...times, seen };
}

/** Two pictures, the first of them with a material of its own for each mesh, as for finding what lies below the pointer. */
function swaps(rounds: number): Measured {
  const ids = plain.meshes.map((_, i) => new MeshBasicMaterial({ color: i }));
  const own = plain.meshes.map((_, i) => i % plain.materials.length);
  const draw = (world: World): void => {
    const put = (materialOf: (i: number) => Material): void => {
      for (const [i, mesh] of world.meshes.entries()) mesh.material = materialOf(i);
    };
    put((i) => ids[i]);
    render(world);
    put((i) => world.materials[own[i]]);
    render(world);
  };
  return { ...timeFrames(renderer, show(), rounds, { draw }), seen: ids.length };
}

/**
 * Pictures of transparent meshes, all in view of a camera that turns around them, so that their order changes.
 * @param kinds Of glass, that differ in more than their colour.
 */
function panes(kinds: number, rounds: number): Measured {
  for (const { materials } of [plain, fast]) {
    materials.forEach((material, i) => {
      Object.assign(material, { transparent: true, opacity: 0.2 + 0.1 * (i % kinds) });
    });
  }
  let turn = 0;
  const times = timeFrames(renderer, show(), rounds, {
    draw: render,
    between({ camera }) {
      camera.position.set(1500 * Math.cos(turn), 0, 1500 * Math.sin(turn));
      camera.lookAt(0, 0, 0);
    },
    next: () => {
      turn += 0.001;
    },
  });
  return { ...times, seen: plain.meshes.length };
}

/**
 * Frames in which the positions of one geometry of 100,000 vertices are edited and uploaded.
 * @param share Of them, given as a range if it is less than all.
 */
function edits(share: number, rounds: number): Measured {
  const own = new Map(
    show().map((world) => {
      const mesh = new Mesh(new SphereGeometry(20, 399, 249), world.materials[0]);
      world.scene.add(mesh);
      return [world, mesh];
    }),
  );
  let height = 1;
  const times = timeFrames(renderer, [plain, fast], rounds, {
    draw(world) {
      const position = own.get(world)?.geometry.attributes.position as BufferAttribute;
      const count = Math.floor(share * position.count);
      for (let i = 0; i < count; i++) position.setY(i, position.getY(i) * height);
      if (share < 1) position.addUpdateRange(0, 3 * count);
      position.needsUpdate = true;
      render(world);
    },
    next: () => {
      height = 1 / height;
    },
    end() {
      for (const mesh of own.values()) mesh.removeFromParent();
    },
  });
  return { ...times, seen: 400 * 250 };
}

/** The outline of one of many meshes, all of them in view. */
function outlines(rounds: number): Measured {
  const [read, write] = [new WebGLRenderTarget(1024, 1024), new WebGLRenderTarget(1024, 1024)];
  const sides = show().map(({ scene, camera, meshes }) => {
    scene.updateMatrixWorld();
    return new OutlinePass(new Vector2(1024, 1024), scene, camera, [meshes[meshes.length >> 1]]);
  });
  const undo = cullOutlines(index as AcceleratedScene, sides[1]);
  return timeFrames(renderer, sides, rounds, {
    draw: (pass) => pass.render(renderer, write, read, 0, false),
    end() {
      undo();
      for (const one of [...sides, read, write]) one.dispose();
      renderer.setRenderTarget(null);
    },
  });
}

/** A pick, by the scene, the list of its children or a list of all meshes. */
function picks(by: 'scene' | 'children' | 'list', rounds: number): Measured {
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
  return takeTurns(rounds, [pick(plain)], [pick(fast)], () => {
    aim++;
  });
}

const withRenderer = Object.entries({ ...others, pointerMoves }).map(([name, measure]) => {
  return [name, (measure as (...given: unknown[]) => Promise<Measured>).bind(null, renderer)];
});
Object.assign(globalThis, {
  bench: { ...Object.fromEntries(withRenderer), declareStatic, edits, frames, open, outlines, panes, picks, swaps },
});
