import { type Camera, EventDispatcher, type Object3D } from 'three';
import { inWords, OPTION_RANGES, readOptions } from '../core/options.js';
import { viewAt, viewCount } from './ask/cameraPlanes.js';
import { checkCamera } from './objects/checks.js';
import type { ObjectRecord } from './objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';
import type { SceneParts } from './SceneParts.js';

/**
 * Bands of distance from a camera, one more than there are borders. To change its band, a box must pass a border by a
 * share of the border's distance.
 */
class DistanceBands {
  readonly #borders: readonly number[];
  readonly #hysteresis: number;
  /** Where the views of the camera are: x y z each. */
  readonly #eyes: number[] = [];

  /** @throws TypeError or RangeError for borders that are not numbers above zero, each above the one before. */
  constructor(borders: readonly number[], hysteresis: number, where: string) {
    for (let i = 0; i < borders.length; i++) checkBorder(borders[i], i === 0 ? 0 : borders[i - 1], `${where}[${i}]`);
    this.#borders = [...borders];
    this.#hysteresis = hysteresis;
  }

  /** True when there is but one band, whatever the distance. */
  get isOne(): boolean {
    return this.#borders.length === 0;
  }

  /** Measures from where the camera is by its present matrices; from the nearest view of an ArrayCamera. */
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
   * @param before The band it was in; -1 for a box that was in none, for which borders count as they are.
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

/**
 * Fires events of one type one after the other, the first `count` of a list. A listener that throws keeps no other
 * event from being fired: what it threw is added to `failures`. Ends early when a listener disposes the tracker, which
 * empties the list.
 */
export function fireEach<Type extends string>(
  tracker: { dispatchEvent(event: never): void },
  type: Type,
  events: readonly { type: Type }[],
  failures: unknown[],
  count: number = events.length,
): void {
  for (let i = 0; i < count && i < events.length; i++) {
    const event = events[i];
    event.type = type;
    try {
      tracker.dispatchEvent(event as never);
    } catch (error) {
      failures.push(error);
    }
  }
}

/** Options of a {@link VisibilityTracker}. */
export interface VisibilityTrackerOptions {
  /**
   * Borders between bands, in world units, each greater than the one before: what is nearer than the first is in band
   * 0, what is as far away as the last or farther in the band of the highest number. Default none, so that all is in
   * band 0.
   */
  bands?: readonly number[];
  /**
   * By which share of itself a border must be passed, outwards or inwards, before a band changes; 0 to 0.99. So what is
   * at a border does not change its band with every step. Default 0.1.
   */
  hysteresis?: number;
}

/**
 * Events of a {@link VisibilityTracker}. The event object belongs to the object and is used again: copy what you keep.
 */
export interface VisibilityTrackerEvents {
  /** An object came into view. */
  enter: { readonly object: Object3D; readonly band: number };
  /** An object went out of view, or is gone. */
  leave: { readonly object: Object3D };
  /** An object in view is in another band than before. */
  band: { readonly object: Object3D; readonly band: number; readonly previous: number };
}

/**
 * Tracks what a camera sees: what comes into view, what leaves it, and what changes its distance band, for loading
 * detail, waking behaviour, or counting what is seen, at the price of what changed. Call {@link update} after the
 * index's own, and read {@link entered} and {@link left} or listen as to any object of three:
 * `tracker.addEventListener('enter', ({ object, band }) => ...)`. Any number of trackers may track any cameras.
 *
 * In view is what `index.cull(camera)` lists. A distance is that from the camera to the object's bounds, 0 within them;
 * of an ArrayCamera from the nearest of its views; to the position of an object that has no bounds. What comes into
 * view is in the band of its distance; after that hysteresis counts.
 *
 * An object is the same whatever becomes of its entry: one that changes its parent, or an index that gets another
 * structure, brings no event. All objects of a disposed index leave with the next update. Until then, or until
 * {@link dispose}, a tracker keeps what it saw, removed or not.
 */
export class VisibilityTracker extends EventDispatcher<VisibilityTrackerEvents> {
  /** The camera whose view is tracked. */
  readonly camera: Camera;
  /**
   * Objects that the last update found in view and the one before did not. The list is used again by the next update.
   */
  readonly entered: readonly Object3D[];
  /** Objects that had left the view at the last update. The list is used again by the next one. */
  readonly left: readonly Object3D[];
  readonly #parts: SceneParts;
  readonly #bands: DistanceBands;
  readonly #sights = new Map<Object3D, Sight>();
  /** The same in the order in which they were seen, and the list before that one. */
  #list: Sight[] = [];
  #listBefore: Sight[] = [];
  /** What the camera sees now. */
  readonly #seen: Object3D[] = [];
  readonly #box = new Float64Array(6);
  /** What is to be told of by events. */
  readonly #leaving: Sight[] = [];
  readonly #entering: Sight[] = [];
  readonly #changing: Sight[] = [];
  readonly #entered: Object3D[] = [];
  readonly #left: Object3D[] = [];
  #round = 0;
  #isFiring = false;
  #isDisposed = false;

  /**
   * @param index The index whose objects are tracked.
   * @throws TypeError or RangeError for an index, a camera or options that are not legal, Error for an index that was
   * disposed.
   */
  constructor(index: SceneIndex, camera: Camera, options: VisibilityTrackerOptions = {}) {
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

  /** True for an object in view as of the last update. */
  isVisible(object: Object3D): boolean {
    return this.#sights.has(object);
  }

  /** The band of an object as of the last update, from 0; null for one that is not in view. */
  bandOf(object: Object3D): number | null {
    return this.#sights.get(object)?.band ?? null;
  }

  /**
   * Compares what is in view now with what was at the last update, and fires `leave` for each object that is not any
   * more, then `enter`, then `band`. All is settled before the first event; a listener that throws keeps no other event
   * from being fired, and what the first of them threw is thrown at the end. Listeners must not call this.
   *
   * The cost is that of `cull`, and a look at each object in view.
   */
  update(): void {
    if (this.#isDisposed) throw new Error('VisibilityTracker.update: the tracker was disposed');
    if (this.#isFiring) throw new Error('VisibilityTracker.update: called by a listener of its own');
    // Cameras and objects may throw here; nothing has changed by then.
    const { isDisposed, visibility, entries, follower } = this.#parts;
    if (isDisposed) this.#seen.length = 0;
    else visibility.see(this.camera, entries, follower.traits.neverCulled, this.#seen);
    this.#bands.measureFrom(this.camera);
    this.#look();
    this.#settle();
    if (this.#leaving.length + this.#entering.length + this.#changing.length > 0) this.#fireAll();
  }

  /** Lets go of all objects, without events. Updates after this throw; a second `dispose` does nothing. */
  dispose(): void {
    this.#isDisposed = true;
    this.#sights.clear();
    for (const list of [this.#list, this.#listBefore, this.#leaving, this.#entering, this.#changing]) list.length = 0;
    for (const list of [this.#seen, this.#entered, this.#left]) list.length = 0;
  }

  /**
   * Takes note of what is in view now. It comes in the same order each time, so the list of last time is followed along
   * and objects are looked up only where the two part.
   */
  #look(): void {
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

  /** Takes out what was not seen in this round, and takes in what is new. */
  #settle(): void {
    const sights = this.#sights;
    if (sights.size + this.#entering.length > this.#list.length) {
      for (const sight of this.#listBefore) {
        if (sight.seenIn === this.#round) continue;
        sights.delete(sight.object);
        this.#leaving.push(sight);
      }
      // What left is kept no longer.
      this.#listBefore.length = 0;
    }
    for (const sight of this.#entering) sights.set(sight.object, sight);
    writeObjects(this.#entering, this.#entered);
    writeObjects(this.#leaving, this.#left);
  }

  /** Finds the band of an object, and notes when it is another than before. */
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

  /** Reads the bounds of an object; where it has none, the place where it is. */
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

  #fireAll(): void {
    const failures: unknown[] = [];
    this.#isFiring = true;
    fireEach<keyof VisibilityTrackerEvents>(this, 'leave', this.#leaving, failures);
    fireEach<keyof VisibilityTrackerEvents>(this, 'enter', this.#entering, failures);
    fireEach<keyof VisibilityTrackerEvents>(this, 'band', this.#changing, failures);
    this.#isFiring = false;
    this.#leaving.length = this.#entering.length = this.#changing.length = 0;
    if (failures.length > 0) throw failures[0];
  }
}

function writeObjects(sights: readonly Sight[], out: Object3D[]): void {
  for (let i = 0; i < sights.length; i++) out[i] = sights[i].object;
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
