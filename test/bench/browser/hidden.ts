import type { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { accelerate } from '../../../src/index.js';
import { sceneOf } from '../../helpers/occlusion/WorldTruth.js';
import { WORLDS } from '../../helpers/occlusion/worlds.js';
import { loadOcclusion } from '../../helpers/occlusion.js';
import { leaveOutGpu } from './leaveOut.js';
import { type Measured, takeTurns } from './takeTurns.js';

/** The picture, and metres that the camera goes on from one frame to the next. */
const SIZE = [1920, 1080] as const;
const STEP = 0.02;

/**
 * The CPU time of frames of a street of 50,000 meshes at rest, walked along: accelerated without occlusion, and with it.
 * @param counts Triangles that are sent to the GPU, in thousands, instead of times.
 */
export async function hidden(
  renderer: WebGLRenderer,
  batch: boolean,
  counts: boolean,
  rounds: number,
): Promise<Measured> {
  await loadOcclusion();
  const before = [renderer.domElement.width, renderer.domElement.height] as const;
  renderer.setSize(...SIZE);
  renderer.shadowMap.enabled = false;
  const world = WORLDS.street();
  const sides = [false, true].map((occlusion) => {
    const scene = sceneOf(world);
    const index = accelerate(scene, { batch, occlusion });
    index.setStatic(scene);
    return { scene, index, camera: world.cameras[0].clone() };
  });
  let stop = 0;
  const draw =
    ({ scene, camera }: { scene: Scene; camera: PerspectiveCamera }) =>
    (): number => {
      renderer.render(scene, camera);
      return 1;
    };
  const step =
    ({ camera }: { camera: PerspectiveCamera }) =>
    (): void => {
      renderer.getContext().finish();
      camera.translateZ(-STEP);
    };
  const next = (): void => {
    stop = (stop + 1) % world.cameras.length;
    for (const side of sides) {
      side.camera.copy(world.cameras[stop]);
      // The picture after a jump is one of many, and not of a walk.
      draw(side)();
    }
  };
  // Rasterisers are probed, and batches made, by pictures that are drawn.
  for (let frame = 0; frame < 3; frame++) {
    for (const side of sides) draw(side)();
    // Kernels are loaded after the first query.
    await new Promise((done) => setTimeout(done, 100));
  }
  const restore = leaveOutGpu(renderer, batch);
  try {
    if (!counts) return takeTurns(rounds, [draw(sides[0]), step(sides[0])], [draw(sides[1]), step(sides[1])], next);
    const sent: number[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      next();
      sides.forEach((side, i) => {
        draw(side)();
        sent[i].push(renderer.info.render.triangles / 1e3);
      });
    }
    return { plain: sent[0], fast: sent[1], seen: rounds };
  } finally {
    restore();
    for (const { index } of sides) index.dispose();
    renderer.setSize(...before);
  }
}
