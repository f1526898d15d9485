import { Group, type Object3D } from 'three';
import { OcclusionHelper } from '../../../src/index.js';
import type { FrameResult } from '../../measure/FrameResult.js';
import { Turns } from '../../measure/Turns.js';
import type { StreetValues } from '../../state/controls/streetControls.js';
import type { PlayerFrame } from '../contract/World.js';

/** Of so many blocks of frames one is measured, and followed by one in the other way. */
const EVERY = 16;

/** Objects in the frustum, and those of them that are not hidden, as of the last pictures. */
export interface HidingCounts {
  inView: number;
  drawn: number;
}

/**
 * Draws the player's view without what lies behind walls, or with it; and now and then in the other way, so that the costs of
 * both are known. The picture is the same.
 */
export class Hiding {
  /** Culling and drawing, without what is hidden (`index`) and with it (`three`): CPU time and draw calls. */
  readonly turns = new Turns(['index', 'three'], EVERY);
  readonly counts: HidingCounts = { inView: 0, drawn: 0 };
  /** The depth buffer, over the player's view; and outlines of what hides, for the view from above. */
  readonly over = new Group();
  readonly outlines = new Group();
  readonly #values: StreetValues;
  readonly #drawn = new Set<Object3D>();
  #helper: OcclusionHelper | null = null;

  constructor(values: StreetValues) {
    this.#values = values;
  }

  /** Drops what was measured, after a change. */
  reset(): void {
    this.turns.reset();
  }

  /** @returns draw calls in the way that is asked for. */
  draw({ index, camera, renderer, width, height, result }: PlayerFrame, draw: () => number): number {
    const { occlusion, buffer } = this.#values;
    const { counts, turns } = this;
    this.#helper?.picture.updateMatrixWorld();
    counts.inView = result.visible.length;
    let isHiding = false;
    turns.take(occlusion ? 'index' : 'three', (way) => {
      isHiding = way === 'index';
      if (isHiding) index.cull(camera, { occlusion: true, renderer, width, height }, result.visible);
      else index.cull(camera, result.visible);
      if (isHiding) counts.drawn = result.visible.length;
      return draw();
    });
    if (!occlusion) result.hidden.length = 0;
    else if (isHiding) this.#listHidden(result);
    this.over.visible = this.outlines.visible = occlusion && buffer;
    if (this.over.visible && isHiding) this.#show(index, camera);
    return turns.costs[occlusion ? 'index' : 'three'].drawn;
  }

  dispose(): void {
    this.#helper?.dispose();
  }

  /** Lists what is in the frustum, and was not drawn. */
  #listHidden({ visible, inside, intersecting, hidden }: FrameResult): void {
    const drawn = this.#drawn;
    drawn.clear();
    hidden.length = 0;
    for (const object of visible) drawn.add(object);
    for (const list of [inside, intersecting]) for (const object of list) if (!drawn.has(object)) hidden.push(object);
  }

  #show(index: PlayerFrame['index'], camera: PlayerFrame['camera']): void {
    if (!this.#helper) {
      this.#helper = new OcclusionHelper(index, camera, { corner: 'bottomRight', size: 0.36 });
      this.#helper.hidden.visible = false;
      this.over.add(this.#helper.picture);
      this.outlines.add(this.#helper.occluders);
    }
    this.#helper.update();
  }
}
