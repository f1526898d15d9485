import { Group, type Object3D, type Scene } from 'three';
import { type AcceleratedScene, accelerate, OcclusionHelper } from '../../../src/index.js';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { StreetValues } from '../../state/controls/worldControls.js';
import type { PlayerFrame } from '../contract/World.js';

/** Objects in the frustum, and those of them that are not hidden, as of the last pictures. */
export interface HidingCounts {
  inView: number;
  drawn: number;
}

/** Draws the player's view without what lies behind walls, with it, or by plain three. The picture is the same. */
export class Hiding {
  readonly counts: HidingCounts = { inView: 0, drawn: 0 };
  /** The depth buffer, over the player's view; and outlines of what hides, for the view from above. */
  readonly over = new Group();
  readonly outlines = new Group();
  readonly #root: Object3D;
  readonly #atRest: readonly Object3D[];
  readonly #values: StreetValues;
  index: AcceleratedScene | null = null;
  #helper: OcclusionHelper | null = null;
  #isHiding = true;

  /** @param root The world, which the player's view draws, and what of it is at rest. */
  constructor(root: Object3D, atRest: readonly Object3D[], values: StreetValues) {
    this.#root = root;
    this.#atRest = atRest;
    this.#values = values;
  }

  /** @returns draw calls. */
  draw({ scene, camera, result, mode }: PlayerFrame, draw: (update?: () => void) => number): number {
    const { counts } = this;
    const isHiding = mode === 'occlusion';
    this.over.visible = this.outlines.visible = isHiding && this.#values.buffer;
    counts.inView = counts.drawn = result.visible.length;
    if (mode === 'three') return draw();
    const index = this.#indexOf(scene);
    this.#helper ??= this.#makeHelper(index, camera);
    const helper = this.#helper;
    helper.depths.updateMatrixWorld();
    if (isHiding !== this.#isHiding) index.occlude(this.#root, isHiding);
    this.#isHiding = isHiding;
    const calls = draw(() => index.update());
    result.hidden.length = 0;
    if (!isHiding) return calls;
    helper.update();
    counts.drawn -= helper.hidden.length;
    this.#listHidden(helper.hidden, result);
    return calls;
  }

  dispose(): void {
    this.#helper?.dispose();
    this.index?.dispose();
  }

  #indexOf(scene: Scene): AcceleratedScene {
    if (this.index === null) {
      this.index = accelerate(scene, { occlusion: true });
      for (const object of this.#atRest) this.index.setStatic(object);
    }
    return this.index;
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
    for (const list of [result.inside, result.intersecting]) {
      for (const object of list) if (left.has(object)) result.hidden.push(object);
    }
    let n = 0;
    for (const object of result.visible) if (!left.has(object)) result.visible[n++] = object;
    result.visible.length = n;
  }
}
