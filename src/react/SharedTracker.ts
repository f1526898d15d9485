import { addAfterEffect } from '@react-three/fiber';
import type { Camera, Object3D } from 'three';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { VisibilityTracker, type VisibilityTrackerOptions } from '../scene/VisibilityTracker.js';
import { ObjectWatches } from './ObjectWatches.js';

const byIndex = new WeakMap<SceneIndex, Map<Camera, Map<string, SharedTracker>>>();

/**
 * What a camera sees, for any number of components: one tracker for each index, camera and set of options. It is updated
 * after each frame, by the matrices of that picture, as long as anybody uses it.
 */
export class SharedTracker {
  readonly watches: ObjectWatches;
  readonly #tracker: VisibilityTracker;
  readonly #parts: SceneParts;
  /** Objects that had left the scene, or their place in it, by the last update. */
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

  /** What the camera sees; the same list as long as it sees the same. */
  get visible(): readonly Object3D[] {
    this.#list ??= [...this.#visible];
    return this.#list;
  }

  /** Has a listener called after something came into view or left it; returns what ends that. */
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
    this.watches.settle();
  }
}
