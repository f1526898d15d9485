import type { Intersection, Object3D, Raycaster } from 'three';
import type { Entries } from '../entries/Entries.js';
import type { Traits } from '../follow/Traits.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { filteredRaycasts } from '../objects/raycastOf.js';
import { showOwn } from '../objects/replaceMethod.js';
import { RayCandidates } from '../picking/RayCandidates.js';

/** Objects asked by themselves with one ray before the index is asked for all. */
const ALONE = 8;
/** So many numbers in a row have their stamps on one page. */
const PAGE_BITS = 8;
const PAGE = 2 ** PAGE_BITS;

/** Stamps of objects that the ray cannot hit: one without children, and one that has some. */
const CHILDLESS = 0;
const PARENT = 1;
const LAST_RAY = 2 ** 30;

/** Stamps of numbers in a row. There are pages for numbers in use only: those of a scene may be far from 0. */
class Page {
  /** Twice the number of the last ray that may hit the object, and one more when it has, or had, children. */
  readonly stamps: Int32Array = new Int32Array(PAGE);
  /** Whose stamp it is. */
  readonly owners: (Object3D | null)[] = new Array(PAGE).fill(null);
  used = 0;
}

const NO_PAGE = new Page();

/** Who stamps what lies below each accelerated root, and who each method is of. */
const byRoot = new WeakMap<Object3D, RaycastFilter>();
const byMethod = new WeakMap<object, RaycastFilter>();
/** How many there are, disposed ones aside. */
let alive = 0;

/**
 * Makes `raycaster.intersectObjects(scene.children)`, which walks past the root, cheap: every entry gets a `raycast` of
 * its own, which asks the index once for each ray and stamps what the ray can hit. Objects without the stamp answer at
 * once, the others as ever. The first few objects asked with a ray answer by themselves: a query of the index would cost
 * more than they do.
 *
 * Of a hundred thousand objects each one's memory is what costs, so nothing of an object is read but its `id`; and one
 * without children says `false`, so that three does not read them either. Objects of another copy of three may have the
 * same `id`: it belongs to the one that came first, and the others answer by themselves, as does whatever got the method
 * from elsewhere.
 *
 * Below several accelerated roots the stamps are those of the nearest: its index is never behind those of the roots above
 * it, which have it updated, but they may be behind it.
 */
export class RaycastFilter {
  readonly #root: Object3D;
  readonly #entries: Entries;
  readonly #candidates: RayCandidates;
  readonly #raycast: (this: Object3D, raycaster: Raycaster, hits: Intersection[]) => unknown;
  /** By the `id` that three gave an object, less its last bits. */
  readonly #pages = new Map<number, Page>();
  /** The page that was looked at last: objects are asked in the order of a list, whose numbers often follow each other. */
  #page = NO_PAGE;
  #key = -1;
  #ray = 2;
  #asked = 0;
  /** What the present stamps are for: version of the index, near, far, origin, direction, thresholds, stray sprites. */
  readonly #known = new Float64Array(12);

  constructor(root: Object3D, entries: Entries, traits: Traits) {
    this.#root = root;
    this.#entries = entries;
    this.#candidates = new RayCandidates(traits, entries);
    const stampOf = (object: Object3D, raycaster: Raycaster): number => this.#stampOf(object, raycaster);
    this.#raycast = function (raycaster, hits) {
      const stamp = stampOf(this, raycaster);
      if (stamp === CHILDLESS) return false;
      return stamp === PARENT ? undefined : Object.getPrototypeOf(this).raycast.call(this, raycaster, hits);
    };
    filteredRaycasts.set(this.#raycast, null);
    byMethod.set(this.#raycast, this);
    byRoot.set(root, this);
    alive++;
  }

  /** Call it when no object has its method any more. */
  dispose(): void {
    byRoot.delete(this.#root);
    this.#pages.clear();
    this.#page = NO_PAGE;
    this.#key = -1;
    alive--;
  }

  /** Gives an entry its method, if it has none of its own; one that was sealed answers by itself. */
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

  /** An object got a child, whatever that is. */
  noteChild(object: Object3D): void {
    const place = object.id & (PAGE - 1);
    const { owners, stamps } = this.#pageOf(object.id);
    if (owners[place] === object) stamps[place] |= PARENT;
  }

  /** Takes the method off an object. */
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

  /** What may be hit has a stamp that is neither of two. */
  #stampOf(object: Object3D, raycaster: Raycaster): number {
    const { id } = object;
    const place = id & (PAGE - 1);
    const { owners, stamps } = this.#pageOf(id);
    if (owners[place] !== object) return this.#ray;
    if (this.#isNew(raycaster)) {
      this.#ray += 2;
      this.#asked = 0;
      if (this.#ray === LAST_RAY) this.#beginAgain();
    }
    if (this.#asked <= ALONE) {
      if (++this.#asked <= ALONE) return this.#ray;
      this.#candidates.each(raycaster, this.#stamp);
    }
    const stamp = stamps[place];
    return stamp >= this.#ray ? stamp : stamp & PARENT;
  }

  /** Rays are counted as long as their numbers fit. */
  #beginAgain(): void {
    this.#ray = 2;
    for (const { stamps } of this.#pages.values()) for (let i = 0; i < PAGE; i++) stamps[i] &= PARENT;
  }

  readonly #stamp = ({ object }: ObjectRecord): void => {
    const place = object.id & (PAGE - 1);
    const { owners, stamps } = this.#pageOf(object.id);
    if (owners[place] === object) stamps[place] = this.#ray | (stamps[place] & PARENT);
  };

  /** True when the ray, or the index, is not what the stamps are for; notes what they will be for. */
  #isNew(raycaster: Raycaster): boolean {
    const { ray, near, far, params } = raycaster;
    const known = this.#known;
    const line = params.Line?.threshold ?? 0;
    const points = params.Points?.threshold ?? 0;
    const strays = this.#candidates.hasStraySprites(raycaster) ? 1 : 0;
    const { origin: o, direction: d } = ray;
    const { version } = this.#entries;
    // biome-ignore format: one line for each thing
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
