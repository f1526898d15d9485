import type { Intersection, Layers, Object3D, Raycaster } from 'three';
import { filteredRaycasts } from '../objects/raycastOf.js';
import { replaceMethod } from '../objects/replaceMethod.js';

/**
 * Tells passes of renderers and raycasters, which go on to an object's children, from others who test its layers.
 *
 * A renderer asks whether the object is visible, tests its layers, and reads its children. A raycaster tests them, has the
 * object cast where they meet, and reads the children; if it was asked for the object alone, it sorts what it hit instead.
 * So a test that comes with neither begins no pass, unless the layers do not meet: then a raycaster does nothing else.
 */
export class PassDetector {
  /** The one who was let in and has not read on. Who does so reads at once, so there is but one. */
  static #entered: PassDetector | null = null;

  readonly #root: Object3D;
  readonly #ended: () => void;
  readonly #putRaycastBack: () => void;
  #visible: boolean;
  #isAsked = false;
  /** The layers that those of the root were tested against last. */
  #tested: Layers | null = null;
  #isRenderer = false;
  /** What a raycaster has hit, which tells when it is done. */
  #hits: Intersection[] | null = null;
  #isEnding = false;

  /** @param ended Called behind every task in which somebody came. */
  constructor(root: Object3D, ended: () => void) {
    this.#root = root;
    this.#ended = ended;
    this.#visible = root.visible;
    // One of ours is no more needed here.
    const isOwn = Object.hasOwn(root, 'raycast') && filteredRaycasts.get(root.raycast) !== null;
    const own = isOwn ? root.raycast : null;
    const cast = (raycaster: Raycaster, hits: Intersection[]): void => this.#cast(raycaster, hits);
    const method: Object3D['raycast'] = function (this: Object3D, raycaster, hits) {
      const result: unknown = (own ?? Object.getPrototypeOf(this).raycast).call(this, raycaster, hits);
      if (result !== false) cast(raycaster, hits);
      return result;
    };
    filteredRaycasts.set(method, own);
    // A stamp is not to come back with the root's own method.
    if (own === null) Reflect.deleteProperty(root, 'raycast');
    this.#putRaycastBack = replaceMethod(root, 'raycast', method);
    try {
      Object.defineProperty(root, 'visible', {
        configurable: true,
        enumerable: true,
        get: () => {
          this.#isAsked = true;
          this.#end();
          return this.#visible;
        },
        set: (visible: boolean) => {
          this.#visible = visible;
        },
      });
    } catch (error) {
      this.#putRaycastBack();
      throw error;
    }
  }

  /** Puts the root back to what it was. */
  dispose(): void {
    this.#forget();
    const plain = { configurable: true, enumerable: true, writable: true, value: this.#visible };
    Object.defineProperty(this.#root, 'visible', plain);
    this.#putRaycastBack();
  }

  /** The layers of the root were tested. */
  tested(layers: Layers, isMet: boolean): void {
    const isAsked = this.#isAsked;
    this.#forget();
    this.#tested = layers;
    this.#isRenderer = isAsked;
    if (isAsked || !isMet) this.#enter();
    this.#end();
  }

  /** True when the pass that reads the children next is a renderer's. */
  get isRenderer(): boolean {
    return this.#isRenderer;
  }

  /** The layers of the pass that reads the children of the root; null when it is somebody else who does. */
  take(): Layers | null {
    const layers = PassDetector.#entered === this ? this.#tested : null;
    this.#forget();
    return layers;
  }

  #cast(raycaster: Raycaster, hits: Intersection[]): void {
    if (this.#tested !== raycaster.layers) return;
    this.#enter();
    if (!Object.isExtensible(hits) || Object.hasOwn(hits, 'sort')) return;
    this.#hits = hits;
    const sort: typeof hits.sort = (...given) => {
      this.#forget();
      return hits.sort(...given);
    };
    Object.defineProperty(hits, 'sort', { configurable: true, value: sort });
  }

  #enter(): void {
    const before = PassDetector.#entered;
    if (before !== null && before !== this) before.#forget();
    PassDetector.#entered = this;
  }

  #forget(): void {
    if (PassDetector.#entered === this) PassDetector.#entered = null;
    this.#isAsked = false;
    this.#tested = null;
    if (this.#hits !== null) Reflect.deleteProperty(this.#hits, 'sort');
    this.#hits = null;
  }

  /** Whoever comes reads on in the same task. */
  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    queueMicrotask(() => {
      this.#isEnding = false;
      this.#forget();
      this.#ended();
    });
  }
}
