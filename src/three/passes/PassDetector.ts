import type { Layers, Object3D } from 'three';
import { type ActiveRenders, mayBeginPass } from './ActiveRenders.js';
import { watchLayers } from './watchLayers.js';

/**
 * Finds the passes of renderers over an object: where a pass may begin, it tests the layers of the object and then reads
 * its `children`. Every other reading gives the real children, also in callbacks of the user's within a render.
 */
export class PassDetector {
  readonly #root: Object3D;
  readonly #renders: ActiveRenders;
  #children: Object3D[];
  #layers: Layers;
  #unwatch: () => void;
  /**
   * The layers that those of the root were tested against; null unless the next reading of the children is a pass's.
   */
  #tested: Layers | null = null;

  /**
   * @param meet Called with the layers of a pass; returns the children it is to find, or null for the real ones. It has
   * to notice the end of the pass, until which no other begins in this render.
   * @param undo Collects the steps that restore the object.
   */
  constructor(
    root: Object3D,
    renders: ActiveRenders,
    meet: (layers: Layers) => Object3D[] | null,
    undo: (step: () => void) => void,
  ) {
    this.#root = root;
    this.#renders = renders;
    this.#children = root.children;
    this.#layers = root.layers;
    this.#unwatch = watchLayers(this.#layers, this.#note);
    undo(() => this.#unwatch());
    const get = (): Object3D[] => {
      const layers = this.#tested;
      if (layers === null) return this.#children;
      this.#tested = null;
      const { current } = renders;
      if (current === null) return this.#children;
      current.passes++;
      current.isWalking = true;
      return meet(layers) ?? this.#children;
    };
    const set = (children: Object3D[]): void => {
      this.#children = children;
    };
    Object.defineProperty(root, 'children', { configurable: true, enumerable: true, get, set });
    undo(() => {
      const plain = { configurable: true, enumerable: true, writable: true, value: this.#children };
      Object.defineProperty(root, 'children', plain);
    });
  }

  /** The real children. */
  get children(): Object3D[] {
    return this.#children;
  }

  /** Goes over to the layers that the root has now, if others were put in their place. */
  renew(): void {
    const { layers } = this.#root;
    if (layers === this.#layers) return;
    this.#unwatch();
    this.#layers = layers;
    this.#unwatch = watchLayers(layers, this.#note);
  }

  readonly #note = (layers: Layers): void => {
    const { current } = this.#renders;
    if (current !== null && mayBeginPass(current)) this.#tested = layers;
  };
}
