import type { Object3D, Raycaster } from 'three';
import { grow } from '../core/arrays.js';
import { RayCandidates } from '../scene/ask/RayCandidates.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { hasStockRaycast } from '../three/kinds.js';

/** Number of objects cast at before a ray queries the index: fewer casts cost less than a query. */
const ALONE = 48;

/** Tells whether a ray may hit an object or a descendant. One query a ray marks found objects and their ancestors. */
export class RayMarks {
  readonly #follower: SceneFollower;
  readonly #entries: Entries;
  readonly #candidates: RayCandidates;
  /** For each handle, the number of the last ray that may hit the object or a descendant. */
  #marks = new Int32Array(64);
  #ray = 0;
  #asked = 0;
  #isMarked = false;
  /** Keys of this ray and the one before: versions, near, far, thresholds, displaced sprites, origin, direction. */
  readonly #keys = [new Float64Array(14), new Float64Array(14).fill(Number.NaN)];

  constructor({ follower, entries }: SceneParts) {
    this.#follower = follower;
    this.#entries = entries;
    this.#candidates = new RayCandidates(follower.traits, entries);
  }

  /** Call it before objects are cast at, and again once any code but the library's has run. */
  beginCasts(raycaster: Raycaster): void {
    if (!this.#takeRay(raycaster)) return;
    this.#ray++;
    this.#asked = 0;
    this.#isMarked = false;
  }

  /** Counts a cast at an object; false when the ray hits neither the object nor a descendant (of the followed ones). */
  takeCast(object: Object3D, raycaster: Raycaster): boolean {
    if (!this.#isMarked && this.#asked < ALONE) {
      this.#asked++;
      return true;
    }
    this.mark(raycaster);
    const record = this.#follower.hierarchy.records.get(object);
    if (record === undefined || this.#marks[record.handle] === this.#ray) return true;
    // A LOD stands for its parts. A `raycast` replaced since the last update may hit anywhere.
    return record.isPart || !hasStockRaycast(object);
  }

  /** Marks what the ray may hit, by a query. Call it before many casts: otherwise the first ones go without a query. */
  mark(raycaster: Raycaster): void {
    if (this.#isMarked) return;
    const { last } = this.#follower.hierarchy.records;
    if (this.#marks.length <= last) this.#marks = grow(this.#marks, last + 1);
    this.#candidates.each(raycaster, this.#markUpwards);
    this.#isMarked = true;
  }

  readonly #markUpwards = (record: ObjectRecord): void => {
    const marks = this.#marks;
    for (let r: ObjectRecord | null = record; r !== null && marks[r.handle] !== this.#ray; r = r.parent) {
      marks[r.handle] = this.#ray;
    }
  };

  /** True when the marks do not hold for this ray, or the index has changed; remembers the ray for new marks. */
  #takeRay(raycaster: Raycaster): boolean {
    const { ray, near, far, params } = raycaster;
    const [now, known] = this.#keys;
    now[0] = this.#entries.version;
    now[1] = this.#follower.traits.finds;
    now[2] = near;
    now[3] = far;
    now[4] = params.Line?.threshold ?? 0;
    now[5] = params.Points?.threshold ?? 0;
    now[6] = Number(this.#candidates.hasDisplacedSprites(raycaster));
    now[7] = this.#follower.hierarchy.records.renumberings;
    ray.origin.toArray(now as never, 8);
    ray.direction.toArray(now as never, 11);
    let isSame = true;
    for (let i = 0; i < now.length; i++) isSame &&= now[i] === known[i];
    if (!isSame) this.#keys.reverse();
    return !isSame;
  }
}
