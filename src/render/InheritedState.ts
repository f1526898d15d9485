import type { Layers, Object3D } from 'three';
import { maskOf } from '../scene/objects/maskOf.js';
import { type Flags, isAggregate, type ObjectRecord } from '../scene/objects/ObjectRecord.js';

/**
 * What a pass of a renderer knows of an object by those above it: whether it gets there at all, which group's order
 * counts, and which object above is in the list of the pass, so that the renderer comes by of itself. Each object above
 * others is looked at once in a pass.
 */
export class InheritedState {
  readonly #root: Object3D;
  readonly #path: ObjectRecord[] = [];
  /** Even, so that the mark of an object tells whether it is nominated in a pass, or listed, which is one more. */
  #pass = 0;
  #mask = 0;

  constructor(root: Object3D) {
    this.#root = root;
  }

  /** Begins a pass for the layers of a camera. */
  begin(layers: Layers): void {
    this.#pass += 2;
    this.#mask = layers.mask;
  }

  /** Marks an object that is to be listed if the pass gets to it. All are nominated before anything is resolved. */
  nominate(record: ObjectRecord): void {
    if (record.passMark < this.#pass) record.passMark = this.#pass;
  }

  /** True for what is nominated, and not listed yet. */
  isNominated(record: ObjectRecord): boolean {
    return record.passMark === this.#pass;
  }

  /** Marks an object as put into the list; false when it is there already. */
  enlist(record: ObjectRecord): boolean {
    if (this.isListed(record)) return false;
    record.passMark = this.#pass + 1;
    return true;
  }

  /** True for what is in the list. */
  isListed(record: ObjectRecord): boolean {
    return record.passMark === this.#pass + 1;
  }

  /** True when the renderer draws the object itself once it gets there: an aggregate's layers do not hide its parts. */
  isDrawn({ object }: ObjectRecord): boolean {
    return object.visible && (isAggregate(object) || (maskOf(object) & this.#mask) !== 0);
  }

  /** Computes what counts for the children of a record: its `isVisibleInHierarchy`, `groupOrder` and `coveredBy`. */
  resolve(record: ObjectRecord): void {
    const path = this.#path;
    let known: ObjectRecord | null = record;
    for (; known !== null && known.resolvedIn !== this.#pass; known = known.parent) path.push(known);
    // What was added by hand and is not below the root is not drawn with it.
    let isVisible = known === null ? path[path.length - 1].object === this.#root : known.isVisibleInHierarchy;
    let order = known === null ? 0 : known.groupOrder;
    let cover = known === null ? null : known.coveredBy;
    for (let r = path.pop(); r !== undefined; r = path.pop()) {
      const { object } = r;
      if (object !== this.#root) {
        if (cover === null && isVisible && r.passMark >= this.#pass && this.isDrawn(r)) cover = r;
        // All that lies in an aggregate is met there.
        isVisible &&= object.visible && !isAggregate(object);
        if ((object as Flags).isGroup && (maskOf(object) & this.#mask) !== 0) order = object.renderOrder;
      }
      r.resolvedIn = this.#pass;
      r.isVisibleInHierarchy = isVisible;
      r.groupOrder = order;
      r.coveredBy = cover;
    }
  }
}
