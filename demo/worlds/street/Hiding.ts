import { Group, type Object3D, type Scene } from 'three';
import { type AcceleratedScene, accelerate, OcclusionHelper } from '../../../src/index.js';
import { DrawCosts } from '../../measure/DrawCosts.js';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { StreetValues } from '../../state/controls/worldControls.js';
import type { PlayerFrame } from '../contract/World.js';

/** Objects in the frustum, and those of them that are not hidden, as of the last pictures. */
export interface HidingCounts {
  inView: number;
  drawn: number;
}

/** Draws the player's view accelerated, without what lies behind walls, or with it. The picture is the same. */
export class Hiding {
  /** Culling and drawing, without what is hidden (`index`) and with it (`three`): CPU time and draw calls. */
  readonly costs = new DrawCosts();
  readonly counts: HidingCounts = { inView: 0, drawn: 0 };
  /** The depth buffer, over the player's view; and outlines of what hides, for the view from above. */
  readonly over = new Group();
  readonly outlines = new Group();
  readonly #root: Object3D;
  readonly #atRest: readonly Object3D[];
  readonly #values: StreetValues;
  #index: AcceleratedScene | null = null;
  #helper: OcclusionHelper | null = null;
  #isHiding = true;

  /** @param root The world, which the player's view draws, and what of it is at rest. */
  constructor(root: Object3D, atRest: readonly Object3D[], values: StreetValues) {
    this.#root = root;
    this.#atRest = atRest;
    this.#values = values;
  }

  /** @returns draw calls. */
  draw({ scene, camera, result }: PlayerFrame, draw: () => number): number {
    const { occlusion, buffer } = this.#values;
    const { counts } = this;
    const index = this.#indexOf(scene);
    this.#helper ??= this.#makeHelper(index, camera);
    const helper = this.#helper;
    helper.depths.updateMatrixWorld();
    this.over.visible = this.outlines.visible = occlusion && buffer;
    counts.inView = result.visible.length;
    if (occlusion !== this.#isHiding) index.occlude(this.#root, occlusion);
    this.#isHiding = occlusion;
    const calls = this.costs.measure(occlusion ? 'index' : 'three', () => {
      index.update();
      return draw();
    });
    if (occlusion) {
      helper.update();
      counts.drawn = counts.inView - helper.hidden.length;
    }
    if (occlusion) this.#listHidden(helper.hidden, result);
    else result.hidden.length = 0;
    return calls;
  }

  dispose(): void {
    this.#helper?.dispose();
    this.#index?.dispose();
  }

  #indexOf(scene: Scene): AcceleratedScene {
    if (this.#index === null) {
      this.#index = accelerate(scene, { occlusion: true });
      for (const object of this.#atRest) this.#index.setStatic(object);
    }
    return this.#index;
  }

  #makeHelper(index: AcceleratedScene, camera: PlayerFrame['camera']): OcclusionHelper {
    const helper = new OcclusionHelper(index, camera, { corner: 'bottomRight', size: 0.36 });
    this.over.add(helper.depths);
    this.outlines.add(helper.occluders);
    return helper;
  }

  /** Lists what is in the frustum, and was not drawn. */
  #listHidden(hidden: readonly Object3D[], result: FrameResult): void {
    const left = new Set(hidden);
    result.hidden.length = 0;
    for (const list of [result.inside, result.intersecting]) {
      for (const object of list) if (left.has(object)) result.hidden.push(object);
    }
    let n = 0;
    for (const object of result.visible) if (!left.has(object)) result.visible[n++] = object;
    result.visible.length = n;
  }
}
