import type { Object3D } from 'three';

const NONE: Object3D[] = [];

/**
 * Hides the children of one object from a renderer that was handed them in a list of their own.
 *
 * A renderer tests the layers of an object and then reads its children, with nothing of anyone's in between but, in a
 * shadow pass, its `onBeforeShadow`. So the first reading after a test of the layers gets none, as often as the object
 * was handed out; every other reading gets what is there.
 */
export class Cloak {
  readonly #object: Object3D;
  #children: Object3D[];
  #wanted = 0;
  #tested = false;

  /** @param tested Called when the layers of a donned object were tested. */
  constructor(object: Object3D, tested: (cloak: Cloak) => void) {
    this.#object = object;
    this.#children = object.children;
    const { layers } = object;
    Object.defineProperty(layers, 'test', {
      configurable: true,
      value: (other: Object3D['layers']) => {
        if (this.#wanted > 0) {
          this.#tested = true;
          tested(this);
        }
        return (layers.mask & other.mask) !== 0;
      },
    });
    Object.defineProperty(object, 'children', {
      configurable: true,
      enumerable: true,
      get: () => this.#read(),
      set: (children: Object3D[]) => {
        this.#children = children;
      },
    });
  }

  /** The object is in a list that a renderer is about to walk. */
  don(): void {
    this.#wanted++;
  }

  /** Whoever tested the layers did not read on: the next reading is somebody else's. */
  interrupt(): void {
    this.#tested = false;
  }

  /** The list was walked to its end, or forgotten. */
  doff(): void {
    this.#wanted = 0;
    this.#tested = false;
  }

  /** Puts the object back to what it was. */
  dispose(): void {
    delete (this.#object.layers as Partial<Object3D['layers']>).test;
    restoreChildren(this.#object, this.#children);
  }

  #read(): Object3D[] {
    if (!this.#tested) return this.#children;
    this.#tested = false;
    this.#wanted--;
    return NONE;
  }
}

/** Makes `children` a plain property again. */
export function restoreChildren(object: Object3D, children: Object3D[]): void {
  Object.defineProperty(object, 'children', { configurable: true, enumerable: true, writable: true, value: children });
}
