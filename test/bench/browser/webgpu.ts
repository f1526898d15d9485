/** Frames of WebGPURenderer, in three ways on equal scenes in turns. */
import type { Camera, Frustum, Object3D, Scene } from 'three';
import { StandardDrawingPipeline, WebGPURenderer } from 'three/webgpu';
import { accelerate } from '../../../src/index.js';
import { type Measured, type Side, takeTurns } from './takeTurns.js';
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

/** Radians by which the camera turns. */
const TURN = 0.01;

/** Of three alone, accelerated, and by a pipeline that asks the index; in a page of its own. */
export async function webgpu(count: number, share: number, rounds: number): Promise<Measured> {
  const renderer = new WebGPURenderer({ antialias: false });
  renderer.setSize(4, 3);
  await renderer.init();
  // Else each frame lasts as long as the GPU, which is a program here.
  (renderer as unknown as { backend: { draw: unknown } }).backend.draw = () => {};
  // Of two equal scenes one may take a fifth longer, by where it lies in memory: so all that can share one do.
  const [plain, fast] = [0, 1].map(() => new World(count).show(share));
  const index = accelerate(fast.scene);
  index.setStatic(fast.scene);
  const pipelines = [new StandardDrawingPipeline(), new StandardDrawingPipeline(), new IndexDrawingPipeline()];
  const turns = new Map([plain, fast].map(({ camera }) => [camera, TURN]));
  const sides = [plain, fast, fast].map(
    ({ scene, camera }, i): Side => [
      () => {
        renderer.render(scene, camera);
        return 1;
      },
      () => {
        renderer.drawingPipeline = pipelines[i];
        // To and fro, so that nothing is drawn for the first time while it is measured.
        turns.set(camera, -turns.get(camera)!);
        camera.rotateY(turns.get(camera)!);
      },
    ],
  );
  return takeTurns(rounds, sides);
}
