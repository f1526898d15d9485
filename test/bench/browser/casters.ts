import type { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { type AcceleratedScene, accelerate } from '../../../src/index.js';
import { leaveOutGpu } from './leaveOut.js';
import { type Measured, takeTurns } from './takeTurns.js';
import { World } from './world.js';

interface Side {
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly index: AcceleratedScene;
}

/**
 * The CPU time of frames of meshes that all lie below one large shadow, while the camera turns and sees a tenth of them:
 * accelerated without `cullCasters`, and with it.
 */
export async function casters(
  renderer: WebGLRenderer,
  count: number,
  batch: boolean,
  rounds: number,
): Promise<Measured> {
  renderer.shadowMap.enabled = true;
  const sides: Side[] = [];
  for (const cullCasters of [false, true]) {
    const world = new World(count, 'kinds');
    world.show(1);
    world.sun.shadow.mapSize.set(1024, 1024);
    world.camera.position.set(0, 0, 0);
    world.camera.far = 600;
    world.camera.fov = 50;
    world.camera.updateProjectionMatrix();
    const index = accelerate(world.scene, { batch, cullCasters });
    index.setStatic(world.scene);
    await index.ready;
    sides.push({ scene: world.scene, camera: world.camera, index });
  }
  let angle = 0;
  const draw = (side: number) => (): number => {
    const { scene, camera } = sides[side];
    renderer.render(scene, camera);
    return 1;
  };
  const turn = (side: number) => (): void => {
    renderer.getContext().finish();
    sides[side].camera.rotation.y = angle;
  };
  const next = (): void => {
    angle += 0.01;
  };
  const restore = leaveOutGpu(renderer, batch);
  try {
    for (let frame = 0; frame < 3; frame++) for (const side of [0, 1]) draw(side)();
    return takeTurns(rounds, [draw(0), turn(0)], [draw(1), turn(1)], next);
  } finally {
    restore();
    for (const { index } of sides) index.dispose();
  }
}
