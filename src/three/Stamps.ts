import type { Intersection, Object3D, Raycaster } from 'three';
import { grow } from '../core/grow.js';
import type { Picker } from './Picker.js';
import { stampedMethods } from './raycastOf.js';
import type { Tracked } from './Tracked.js';

/** Objects asked by themselves with one ray before the index is asked for all. */
const ALONE = 8;

/** Stamps of objects that the ray cannot hit: one without children, and one that has some. */
const CHILDLESS = 0;
const PARENT = 1;
const LAST_RAY = 2 ** 30;

/**
 * Makes `raycaster.intersectObjects(scene.children)`, which walks past the root, cheap: every entry gets a `raycast` of
 * its own, which asks the index once for each ray and stamps what the ray can hit. Objects without the stamp answer at
 * once, the others as ever. The first few objects asked with a ray answer by themselves: a query of the index would cost
 * more than they do.
 *
 * Of a hundred thousand objects each one's memory is what costs, so nothing of an object is read but its `id`; and one
 * without children says `false`, so that three does not read them either.
 */
export class Stamps {
  readonly #picker: Picker;
  readonly #raycast: (this: Object3D, raycaster: Raycaster, hits: Intersection[]) => unknown;
  /**
   * By the `id` that three gave an object, twice the number of the last ray that may hit it, and one more when it has, or
   * had, children.
   */
  #stamps = new Int32Array(1024);
  #ray = 2;
  #asked = 0;
  /** What the present stamps are for: version of the index, near, far, origin, direction, thresholds, stray sprites. */
  readonly #known = new Float64Array(12);

  constructor(picker: Picker) {
    this.#picker = picker;
    const stampOf = (id: number, raycaster: Raycaster): number => this.#stampOf(id, raycaster);
    this.#raycast = function (raycaster, hits) {
      const stamp = stampOf(this.id, raycaster);
      if (stamp === CHILDLESS) return false;
      return stamp === PARENT ? undefined : Object.getPrototypeOf(this).raycast.call(this, raycaster, hits);
    };
    stampedMethods.set(this.#raycast, null);
  }

  /** Gives an entry its method, if it has none of its own; one that was sealed answers by itself. */
  put(object: Object3D): void {
    if (Object.hasOwn(object, 'raycast') || !Object.isExtensible(object)) return;
    const { id } = object;
    if (id >= this.#stamps.length) this.#stamps = grow(this.#stamps, id + 1);
    this.#stamps[id] = object.children.length === 0 ? CHILDLESS : PARENT;
    Object.defineProperty(object, 'raycast', { configurable: true, writable: true, value: this.#raycast });
  }

  /** An object got a child, whatever that is. */
  noteChild(object: Object3D): void {
    this.#stamps[object.id] |= PARENT;
  }

  /** Takes the method off an object. */
  remove(object: Object3D): void {
    if (object.raycast === this.#raycast) Reflect.deleteProperty(object, 'raycast');
  }

  /** What may be hit has a stamp that is neither of two. */
  #stampOf(id: number, raycaster: Raycaster): number {
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

  readonly #stamp = ({ object: { id } }: Tracked): void => {
    if (id < this.#stamps.length) this.#stamps[id] = this.#ray | (this.#stamps[id] & PARENT);
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
