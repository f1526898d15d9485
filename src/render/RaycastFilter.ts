import type { Intersection, Object3D, Raycaster } from 'three';
import { RayCandidates } from '../scene/ask/RayCandidates.js';
import type { Entries } from '../scene/follow/Entries.js';
import type { Traits } from '../scene/follow/Traits.js';
import { castOf, filteredRaycasts, showOwn } from '../scene/objects/methods.js';
import type { Flags, ObjectRecord } from '../scene/objects/ObjectRecord.js';

/** This many objects cast before a ray queries the index: so few casts cost less than a query. */
const ALONE = 48;
/** Low bits of an object's `id`: its place on a page. */
const PAGE_BITS = 8;
const PAGE = 2 ** PAGE_BITS;

/** Stamps of objects the ray cannot hit, without and with children. */
const CHILDLESS = 0;
const PARENT = 1;
const LAST_RAY = 2 ** 30;

/** Stamps of 256 consecutive ids. Only used ids have pages, as those of a scene may be far from 0. */
class Page {
  /** Twice the number of the last ray that may hit the object, plus one if it has, or had, children. */
  readonly stamps: Int32Array = new Int32Array(PAGE);
  /** The object of each stamp. */
  readonly owners: (Object3D | null)[] = new Array(PAGE).fill(null);
  used = 0;
}

const NO_PAGE = new Page();

/** The filters by scene, and by the method they install. */
const byRoot = new WeakMap<Object3D, RaycastFilter>();
const byMethod = new WeakMap<object, RaycastFilter>();
/** Number of filters not disposed yet. */
let alive = 0;

/**
 * Makes `raycaster.intersectObjects(list)` cheap for any list of objects: every entry gets an own `raycast` that returns
 * at once unless the ray may hit it, and otherwise casts as its class does. The index is asked once per ray, and stamps
 * the objects it finds.
 *
 * With a hundred thousand objects cache misses dominate. So the method reads nothing of an object but its `id`, and
 * returns `false` for one without children, so three does not read those either. Objects from another copy of three may
 * share an `id`: it belongs to the first of them, the others cast as their class does.
 *
 * In nested accelerated scenes an object gets the filter of the nearest: that index is updated with those of the scenes
 * around it, and may be newer.
 */
export class RaycastFilter {
  readonly #root: Object3D;
  readonly #entries: Entries;
  readonly #candidates: RayCandidates;
  readonly #raycast: (this: Object3D, raycaster: Raycaster, hits: Intersection[]) => unknown;
  /** By the upper bits of the ids. */
  readonly #pages = new Map<number, Page>();
  /** The last page used: objects in a list often have consecutive ids. */
  #page = NO_PAGE;
  #key = -1;
  #ray = 2;
  #asked = 0;
  /** What the stamps hold for: version of the index, near, far, origin, direction, thresholds, stray sprites. */
  readonly #known = new Float64Array(12);

  constructor(root: Object3D, entries: Entries, traits: Traits) {
    this.#root = root;
    this.#entries = entries;
    this.#candidates = new RayCandidates(traits, entries);
    const stampOf = (object: Object3D, raycaster: Raycaster): number => this.#stampOf(object, raycaster);
    this.#raycast = function (raycaster, hits) {
      const stamp = stampOf(this, raycaster);
      if (stamp === CHILDLESS) return false;
      if (stamp === PARENT) return undefined;
      const { isInstancedMesh, isBatchedMesh } = this as Flags;
      const inherited = Object.getPrototypeOf(this).raycast;
      // Most have no instances, which may have an index, and inherit from a class: two maps need not be asked.
      const isPlain = !isInstancedMesh && !isBatchedMesh && inherited !== this.raycast;
      return (isPlain ? inherited : castOf(this)).call(this, raycaster, hits);
    };
    filteredRaycasts.set(this.#raycast, null);
    byMethod.set(this.#raycast, this);
    byRoot.set(root, this);
    alive++;
  }

  /** To be called once the method is off all objects. */
  dispose(): void {
    byRoot.delete(this.#root);
    this.#pages.clear();
    this.#page = NO_PAGE;
    this.#key = -1;
    alive--;
  }

  /** Puts the method on an entry that has no own `raycast` and is not sealed. */
  put(object: Object3D): void {
    if (!Object.isExtensible(object) || !this.#isNearest(object)) return;
    if (Object.hasOwn(object, 'raycast')) {
      const other = byMethod.get(object.raycast);
      if (other === undefined || other === this) return;
      other.remove(object);
    }
    const { id } = object;
    let page = this.#pageOf(id);
    if (page.owners[id & (PAGE - 1)] !== null) return;
    if (page === NO_PAGE) {
      page = new Page();
      this.#pages.set(this.#key, page);
      this.#page = page;
    }
    page.used++;
    page.owners[id & (PAGE - 1)] = object;
    page.stamps[id & (PAGE - 1)] = object.children.length === 0 ? CHILDLESS : PARENT;
    Object.defineProperty(object, 'raycast', { configurable: true, writable: true, value: this.#raycast });
  }

  /** Notes that an object got a child, followed or not. */
  noteChild(object: Object3D): void {
    const place = object.id & (PAGE - 1);
    const { owners, stamps } = this.#pageOf(object.id);
    if (owners[place] === object) stamps[place] |= PARENT;
  }

  remove(object: Object3D): void {
    const place = object.id & (PAGE - 1);
    const page = this.#pageOf(object.id);
    if (page.owners[place] !== object) return;
    page.owners[place] = null;
    if (--page.used === 0) {
      this.#pages.delete(this.#key);
      this.#page = NO_PAGE;
    }
    if (object.raycast === this.#raycast) Reflect.deleteProperty(object, 'raycast');
    else showOwn(object, 'raycast');
  }

  #pageOf(id: number): Page {
    const key = id >>> PAGE_BITS;
    if (key !== this.#key) {
      this.#key = key;
      this.#page = this.#pages.get(key) ?? NO_PAGE;
    }
    return this.#page;
  }

  /** True when no other accelerated root lies between an object and this one. */
  #isNearest(object: Object3D): boolean {
    if (alive === 1) return true;
    for (let above: Object3D | null = object; above !== null && above !== this.#root; above = above.parent) {
      if (byRoot.has(above)) return false;
    }
    return true;
  }

  /**
   * The objects of a list that a ray may hit, and those that have others below them if the cast descends. One look at each
   * is a tenth of three's cast at it.
   */
  mayHit(list: readonly Object3D[], raycaster: Raycaster, isDeep: boolean): Object3D[] {
    this.#note(raycaster);
    if (this.#asked <= ALONE) this.#ask(raycaster);
    const below = isDeep ? PARENT : 0;
    return list.filter((object) => {
      // What got a method of its own since the last update is cast at by that.
      if (object?.raycast !== this.#raycast) return true;
      const place = object.id & (PAGE - 1);
      const { owners, stamps } = this.#pageOf(object.id);
      const stamp = stamps[place];
      return owners[place] !== object || stamp >= this.#ray || (stamp & below) !== 0;
    });
  }

  /** CHILDLESS or PARENT for an object the ray cannot hit; a larger number for one it may hit. */
  #stampOf(object: Object3D, raycaster: Raycaster): number {
    const { id } = object;
    const place = id & (PAGE - 1);
    const { owners, stamps } = this.#pageOf(id);
    if (owners[place] !== object) return this.#ray;
    this.#note(raycaster);
    if (this.#asked <= ALONE) {
      if (++this.#asked <= ALONE) return this.#ray;
      this.#ask(raycaster);
    }
    const stamp = stamps[place];
    return stamp >= this.#ray ? stamp : stamp & PARENT;
  }

  /** Begins anew for another ray, or after a change. */
  #note(raycaster: Raycaster): void {
    if (!this.#isNew(raycaster)) return;
    this.#ray += 2;
    this.#asked = 0;
    if (this.#ray === LAST_RAY) this.#beginAgain();
  }

  #ask(raycaster: Raycaster): void {
    this.#asked = ALONE + 1;
    this.#candidates.each(raycaster, this.#stamp);
  }

  /** Starts the numbers of rays over before they overflow a stamp. */
  #beginAgain(): void {
    this.#ray = 2;
    for (const { stamps } of this.#pages.values()) for (let i = 0; i < PAGE; i++) stamps[i] &= PARENT;
  }

  readonly #stamp = ({ object }: ObjectRecord): void => {
    const place = object.id & (PAGE - 1);
    const { owners, stamps } = this.#pageOf(object.id);
    if (owners[place] === object) stamps[place] = this.#ray | (stamps[place] & PARENT);
  };

  /** True when the stamps do not hold for this ray, or the index has changed; remembers what they will hold for. */
  #isNew(raycaster: Raycaster): boolean {
    const { ray, near, far, params } = raycaster;
    const known = this.#known;
    const line = params.Line?.threshold ?? 0;
    const points = params.Points?.threshold ?? 0;
    const strays = this.#candidates.hasDisplacedSprites(raycaster) ? 1 : 0;
    const { origin: o, direction: d } = ray;
    const { version } = this.#entries;
    // biome-ignore format: one line for each group
    if (known[0] === version && known[1] === near && known[2] === far
     && known[3] === o.x && known[4] === o.y && known[5] === o.z
     && known[6] === d.x && known[7] === d.y && known[8] === d.z
     && known[9] === line && known[10] === points && known[11] === strays) return false;
    known[0] = version;
    known[1] = near;
    known[2] = far;
    known[3] = o.x;
    known[4] = o.y;
    known[5] = o.z;
    known[6] = d.x;
    known[7] = d.y;
    known[8] = d.z;
    known[9] = line;
    known[10] = points;
    known[11] = strays;
    return true;
  }
}
