import type { Object3D, Raycaster } from 'three';
import { RayCandidates } from '../scene/ask/RayCandidates.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { SceneFollower } from '../scene/follow/SceneFollower.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { hasStockRaycast } from '../three/kinds.js';

/** This many objects cast at before a ray queries the index: so few casts cost less than a query. */
const ALONE = 48;
/** Low bits of an object's `id`: its place on a page. */
const PAGE_BITS = 8;
const PAGE = 2 ** PAGE_BITS;

/** Marks of 256 consecutive ids. Only used ids have pages, as those of a scene may be far from 0. */
class Page {
  /** The object of each mark: one of another copy of three may have the same id. */
  readonly owners: (Object3D | null)[] = new Array(PAGE).fill(null);
  /** The number of the last ray that may hit the object, or something below it. */
  readonly rays: Uint32Array = new Uint32Array(PAGE);
  used = 0;
}

const NO_PAGE = new Page();

/**
 * Tells of one object after another whether a ray may hit it or something below it. The index is asked once for each ray;
 * what it names is marked, with all above that.
 *
 * In a long list cache misses dominate. So the marks are kept by the ids of objects, of which nothing else is read but their
 * class: a look into a map would miss several times for each.
 */
export class RayMarks {
  readonly #follower: SceneFollower;
  readonly #entries: Entries;
  readonly #candidates: RayCandidates;
  /** By the upper bits of the ids; objects get there when a cast at them first asks. */
  readonly #pages = new Map<number, Page>();
  /** The last page used: objects in a list often have consecutive ids. */
  #page = NO_PAGE;
  #key = -1;
  /** Number of the ray. A mark of long ago with the same number does no harm: three casts at one object more. */
  #ray = 1;
  #asked = 0;
  #isMarked = false;
  /** What the present ray is: versions, near, far, thresholds, displaced sprites, origin and direction; and the last. */
  readonly #keys = [new Float64Array(13), new Float64Array(13).fill(Number.NaN)];

  constructor({ follower, entries }: SceneParts) {
    this.#follower = follower;
    this.#entries = entries;
    this.#candidates = new RayCandidates(follower.traits, entries);
  }

  /** To be called before objects are asked about, and again once any code but ours has run. */
  begin(raycaster: Raycaster): void {
    if (!this.#takeRay(raycaster)) return;
    this.#ray = (this.#ray + 1) >>> 0;
    this.#asked = 0;
    this.#isMarked = false;
  }

  /** Takes account of a cast at an object; false when the ray hits neither it, if it is followed, nor anything followed below it. */
  takeCast(object: Object3D, raycaster: Raycaster): boolean {
    if (this.#asked < ALONE) {
      this.#asked++;
      return true;
    }
    if (!this.#isMarked) {
      this.#candidates.each(raycaster, this.#mark);
      this.#isMarked = true;
    }
    const place = object.id & (PAGE - 1);
    const page = this.#pageOf(object.id);
    if (page.owners[place] !== object) return !this.#own(object) || this.takeCast(object, raycaster);
    // A method that was put there since the last update may hit anywhere.
    return page.rays[place] === this.#ray || !hasStockRaycast(object);
  }

  forget(object: Object3D): void {
    const page = this.#pageOf(object.id);
    const place = object.id & (PAGE - 1);
    if (page.owners[place] !== object) return;
    page.owners[place] = null;
    page.rays[place] = 0;
    if (--page.used > 0) return;
    this.#pages.delete(this.#key);
    this.#page = NO_PAGE;
  }

  readonly #mark = (record: ObjectRecord): void => {
    for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
      if (!this.#own(r.object)) continue;
      const place = r.object.id & (PAGE - 1);
      if (this.#page.rays[place] === this.#ray) return;
      this.#page.rays[place] = this.#ray;
    }
  };

  /** Turns to the page of an object, which has a place there from now on; false if that is another's, or it is not to have one. */
  #own(object: Object3D): boolean {
    const place = object.id & (PAGE - 1);
    const { owners } = this.#pageOf(object.id);
    if (owners[place] !== null) return owners[place] === object;
    const record = this.#follower.hierarchy.records.get(object);
    // A LOD stands for what is in it.
    if (record === undefined || record.isPart) return false;
    if (this.#page === NO_PAGE) {
      this.#page = new Page();
      this.#pages.set(this.#key, this.#page);
    }
    this.#page.owners[place] = object;
    this.#page.used++;
    return true;
  }

  #pageOf(id: number): Page {
    const key = id >>> PAGE_BITS;
    if (key !== this.#key) {
      this.#key = key;
      this.#page = this.#pages.get(key) ?? NO_PAGE;
    }
    return this.#page;
  }

  /** True when the marks do not hold for this ray, or the index has changed; remembers what they will hold for. */
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
    ray.origin.toArray(now as never, 7);
    ray.direction.toArray(now as never, 10);
    let isSame = true;
    for (let i = 0; i < now.length; i++) isSame &&= now[i] === known[i];
    if (!isSame) this.#keys.reverse();
    return !isSame;
  }
}
