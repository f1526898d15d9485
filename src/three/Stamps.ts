import type { Intersection, Object3D, Raycaster } from 'three';
import { grow } from '../core/grow.js';
import type { Picker } from './Picker.js';
import { stampedMethods } from './raycastOf.js';
import type { Tracked } from './Tracked.js';

/** Objects asked by themselves with one ray before the index is asked for all. */
const ALONE = 8;
/** Numbers from here on get no stamp, as they would take too much memory. */
const LARGEST_ID = 2 ** 26;

/** Stamps of objects that the ray cannot hit: one without children, and one that has some. */
const CHILDLESS = 0;
const PARENT = 1;
const LAST_RAY = 2 ** 30;

/** Who stamps what lies below each accelerated root, and who each method is of. */
const byRoot = new WeakMap<Object3D, Stamps>();
const byMethod = new WeakMap<object, Stamps>();
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
export class Stamps {
  readonly #root: Object3D;
  readonly #picker: Picker;
  readonly #raycast: (this: Object3D, raycaster: Raycaster, hits: Intersection[]) => unknown;
  /**
   * By the `id` that three gave an object, twice the number of the last ray that may hit it, and one more when it has, or
   * had, children.
   */
  #stamps = new Int32Array(1024);
  /** By the same, whose stamp it is. */
  readonly #owners: (Object3D | null)[] = [];
  #ray = 2;
  #asked = 0;
  /** What the present stamps are for: version of the index, near, far, origin, direction, thresholds, stray sprites. */
  readonly #known = new Float64Array(12);

  constructor(root: Object3D, picker: Picker) {
    this.#root = root;
    this.#picker = picker;
    const stampOf = (object: Object3D, raycaster: Raycaster): number => this.#stampOf(object, raycaster);
    this.#raycast = function (raycaster, hits) {
      const stamp = stampOf(this, raycaster);
      if (stamp === CHILDLESS) return false;
      return stamp === PARENT ? undefined : Object.getPrototypeOf(this).raycast.call(this, raycaster, hits);
    };
    stampedMethods.set(this.#raycast, null);
    byMethod.set(this.#raycast, this);
    byRoot.set(root, this);
    alive++;
  }

  /** Call it when no object has its method any more. */
  dispose(): void {
    byRoot.delete(this.#root);
    this.#owners.length = 0;
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
    if (!(Number.isInteger(id) && id >= 0 && id < LARGEST_ID)) return;
    const owners = this.#owners;
    // Filled up one by one, so that the array stays dense.
    while (owners.length <= id) owners.push(null);
    if (owners[id] !== null) return;
    owners[id] = object;
    if (id >= this.#stamps.length) this.#stamps = grow(this.#stamps, id + 1);
    this.#stamps[id] = object.children.length === 0 ? CHILDLESS : PARENT;
    Object.defineProperty(object, 'raycast', { configurable: true, writable: true, value: this.#raycast });
  }

  /** An object got a child, whatever that is. */
  noteChild(object: Object3D): void {
    if (this.#owners[object.id] === object) this.#stamps[object.id] |= PARENT;
  }

  /** Takes the method off an object. */
  remove(object: Object3D): void {
    if (this.#owners[object.id] === object) this.#owners[object.id] = null;
    if (object.raycast === this.#raycast) Reflect.deleteProperty(object, 'raycast');
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
    if (this.#owners[id] !== object) return this.#ray;
    if (this.#isNew(raycaster)) {
      this.#ray += 2;
      this.#asked = 0;
      if (this.#ray === LAST_RAY) this.#beginAgain();
    }
    if (this.#asked <= ALONE) {
      if (++this.#asked <= ALONE) return this.#ray;
      this.#picker.eachCandidate(raycaster, this.#stamp);
    }
    const stamp = this.#stamps[id];
    return stamp >= this.#ray ? stamp : stamp & PARENT;
  }

  /** Rays are counted as long as their numbers fit. */
  #beginAgain(): void {
    this.#ray = 2;
    for (let id = 0; id < this.#stamps.length; id++) this.#stamps[id] &= PARENT;
  }

  readonly #stamp = ({ object }: Tracked): void => {
    const { id } = object;
    if (this.#owners[id] === object) this.#stamps[id] = this.#ray | (this.#stamps[id] & PARENT);
  };

  /** True when the ray, or the index, is not what the stamps are for; notes what they will be for. */
  #isNew(raycaster: Raycaster): boolean {
    const { ray, near, far, params } = raycaster;
    const known = this.#known;
    const line = params.Line?.threshold ?? 0;
    const points = params.Points?.threshold ?? 0;
    const strays = this.#picker.hasStraySprites(raycaster) ? 1 : 0;
    const { origin: o, direction: d } = ray;
    const { version } = this.#picker;
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
