import type { Object3D } from 'three';
import { filteredRaycasts } from './raycastOf.js';

/** The classes of objects with a `raycast` of ours, which hides a change of the method of their class. */
export class RaycastClasses {
  readonly #methods = new Map<Object3D, unknown>();

  /** Takes note of the class of an object. */
  note(object: Object3D): void {
    if (!filteredRaycasts.has(object.raycast)) return;
    const kind = Object.getPrototypeOf(object);
    if (!this.#methods.has(kind)) this.#methods.set(kind, kind.raycast);
  }

  /** True when a class got another `raycast` since the last look. */
  look(): boolean {
    let isNew = false;
    for (const [kind, method] of this.#methods) {
      if (kind.raycast === method) continue;
      this.#methods.set(kind, kind.raycast);
      isNew = true;
    }
    return isNew;
  }

  clear(): void {
    this.#methods.clear();
  }
}
