import type { Layers, Object3D } from 'three';
import { replaceMethod } from '../scene/objects/methods.js';
import { type ActiveRenders, mayBeginPass } from './ActiveRenders.js';

/**
 * Finds the passes of renderers over an object: where a pass may begin, it tests the layers of the object and then reads
 * its `children`. Every other reading gives the real children, also in callbacks of the user's within a render.
 */
export class PassDetector {
  readonly #root: Object3D;
  readonly #renders: ActiveRenders;
  readonly #childrenForPass: (layers: Layers, children: Object3D[]) => Object3D[];
  #children: Object3D[];
  #layers: Layers;
  #unwatch = (): void => {};
  /**
   * The layers that those of the root were tested against; null unless the next reading of the children is a pass's.
   */
  #tested: Layers | null = null;

  /**
   * @param childrenForPass Called with the layers of a pass and the real children; returns those it is to find. It has to
   * notice the end of the pass, until which no other begins in this render.
   */
  constructor(
    root: Object3D,
    renders: ActiveRenders,
    childrenForPass: (layers: Layers, children: Object3D[]) => Object3D[],
  ) {
    this.#root = root;
    this.#renders = renders;
    this.#childrenForPass = childrenForPass;
    this.#children = root.children;
    this.#layers = root.layers;
  }

  /** @param undo Collects the steps that restore the object. */
  install(undo: (step: () => void) => void): void {
    this.#unwatch = watchLayers(this.#layers, this.#note);
    undo(() => this.#unwatch());
    const get = (): Object3D[] => {
      const layers = this.#tested;
      if (layers === null) return this.#children;
      this.#tested = null;
      const { current } = this.#renders;
      if (current === null) return this.#children;
      current.passes++;
      current.isWalking = true;
      return this.#childrenForPass(layers, this.#children);
    };
    const set = (children: Object3D[]): void => {
      this.#children = children;
    };
    Object.defineProperty(this.#root, 'children', { configurable: true, enumerable: true, get, set });
    undo(() => {
      const plain = { configurable: true, enumerable: true, writable: true, value: this.#children };
      Object.defineProperty(this.#root, 'children', plain);
    });
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

type Watcher = (other: Layers) => void;

/** The functions called when layers are tested, and what puts their `test` back. */
interface Watch {
  readonly watchers: Set<Watcher>;
  readonly restore: () => void;
}

const watches = new WeakMap<Layers, Watch>();

/**
 * Has a function called with the other layers whenever layers are tested. Objects may share their layers, so there may
 * be several such functions; with the last of them the layers are as they were.
 * @returns what takes the function away.
 */
function watchLayers(layers: Layers, watcher: Watcher): () => void {
  let watch = watches.get(layers);
  if (watch === undefined) {
    watch = beginWatch(layers);
    watches.set(layers, watch);
  }
  const { watchers, restore } = watch;
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    watches.delete(layers);
    restore();
  };
}

function beginWatch(layers: Layers): Watch {
  const before = layers.test;
  const watchers = new Set<Watcher>();
  const restore = replaceMethod(layers, 'test', (other: Layers): boolean => {
    const isMet = before.call(layers, other);
    for (const watcher of watchers) watcher(other);
    return isMet;
  });
  return { watchers, restore };
}
