import { type Camera, EventDispatcher, type Object3D } from 'three';
import { inWords, OPTION_RANGES, readOptions } from '../core/options.js';
import { viewAt, viewCount } from './ask/cameraPlanes.js';
import { checkCamera } from './objects/checks.js';
import type { ObjectRecord } from './objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';
import type { SceneParts } from './SceneParts.js';
import { TrackerEvents } from './TrackerEvents.js';

/** Options of a {@link VisibilityTracker}. */
export interface VisibilityTrackerOptions {
  /**
   * Distances that separate bands, in world units, ascending. Objects nearer than the first are in band 0, those at the
   * last or beyond in the highest band. Default none: everything is in band 0.
   */
  bands?: readonly number[];
  /**
   * How far an object must pass a border before its band changes. A share of the border's distance, 0 to 0.99. Keeps
   * objects near a border from changing bands at every step. Default 0.1.
   */
  hysteresis?: number;
}

/** Events of a {@link VisibilityTracker}. Each object has one event object, which is reused: copy what you keep. */
export interface VisibilityTrackerEvents<T extends Object3D = Object3D> {
  /** An object came into view. */
  enter: { readonly object: T; readonly band: number };
  /** An object went out of view, or was removed. */
  leave: { readonly object: T };
  /** An object in view changed its distance band. */
  band: { readonly object: T; readonly band: number; readonly previous: number };
}

/**
 * Tracks which objects enter a camera's view, leave it, or change distance band. For loading detail, waking behaviour
 * or counting.
 *
 * Call {@link update} after the index's own update, then read {@link entered} and {@link left}, or add event listeners.
 * Any number of trackers may share an index.
 *
 * In view is what `index.cull(camera)` lists. Distances are measured from the camera, or the nearest view of an
 * ArrayCamera, to the object's bounds, 0 within them; for an object without bounds, to its position. An object that
 * comes into view gets the band of its distance; after that hysteresis counts.
 *
 * Reparenting an object or replacing the structure of the index fires no event. All objects of a disposed index leave
 * with the next update. Until then, or until {@link dispose}, a tracker keeps the objects it saw, removed or not.
 *
 * @example
 * ```ts
 * import { VisibilityTracker } from 'three-scene-index';
 *
 * const tracker = new VisibilityTracker(index, camera, { bands: [50] });
 * tracker.addEventListener('enter', ({ object, band }) => console.log(object.name, band === 0 ? 'near' : 'far'));
 * renderer.setAnimationLoop(() => {
 *   renderer.render(scene, camera); // updates the index of an accelerated scene
 *   tracker.update();
 * });
 * ```
 */
export class VisibilityTracker<T extends Object3D = Object3D> extends EventDispatcher<VisibilityTrackerEvents<T>> {
  /** The camera whose view is tracked. */
  readonly camera: Camera;
  /** Objects that came into view with the last update. The next update overwrites the list. */
  readonly entered: readonly T[];
  /** Objects that left the view with the last update. The next update overwrites the list. */
  readonly left: readonly T[];
  readonly #parts: SceneParts;
  readonly #bands: DistanceBands;
  readonly #sights = new Map<Object3D, Sight>();
  /** What was seen last, in order, and before that. */
  #list: Sight[] = [];
  #listBefore: Sight[] = [];
  /** What the camera sees now. */
  readonly #seen: Object3D[] = [];
  readonly #box = new Float64Array(6);
  /** What is to be told of by events. */
  readonly #leaving: Sight[] = [];
  readonly #entering: Sight[] = [];
  readonly #changing: Sight[] = [];
  readonly #entered: T[] = [];
  readonly #left: T[] = [];
  readonly #events = new TrackerEvents('VisibilityTracker');
  #round = 0;

  /**
   * @param index The index whose objects are tracked.
   * @throws TypeError or RangeError for an invalid index, camera or options, Error for a disposed index.
   */
  constructor(index: SceneIndex<T>, camera: Camera, options: VisibilityTrackerOptions = {}) {
    const parts = partsOf(index, 'VisibilityTracker');
    checkCamera(camera, 'VisibilityTracker.camera');
    const { bands, hysteresis } = readOptions(options, DEFAULTS, 'VisibilityTracker', OPTION_RANGES);
    super();
    this.camera = camera;
    this.#parts = parts;
    this.#bands = new DistanceBands(bands, hysteresis, 'VisibilityTracker.bands');
    this.entered = this.#entered;
    this.left = this.#left;
  }

  /** Number of objects in view as of the last update. */
  get size(): number {
    return this.#sights.size;
  }

  /** True for an object that was in view at the last update. */
  isVisible(object: Object3D): boolean {
    return this.#sights.has(object);
  }

  /** The band of an object at the last update, from 0. Null for an object out of view. */
  bandOf(object: Object3D): number | null {
    return this.#sights.get(object)?.band ?? null;
  }

  /**
   * Finds what is in view, and fires `leave`, then `enter`, then `band` events. The tracker's state is final before the
   * first event. All events are fired even if a listener throws; the first exception is thrown at the end. Listeners
   * must not call this. Costs as much as `cull`, plus a little for each object in view.
   */
  update(): void {
    this.#events.checkUpdate();
    // Cameras and objects may throw here; nothing has changed by then.
    const { isDisposed, visibility, entries, follower } = this.#parts;
    if (isDisposed) this.#seen.length = 0;
    else visibility.see(this.camera, entries, follower.traits.neverCulled, this.#seen);
    this.#bands.measureFrom(this.camera);
    this.#compare();
    this.#apply();
    try {
      this.#events.fire<keyof VisibilityTrackerEvents>(this, [
        ['leave', this.#leaving],
        ['enter', this.#entering],
        ['band', this.#changing],
      ]);
    } finally {
      this.#leaving.length = this.#entering.length = this.#changing.length = 0;
    }
  }

  /** Forgets all objects, without events. Updates throw afterwards; a second `dispose` does nothing. */
  dispose(): void {
    this.#events.isDisposed = true;
    this.#sights.clear();
    for (const list of [this.#list, this.#listBefore, this.#leaving, this.#entering, this.#changing]) list.length = 0;
    for (const list of [this.#seen, this.#entered, this.#left]) list.length = 0;
  }

  /**
   * Finds what entered and marks what is in view. That comes in the same order each time, so objects are looked up only
   * where it differs from the last list.
   */
  #compare(): void {
    const before = this.#list;
    const now = this.#listBefore;
    this.#list = now;
    this.#listBefore = before;
    const round = ++this.#round;
    let place = 0;
    let n = 0;
    for (const object of this.#seen) {
      let sight: Sight | undefined = before[place];
      if (sight?.object !== object) sight = this.#sights.get(object);
      if (sight === undefined) {
        sight = new Sight(object);
        this.#entering.push(sight);
      } else {
        place = sight.place + 1;
      }
      sight.place = n;
      sight.seenIn = round;
      now[n++] = sight;
      this.#rate(sight);
    }
    now.length = n;
  }

  /** Removes what was not seen in this round, and adds what entered. */
  #apply(): void {
    const sights = this.#sights;
    if (sights.size + this.#entering.length > this.#list.length) {
      for (const sight of this.#listBefore) {
        if (sight.seenIn === this.#round) continue;
        sights.delete(sight.object);
        this.#leaving.push(sight);
      }
      this.#listBefore.length = 0;
    }
    for (const sight of this.#entering) sights.set(sight.object, sight);
    writeObjects(this.#entering, this.#entered);
    writeObjects(this.#leaving, this.#left);
  }

  /** Finds the band of an object, and whether it has changed. */
  #rate(sight: Sight): void {
    const before = sight.band;
    let band = 0;
    if (!this.#bands.isOne) {
      this.#readBox(sight);
      band = this.#bands.bandOf(this.#box, before);
    }
    if (band === before) return;
    sight.band = band;
    sight.previous = before;
    if (before >= 0) this.#changing.push(sight);
  }

  /** Reads the bounds of an object; without bounds, its position. */
  #readBox(sight: Sight): void {
    const { entries, follower } = this.#parts;
    if (sight.id < 0 || entries.byId.records[sight.id] !== sight.record) {
      sight.record = follower.hierarchy.records.get(sight.object) ?? null;
      sight.id = sight.record?.id ?? -1;
    }
    if (sight.id >= 0) {
      entries.index.getBox(sight.id, this.#box);
      return;
    }
    const { elements } = sight.object.matrixWorld;
    for (let side = 0; side < 6; side++) this.#box[side] = elements[12 + (side % 3)];
  }
}

function writeObjects<T extends Object3D>(sights: readonly Sight[], out: T[]): void {
  for (let i = 0; i < sights.length; i++) out[i] = sights[i].object as T;
  out.length = sights.length;
}

const DEFAULTS: Required<VisibilityTrackerOptions> = { bands: [], hysteresis: 0.1 };

/** An object in view, and the event that tells of it. */
class Sight {
  readonly object: Object3D;
  type: keyof VisibilityTrackerEvents = 'enter';
  /** Set by three while it fires. */
  target: unknown = null;
  /** -1 until it is known. */
  band = -1;
  previous = -1;
  /** Round of the tracker in which it was last seen, and its place in the list then. */
  seenIn = -1;
  place = -1;
  /** The record of the object, and its id, when they were last needed. */
  record: ObjectRecord | null = null;
  id = -1;

  constructor(object: Object3D) {
    this.object = object;
  }
}

/**
 * Bands of distance from a camera, one more than there are borders. To change its band, a box must pass a border by a
 * share of the border's distance.
 */
class DistanceBands {
  readonly #borders: readonly number[];
  readonly #hysteresis: number;
  /** Positions of the camera's views: x y z each. */
  readonly #eyes: number[] = [];

  /** @throws TypeError or RangeError unless the borders are ascending numbers above zero. */
  constructor(borders: readonly number[], hysteresis: number, where: string) {
    for (let i = 0; i < borders.length; i++) checkBorder(borders[i], i === 0 ? 0 : borders[i - 1], `${where}[${i}]`);
    this.#borders = [...borders];
    this.#hysteresis = hysteresis;
  }

  /** True when there is only one band. */
  get isOne(): boolean {
    return this.#borders.length === 0;
  }

  /** Measures from a camera by its present matrices; from the nearest view of an ArrayCamera. */
  measureFrom(camera: Camera): void {
    const eyes = this.#eyes;
    const count = viewCount(camera);
    eyes.length = 3 * count;
    for (let i = 0; i < count; i++) {
      const { elements } = viewAt(camera, i).matrixWorld;
      for (let c = 0; c < 3; c++) eyes[3 * i + c] = elements[12 + c];
    }
  }

  /**
   * The band of a box.
   * @param before The band it was in; -1 for none, so that no hysteresis counts.
   */
  bandOf(box: Float64Array, before: number): number {
    const borders = this.#borders;
    const eyes = this.#eyes;
    let distance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < eyes.length; i += 3) {
      const x = Math.max(box[0] - eyes[i], eyes[i] - box[3], 0);
      const y = Math.max(box[1] - eyes[i + 1], eyes[i + 1] - box[4], 0);
      const z = Math.max(box[2] - eyes[i + 2], eyes[i + 2] - box[5], 0);
      distance = Math.min(distance, Math.sqrt(x * x + y * y + z * z));
    }
    const share = before < 0 ? 0 : this.#hysteresis;
    let band = Math.max(before, 0);
    while (band < borders.length && distance >= borders[band] * (1 + share)) band++;
    while (band > 0 && distance < borders[band - 1] * (1 - share)) band--;
    return band;
  }
}

function checkBorder(border: number, before: number, where: string): void {
  if (typeof border !== 'number') throw new TypeError(`${where}: must be a number, got ${inWords(border)}`);
  if (!(border > before && border < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: must be above ${before} and finite, got ${border}`);
  }
}
