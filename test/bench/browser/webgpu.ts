/** Measures frames of WebGPURenderer in the browser, in three ways on equal scenes in turns. Called by webgpu.mjs. */
import type { Camera, Frustum, Object3D, Scene } from 'three';
import { StandardDrawingPipeline, WebGPURenderer } from 'three/webgpu';
import { accelerate } from '../../../src/index.js';
import { World } from './world.js';

type Project = Parameters<StandardDrawingPipeline['project']>;

/**
 * Has the scene's list in its hands, where an accelerated scene otherwise hands it to three's walk: what a library could
 * do that had a drawing pipeline of its own.
 */
class IndexDrawingPipeline extends StandardDrawingPipeline {
  override project(object: Object3D, camera: Camera, ...rest: [Project[2], Project[3], Project[4]]): void {
    if ((object as Scene).isScene !== true) {
      super.project(object, camera, ...rest);
      return;
    }
    // The first of what the scene shows to a pass; asked about a frustum, it has the list, or the real children.
    object.layers.test(camera.layers);
    const [proxy, end] = object.children;
    proxy.intersectsFrustum((this as unknown as { _frustum: Frustum })._frustum);
    for (const child of proxy.children) this.project(child, camera, ...rest);
    end?.layers.test(camera.layers);
  }
}

const renderer = new WebGPURenderer({ antialias: false });
renderer.setSize(4, 3);

/** Pictures that are not measured: code is loaded and compiled. */
const WARM_UP = 12;
/** Radians by which the camera turns. */
const TURN = 0.01;
/** Milliseconds that a sample lasts at least. */
const SAMPLE = 12;

/** Milliseconds of a picture in each round: of three alone, accelerated, and by a pipeline that asks the index. */
async function measure(count: number, share: number, rounds: number): Promise<number[][]> {
  await renderer.init();
  const { backend } = renderer as unknown as { backend: { draw?: unknown } };
  // Else each frame lasts as long as the GPU, which is a program here.
  backend.draw = () => {};
  // Of two equal scenes one may take a fifth longer, by where it lies in memory: so all that can share one do.
  const [plain, fast] = [0, 1].map(() => new World(count).show(share));
  const index = accelerate(fast.scene);
  index.setStatic(fast.scene);
  const ways = [
    { world: plain, pipeline: new StandardDrawingPipeline() },
    { world: fast, pipeline: new StandardDrawingPipeline() },
    { world: fast, pipeline: new IndexDrawingPipeline() },
  ];
  const times: number[][] = ways.map(() => []);
  /** The last turn of the camera of a world. */
  const turns = new Map<World, number>();
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const i of shuffled(ways.length)) {
      const { world, pipeline } = ways[i];
      renderer.drawingPipeline = pipeline;
      let spent = 0;
      let pictures = 0;
      while (spent < SAMPLE) {
        // To and fro, so that nothing is drawn for the first time while it is measured.
        const turn = -(turns.get(world) ?? TURN);
        turns.set(world, turn);
        world.camera.rotateY(turn);
        const start = performance.now();
        renderer.render(world.scene, world.camera);
        spent += performance.now() - start;
        pictures++;
        if (round < 0) break;
      }
      await new Promise((resolve) => setTimeout(resolve));
      if (round >= 0) times[i].push(spent / pictures);
    }
  }
  for (const { pipeline } of ways) pipeline.dispose();
  index.dispose();
  delete backend.draw;
  return times;
}

/** The numbers below `count`, each time in another order. */
function shuffled(count: number): number[] {
  const keys = Array.from({ length: count }, () => Math.random());
  return [...keys.keys()].sort((a, b) => keys[a] - keys[b]);
}

Object.assign(globalThis, { bench: { measure } });
