import type { Object3D } from 'three';
import { Cloak } from './Cloak.js';

/** The cloaks of all objects that were ever handed to a renderer while they had children. */
export class Cloaks {
  readonly #cloaks = new Map<Object3D, Cloak>();
  /** The one whose object's layers were tested last. */
  #tested: Cloak | null = null;

  /** Puts the cloak of an object on, for one reading of its children. */
  don(object: Object3D): Cloak {
    let cloak = this.#cloaks.get(object);
    if (cloak === undefined) {
      cloak = new Cloak(object, (tested) => {
        this.#tested = tested;
      });
      this.#cloaks.set(object, cloak);
    }
    cloak.don();
    return cloak;
  }

  /** A new pass begins: if one before it was broken off between a test of layers and what follows, it does not follow. */
  interrupt(): void {
    this.#tested?.interrupt();
    this.#tested = null;
  }

  /** Takes the cloak off an object for good. */
  forget(object: Object3D): void {
    this.#cloaks.get(object)?.dispose();
    this.#cloaks.delete(object);
  }

  dispose(): void {
    for (const cloak of this.#cloaks.values()) cloak.dispose();
    this.#cloaks.clear();
  }
}
