import type { Layers, Object3D } from 'three';
import { replaceMethod } from './methods.js';
import type { SceneRenderer } from './renderer.js';

export interface PassingRender {
  readonly renderer: SceneRenderer;
  /** The number of passes over the scene that the render has begun. */
  passes: number;
  /** True until the last pass begun has ended. */
  isWalking: boolean;
}

/**
 * Tells reads of an object's `children` by a pass of a renderer from all other reads. A renderer that begins a pass
 * tests the layers of the object and then reads its `children`; every other read gets the real children, user callbacks
 * within a render included. Without three's order of calls: passes find the real children.
 */
export class PassDetector {
  readonly #root: Object3D;
  #renders: { readonly current: PassingRender | null } | null = null;
  #children: Object3D[] = [];
  #layers: Layers;
  #unwatch = (): void => {};
  #restore = (): void => {};
  /** The layers against which the root's layers were tested; null unless a pass reads the children next. */
  #tested: Layers | null = null;

  constructor(root: Object3D) {
    this.#root = root;
    this.#layers = root.layers;
  }

  /**
   * Makes passes find lists, from now on until {@link remove}.
   * @param listFor Takes the layers of a pass and the real children, and returns the children for the pass. It has to
   * notice the end of the pass: until then no other pass begins in this render.
   */
  install(
    renders: { readonly current: PassingRender | null },
    listFor: (layers: Layers, children: Object3D[]) => Object3D[],
  ): void {
    const root = this.#root;
    this.#renders = renders;
    this.#unwatch = watchLayers(this.#layers, this.#onLayersTested);
    this.#children = root.children;
    const get = (): Object3D[] => {
      const layers = this.#tested;
      if (layers === null) return this.#children;
      this.#tested = null;
      const current = this.#renders?.current;
      if (!current) return this.#children;
      current.passes++;
      current.isWalking = true;
      return listFor(layers, this.#children);
    };
    const set = (children: Object3D[]): void => {
      this.#children = children;
    };
    Object.defineProperty(root, 'children', { configurable: true, enumerable: true, get, set });
    this.#restore = () => {
      const plain = { configurable: true, enumerable: true, writable: true, value: this.#children };
      Object.defineProperty(root, 'children', plain);
    };
  }

  /** Restores the object, also after `install` has thrown. */
  remove(): void {
    this.#unwatch();
    this.#restore();
    this.#renders = this.#tested = null;
    this.#unwatch = this.#restore = (): void => {};
  }

  /** Watches the present layers of the root, if they were replaced. */
  renew(): void {
    const { layers } = this.#root;
    if (layers === this.#layers) return;
    this.#unwatch();
    this.#layers = layers;
    this.#unwatch = watchLayers(layers, this.#onLayersTested);
  }

  readonly #onLayersTested = (layers: Layers): void => {
    const current = this.#renders?.current;
    if (current && mayBeginPass(current)) this.#tested = layers;
  };
}

type Watcher = (other: Layers) => void;

/** By layers, their watchers and the function that restores them. Accelerated scenes may share layers. */
const watches = new WeakMap<Layers, { readonly watchers: Set<Watcher>; readonly restore: () => void }>();

/**
 * Calls a function whenever `layers.test` is called, with the layers given to that call.
 * @returns a function that removes the watcher, and with the last watcher restores the layers.
 */
function watchLayers(layers: Layers, watcher: Watcher): () => void {
  const known = watches.get(layers);
  const watchers = known?.watchers ?? new Set<Watcher>();
  watchers.add(watcher);
  const { test } = layers;
  const testAndTell = (other: Layers): boolean => {
    const isMet = test.call(layers, other);
    for (const tell of watchers) tell(other);
    return isMet;
  };
  const restore = known?.restore ?? replaceMethod(layers, 'test', testAndTell);
  watches.set(layers, { watchers, restore });
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    watches.delete(layers);
    restore();
  };
}

/**
 * True when a traversal of the scene that begins now is a pass of its renderer, not user code.
 *
 * From the scene's callback to the camera's pass, renderers call no user code that could walk the scene.
 * `WebGLRenderer` goes on with the shadow passes: the render target is then the map of the light, with a name as below,
 * and user code runs only within these passes. Sort functions and callbacks of drawn objects come later, when no pass
 * follows. Other renderers draw shadows in renders of their own.
 */
function mayBeginPass({ renderer, passes, isWalking }: PassingRender): boolean {
  if (isWalking || passes === 0) return !isWalking;
  return renderer.getRenderTarget?.()?.depthTexture?.name.includes('.shadowMap') === true;
}
