import type { Object3D } from 'three';
import { forwardingArray } from './forwardingArray.js';
import { Interception, type Interceptor } from './ObjectHooks.js';

/**
 * Hides the children of one object from a renderer that was handed them in a list of their own.
 *
 * A renderer tests the layers of an object and then reads its children, with nothing of anyone's in between but, in a
 * shadow pass, its `onBeforeShadow`. So the first reading after a test of the layers gets none, as often as the object
 * was handed out; every other reading gets what is there.
 */
export class Cloak implements Interceptor {
  readonly #interception: Interception;
  readonly #told: (cloak: Cloak) => void;
  readonly #none: Object3D[] = forwardingArray([], () => this.#interception.children);
  #wanted = 0;
  #tested = false;

  /** @param told Called when the layers of a donned object were tested. */
  constructor(object: Object3D, told: (cloak: Cloak) => void) {
    this.#told = told;
    this.#interception = Interception.add(object, this);
  }

  /** The object is in a list that a renderer is about to walk. */
  don(): void {
    this.#interception.renew();
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
    this.#interception.remove(this);
  }

  tested(): void {
    if (this.#wanted === 0) return;
    this.#tested = true;
    this.#told(this);
  }

  read(): Object3D[] | null {
    if (!this.#tested) return null;
    this.#tested = false;
    this.#wanted--;
    return this.#none;
  }
}
