import type { Intersection, Object3D, Raycaster } from 'three';
import { grow } from '../core/grow.js';
import type { Picker } from './Picker.js';
import { stampedMethods } from './raycastOf.js';
import type { Tracked } from './Tracked.js';

/** Objects asked by themselves with one ray before the index is asked for all. */
const ALONE = 8;

/**
 * Makes `raycaster.intersectObjects(scene.children)`, which walks past the root, cheap: every entry gets a `raycast` of
 * its own, which asks the index once for each ray and stamps what the ray can hit. Objects without the stamp answer at
 * once, the others as ever. The first few objects asked with a ray answer by themselves: a query of the index would cost
 * more than they do.
 */
export class Stamps {
  readonly #picker: Picker;
  readonly #raycast: (this: Object3D, raycaster: Raycaster, hits: Intersection[]) => unknown;
  /** The number of the ray that may hit it, by the `id` that three gave an object. */
  #stamps = new Int32Array(1024);
  #ray = 0;
  #asked = 0;
  /** What the present stamps are for: version of the index, near, far, origin, direction, thresholds. */
  readonly #known = new Float64Array(11);

  constructor(picker: Picker) {
    this.#picker = picker;
    const mayHit = (object: Object3D, raycaster: Raycaster): boolean => this.#mayHit(object, raycaster);
    this.#raycast = function (raycaster, hits) {
      if (!mayHit(this, raycaster)) return undefined;
      return Object.getPrototypeOf(this).raycast.call(this, raycaster, hits);
    };
    stampedMethods.add(this.#raycast);
  }

  /** Gives an entry its method, if it has none of its own. */
  put(object: Object3D): void {
    if (Object.hasOwn(object, 'raycast')) return;
    Object.defineProperty(object, 'raycast', { configurable: true, writable: true, value: this.#raycast });
  }

  /** Takes the method off an object. */
  remove(object: Object3D): void {
    if (object.raycast === this.#raycast) delete (object as Partial<Object3D>).raycast;
  }

  #mayHit(object: Object3D, raycaster: Raycaster): boolean {
    if (this.#isNew(raycaster)) {
      this.#ray++;
      this.#asked = 0;
    }
    if (++this.#asked <= ALONE) return true;
    if (this.#asked === ALONE + 1) this.#picker.eachCandidate(raycaster, this.#stamp);
    return this.#stamps[object.id] === this.#ray;
  }

  readonly #stamp = ({ object }: Tracked): void => {
    if (object.id >= this.#stamps.length) this.#stamps = grow(this.#stamps, object.id + 1);
    this.#stamps[object.id] = this.#ray;
  };

  /** True when the ray, or the index, is not what the stamps are for; notes what they will be for. */
  #isNew({ ray, near, far, params }: Raycaster): boolean {
    const known = this.#known;
    const { origin: o, direction: d } = ray;
    const { version } = this.#picker;
    // biome-ignore format: one line for each thing
    if (known[0] === version && known[1] === near && known[2] === far
     && known[3] === o.x && known[4] === o.y && known[5] === o.z
     && known[6] === d.x && known[7] === d.y && known[8] === d.z
     && known[9] === params.Line.threshold && known[10] === params.Points.threshold) return false;
    known[0] = version;
    known[1] = near;
    known[2] = far;
    known[3] = o.x;
    known[4] = o.y;
    known[5] = o.z;
    known[6] = d.x;
    known[7] = d.y;
    known[8] = d.z;
    known[9] = params.Line.threshold;
    known[10] = params.Points.threshold;
    return true;
  }
}
