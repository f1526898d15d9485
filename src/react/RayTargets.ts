import { type Intersection, Object3D, type Raycaster } from 'three';
import { RayCandidates } from '../scene/ask/RayCandidates.js';
import type { Flags, ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';

/** Which objects of an index a ray may hit, for callers that cast at objects one by one. */
export class RayTargets {
  readonly #parts: SceneParts;
  readonly #candidates: RayCandidates;

  constructor(index: SceneIndex) {
    this.#parts = partsOf(index, 'RayTargets');
    this.#candidates = new RayCandidates(this.#parts.follower.traits, this.#parts.entries);
  }

  /** Grows whenever an object is followed no longer; a number that has not changed means that all still are. */
  get departures(): number {
    return this.#parts.follower.departures;
  }

  /** True for an object that is followed, so that {@link each} names it where a ray may hit it. */
  has(object: Object3D): boolean {
    return this.#parts.follower.hierarchy.records.has(object);
  }

  /**
   * Calls `visit` for every followed object whose own `raycast` may find a hit, and for the topmost of those below the
   * root that are not followed; in no order, and for some of them twice.
   */
  each(raycaster: Raycaster, visit: (object: Object3D) => void): void {
    const { follower } = this.#parts;
    follower.processEarly();
    this.#candidates.each(raycaster, ({ object }: ObjectRecord) => {
      // The entry of a LOD stands for everything in it.
      if ((object as Flags).isLOD) object.traverse(visit);
      else visit(object);
    });
    for (const object of follower.hierarchy.excluded) visit(object);
  }

  /**
   * True for an object that is never hit itself, with so much below it that the index finds what is hit sooner than a walk
   * does.
   */
  isCrowd(object: Object3D): boolean {
    const { records, excluded } = this.#parts.follower.hierarchy;
    const record = records.get(object);
    if (record === undefined || record.aggregate !== null || object === this.#parts.follower.hierarchy.root)
      return false;
    return excluded.size === 0 && object.raycast === Object3D.prototype.raycast && hasMany(object);
  }

  /** Adds all hits below an object, in an order that three sorts into its own. */
  castBelow(object: Object3D, raycaster: Raycaster, hits: Intersection[]): void {
    const { follower, picker } = this.#parts;
    follower.processEarly();
    picker.below(object, raycaster, hits);
  }
}

/** True when more objects than this are below one. */
const FEW = 64;

function hasMany(top: Object3D): boolean {
  const pending = [top];
  let count = 0;
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    count += object.children.length;
    if (count > FEW) return true;
    for (const child of object.children) pending.push(child);
  }
  return false;
}
