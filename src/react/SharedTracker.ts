import { addAfterEffect } from '@react-three/fiber';
import type { Camera, Object3D } from 'three';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { VisibilityTracker, type VisibilityTrackerOptions } from '../scene/VisibilityTracker.js';

const byIndex = new WeakMap<SceneIndex, Map<Camera, Map<string, SharedTracker>>>();

/**
 * What a camera sees, shared by any number of components: one tracker for each index, camera and set of options, updated
 * after each frame by the matrices of that picture.
 */
export class SharedTracker {
  readonly watches: ObjectWatches;
  readonly #tracker: VisibilityTracker;
  readonly #parts: SceneParts;
  /** How many objects had left the scene, or their place in it, by the last update. */
  #departures = 0;
  readonly #listeners = new Set<() => void>();
  readonly #visible = new Set<Object3D>();
  #list: readonly Object3D[] | null = null;
  #users = 0;
  readonly #end: () => void;

  private constructor(tracker: VisibilityTracker, parts: SceneParts, forget: () => void) {
    this.#tracker = tracker;
    this.#parts = parts;
    this.watches = new ObjectWatches(tracker);
    this.#update();
    const stop = addAfterEffect(() => this.#update());
    this.#end = () => {
      stop();
      forget();
      tracker.dispose();
    };
  }

  /**
   * The tracker of an index and a camera, to be given back by {@link release}.
   * @throws TypeError or RangeError for a camera or options that are not legal.
   */
  static take(index: SceneIndex, camera: Camera, options: VisibilityTrackerOptions = {}): SharedTracker {
    const cameras = byIndex.get(index) ?? new Map<Camera, Map<string, SharedTracker>>();
    byIndex.set(index, cameras);
    const trackers = cameras.get(camera) ?? new Map<string, SharedTracker>();
    const key = JSON.stringify([options.hysteresis, options.bands]);
    let shared = trackers.get(key);
    if (shared === undefined) {
      const tracker = new VisibilityTracker(index, camera, options);
      shared = new SharedTracker(tracker, partsOf(index, 'SharedTracker'), () => {
        trackers.delete(key);
        if (trackers.size === 0 && cameras.get(camera) === trackers) cameras.delete(camera);
      });
      cameras.set(camera, trackers.set(key, shared));
    }
    shared.#users++;
    return shared;
  }

  release(): void {
    if (--this.#users === 0) this.#end();
  }

  /** What the camera sees; the same list while that is the same. */
  get visible(): readonly Object3D[] {
    this.#list ??= [...this.#visible];
    return this.#list;
  }

  /** Calls a listener after something came into view or left it; returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #update(): void {
    this.#tracker.update();
    const { entered, left } = this.#tracker;
    for (const object of left) this.#visible.delete(object);
    for (const object of entered) this.#visible.add(object);
    const { departures } = this.#parts.follower;
    if (departures !== this.#departures) this.watches.recount();
    this.#departures = departures;
    if (entered.length + left.length > 0) {
      this.#list = null;
      for (const listener of [...this.#listeners]) listener();
    }
    this.watches.notify();
  }
}

/** Who is told of an object, together with all below it. */
interface Watcher {
  /** The first part came into view. */
  enter(band: number): void;
  /** The last part left the view. */
  leave(): void;
  /** The nearest part is in another band. */
  change(band: number, previous: number): void;
}

/** A watcher of one object, with the parts of it that are in view. */
class Watch {
  readonly watcher: Watcher;
  /** The parts in view, each with its band. */
  readonly bands = new Map<Object3D, number>();
  #band = Number.POSITIVE_INFINITY;

  constructor(watcher: Watcher) {
    this.watcher = watcher;
  }

  /** Tells the watcher how the bands have changed since the last time. */
  notify(): void {
    const before = this.#band;
    let band = Number.POSITIVE_INFINITY;
    for (const one of this.bands.values()) band = Math.min(band, one);
    this.#band = band;
    if (band === before) return;
    if (before === Number.POSITIVE_INFINITY) this.watcher.enter(band);
    else if (band === Number.POSITIVE_INFINITY) this.watcher.leave();
    else this.watcher.change(band, before);
  }
}

/** Tells watchers of single objects what a tracker says of all; only objects that come and go cost anything. */
class ObjectWatches {
  readonly #tracker: VisibilityTracker;
  readonly #byObject = new Map<Object3D, Set<Watch>>();
  /** The watches that each object in view counts for. */
  readonly #byVisible = new Map<Object3D, Set<Watch>>();
  /** Watches whose bands have changed since they were last told. */
  readonly #changed = new Set<Watch>();

  constructor(tracker: VisibilityTracker) {
    this.#tracker = tracker;
    tracker.addEventListener('enter', ({ object, band }) => this.#enter(object, band));
    tracker.addEventListener('leave', ({ object }) => this.#leave(object));
    tracker.addEventListener('band', ({ object, band }) => {
      for (const watch of this.#byVisible.get(object) ?? []) this.#count(watch, object, band);
    });
  }

  /**
   * Tells a watcher of an object, at first how it is now. Returns what ends that; the watcher is told that it left.
   * @throws what the watcher throws, which then ends.
   */
  add(object: Object3D, watcher: Watcher): () => void {
    const watch = new Watch(watcher);
    addTo(this.#byObject, object, watch);
    for (const [part, band] of this.#visibleBelow(object)) this.#count(watch, part, band);
    const forget = (): void => {
      removeFrom(this.#byObject, object, watch);
      for (const part of watch.bands.keys()) this.#discount(watch, part);
    };
    try {
      watch.notify();
    } catch (error) {
      forget();
      throw error;
    }
    return () => {
      forget();
      watch.notify();
    };
  }

  /** Counts again what is below each object: a part in view may have moved to another object, and no event tells. */
  recount(): void {
    for (const [object, watches] of this.#byObject) {
      const visible = this.#visibleBelow(object);
      for (const watch of watches) {
        for (const part of watch.bands.keys()) if (!visible.has(part)) this.#discount(watch, part);
        for (const [part, band] of visible) if (!watch.bands.has(part)) this.#count(watch, part, band);
      }
    }
  }

  /**
   * Tells watchers what has changed, all parts of an object together.
   * @throws the first error of a watcher, once all are told.
   */
  notify(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    const failures: unknown[] = [];
    for (const watch of changed) {
      try {
        watch.notify();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #visibleBelow(object: Object3D): Map<Object3D, number> {
    const visible = new Map<Object3D, number>();
    object.traverse((part) => {
      const band = this.#tracker.bandOf(part);
      if (band !== null) visible.set(part, band);
    });
    return visible;
  }

  #enter(object: Object3D, band: number): void {
    if (this.#byObject.size === 0) return;
    for (let above: Object3D | null = object; above !== null; above = above.parent) {
      for (const watch of this.#byObject.get(above) ?? []) this.#count(watch, object, band);
    }
  }

  #leave(object: Object3D): void {
    for (const watch of this.#byVisible.get(object) ?? []) this.#discount(watch, object);
  }

  #count(watch: Watch, part: Object3D, band: number): void {
    watch.bands.set(part, band);
    addTo(this.#byVisible, part, watch);
    this.#changed.add(watch);
  }

  #discount(watch: Watch, part: Object3D): void {
    watch.bands.delete(part);
    removeFrom(this.#byVisible, part, watch);
    this.#changed.add(watch);
  }
}

function addTo(sets: Map<Object3D, Set<Watch>>, object: Object3D, watch: Watch): void {
  const set = sets.get(object);
  if (set) set.add(watch);
  else sets.set(object, new Set([watch]));
}

function removeFrom(sets: Map<Object3D, Set<Watch>>, object: Object3D, watch: Watch): void {
  const set = sets.get(object);
  set?.delete(watch);
  if (set?.size === 0) sets.delete(object);
}
