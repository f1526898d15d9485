import { Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { updateOf } from './replacedUpdates.js';

/** A pass of matrix updates over single objects: does for each what `root.updateMatrixWorld()` would do for it. */
export class MatrixPass {
  readonly #root: Object3D;
  #number = 0;

  constructor(root: Object3D) {
    this.#root = root;
  }

  /** Number of the present pass. */
  get number(): number {
    return this.#number;
  }

  begin(): void {
    this.#number++;
  }

  /** What `Object3D.updateMatrixWorld` does for the object alone. */
  update(record: ObjectRecord, force: boolean): void {
    const { object, parent } = record;
    // Read first, as a getter that throws must leave the object as it is.
    const above = object.parent;
    const update = this.#updateOf(object);
    const isOwn = update !== Object3D.prototype.updateMatrixWorld;
    const isManaged = parent !== null && isManagedBy(parent);
    record.managed = isOwn || isManaged;
    if (isManaged) return;
    // Nothing reports movement above an object that was added from elsewhere, so assume it happened.
    const isForced = force || (parent === null ? object !== this.#root : this.#forces(parent));
    if (isOwn) {
      update.call(object, isForced);
      return;
    }
    if (object.matrixAutoUpdate) object.updateMatrix();
    if (!object.matrixWorldNeedsUpdate && !isForced) return;
    if (object.matrixWorldAutoUpdate) {
      if (above === null) object.matrixWorld.copy(object.matrix);
      else object.matrixWorld.multiplyMatrices(above.matrixWorld, object.matrix);
    }
    object.matrixWorldNeedsUpdate = false;
    record.forcedIn = this.#number;
  }

  /** True when an object may get other matrices if other objects, that are not above it, are updated after it. */
  dependsOnOrder(object: Object3D & { isCamera?: boolean; isSkinnedMesh?: boolean }): boolean {
    // Its matrix may be another object's.
    if (!object.matrixAutoUpdate) return true;
    if (this.#updateOf(object) === Object3D.prototype.updateMatrixWorld) return false;
    const isPlain = (object.isCamera || object.isSkinnedMesh) && !Object.hasOwn(object, 'updateMatrixWorld');
    return !isPlain;
  }

  /** True when three makes the world matrices of an object's children anew in this pass, whatever their flags. */
  #forces(record: ObjectRecord): boolean {
    for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
      if (r.object.matrixAutoUpdate || r.forcedIn === this.#number) return true;
      // An object that may move was updated itself in this pass.
      if (r.slot >= 0) return false;
    }
    return false;
  }

  /**
   * The method by which three updates an object and all below it; only the root's may have been replaced by one of
   * ours.
   */
  #updateOf(object: Object3D): Object3D['updateMatrixWorld'] {
    return object === this.#root ? updateOf(object) : object.updateMatrixWorld;
  }
}

/**
 * True when an object, or one above it, updates all below it by a method of its own. An object at rest does nothing.
 */
function isManagedBy(record: ObjectRecord): boolean {
  if (!record.managed) return false;
  let manager = record;
  while (manager.parent?.managed) manager = manager.parent;
  return manager.slot >= 0;
}
