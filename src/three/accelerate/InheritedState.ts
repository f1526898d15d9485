import type { Layers, Object3D } from 'three';
import { maskOf } from '../objects/maskOf.js';
import { type Flags, isAggregate, type ObjectRecord } from '../objects/ObjectRecord.js';

/**
 * What a pass of a renderer finds on its way down to an object: whether it gets there at all, and which group's order
 * counts. Answers are kept for the pass, so each object above others is looked at once.
 */
export class InheritedState {
  readonly #root: Object3D;
  readonly #path: ObjectRecord[] = [];
  #pass = 0;
  #mask = 0;
  /** The order of the group nearest above or at the root, as the pass brings it along. */
  rootOrder = 0;

  constructor(root: Object3D) {
    this.#root = root;
  }

  /** Begins a pass for the layers of a camera. */
  begin(layers: Layers): void {
    this.#pass++;
    this.#mask = layers.mask;
    this.rootOrder = 0;
    let object: Object3D | null = this.#root;
    do {
      if ((object as Flags).isGroup && (maskOf(object) & layers.mask) !== 0) {
        this.rootOrder = object.renderOrder;
        return;
      }
      object = object.parent;
      // One that was added below itself has no top.
    } while (object !== null && object !== this.#root);
  }

  /** Looks at the way down to what lies below `record`: see its `isPassable` and `groupOrder`. */
  resolve(record: ObjectRecord): void {
    const path = this.#path;
    let known: ObjectRecord | null = record;
    for (; known !== null && known.passedIn !== this.#pass; known = known.parent) path.push(known);
    // What was added by hand and is not below the root is not drawn with it.
    let isPassable = known === null ? path[path.length - 1].object === this.#root : known.isVisibleInHierarchy;
    let order = known === null ? this.rootOrder : known.groupOrder;
    for (let r = path.pop(); r !== undefined; r = path.pop()) {
      const { object } = r;
      if (object !== this.#root) {
        // All that lies in a unit is met there.
        isPassable &&= object.visible && !isAggregate(object);
        if ((object as Flags).isGroup && (maskOf(object) & this.#mask) !== 0) order = object.renderOrder;
      }
      r.passedIn = this.#pass;
      r.isVisibleInHierarchy = isPassable;
      r.groupOrder = order;
    }
  }
}
