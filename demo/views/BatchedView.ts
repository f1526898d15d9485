import type { Object3D, PerspectiveCamera, Scene } from 'three';
import { type AcceleratedScene, accelerate } from '../../src/index.js';
import type { FrameResult } from '../measure/FrameResult.js';
import type { Drawing } from './drawings/Drawing.js';
import { PlayerView } from './PlayerView.js';
import type { Palette } from './stage/palette.js';

/** The player's view of a world whose meshes are drawn in batches: the renderer is given all of it, and draws what is seen. */
export class BatchedView {
  readonly #view = new PlayerView();
  #index: AcceleratedScene | null = null;

  get index(): AcceleratedScene | null {
    return this.#index;
  }

  get scene(): Scene {
    return this.#view.scene;
  }

  /** @param resting Subtrees at rest. */
  open(root: Object3D, resting: readonly Object3D[]): void {
    this.#view.use(whole(root));
    this.scene.add(root);
    this.#index = accelerate(this.scene, { batch: true });
    for (const object of resting) this.#index.setStatic(object);
  }

  close(): void {
    this.#index?.dispose();
    this.#index = null;
  }

  paint(palette: Palette, far: number): void {
    this.#view.paint(palette, far);
  }

  /** To be called before a frame is drawn for the player's camera. */
  show(result: FrameResult, camera: PerspectiveCamera): void {
    this.#view.camera.position.copy(camera.position);
    this.#view.show(result);
    this.#index?.update();
  }
}

/** Draws all of an object. */
function whole(object: Object3D): Drawing {
  return { object, show() {}, paint() {}, dispose() {} };
}
