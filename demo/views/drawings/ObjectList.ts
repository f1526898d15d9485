import { Object3D } from 'three';
import type { FrameResult } from '../../measure/FrameResult.js';
import type { Drawing } from './Drawing.js';

/**
 * Draws the visible objects themselves, by handing the renderer a list instead of a tree: the objects keep their
 * parents, which the renderer does not ask for.
 */
export class ObjectList implements Drawing {
  readonly object = new Object3D();
  readonly #accepts: ((object: Object3D) => boolean) | null;
  readonly #accepted: Object3D[] = [];

  /** Draws the visible objects that `accepts` returns true for; all without it. */
  constructor(accepts: ((object: Object3D) => boolean) | null = null) {
    this.#accepts = accepts;
    this.object.matrixWorldAutoUpdate = false;
  }

  show({ visible }: FrameResult): void {
    this.object.children = visible;
    if (!this.#accepts) return;
    const accepted = this.#accepted;
    accepted.length = 0;
    for (const object of visible) if (this.#accepts(object)) accepted.push(object);
    this.object.children = accepted;
  }

  paint(): void {}

  dispose(): void {
    this.object.children = [];
  }
}
