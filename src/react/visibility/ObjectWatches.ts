import type { Object3D } from 'three';
import type { VisibilityTracker } from '../../three/trackers/VisibilityTracker.js';

/** Who is told of an object, or of what is below it. */
export interface Watcher {
  /** The first of it came into view. */
  enter(band: number): void;
  /** The last of it left the view. */
  leave(): void;
  /** The nearest of it is in another band. */
  change(band: number, previous: number): void;
}

/** One object that is watched, a group with all that is below it. */
class Watch {
  readonly watcher: Watcher;
  /** What is in view of the object and all below it, each with its band. */
  readonly bands = new Map<Object3D, number>();
  #band = Number.POSITIVE_INFINITY;

  constructor(watcher: Watcher) {
    this.watcher = watcher;
  }

  /** Takes account of a change of the bands. */
  settle(): void {
    const before = this.#band;
    const band = Math.min(...this.bands.values());
    this.#band = band;
    if (band === before) return;
    if (before === Number.POSITIVE_INFINITY) this.watcher.enter(band);
    else if (band === Number.POSITIVE_INFINITY) this.watcher.leave();
    else this.watcher.change(band, before);
  }
}

/** Tells of single objects what a tracker says of all, at a price for those alone that come and go. */
export class ObjectWatches {
  readonly #tracker: VisibilityTracker;
  readonly #byObject = new Map<Object3D, Set<Watch>>();
  /** The watches that each object in view counts for. */
  readonly #byVisible = new Map<Object3D, Set<Watch>>();

  constructor(tracker: VisibilityTracker) {
    this.#tracker = tracker;
    tracker.addEventListener('enter', ({ object, band }) => this.#enter(object, band));
    tracker.addEventListener('leave', ({ object }) => this.#leave(object));
    tracker.addEventListener('band', ({ object, band }) => {
      for (const watch of this.#byVisible.get(object) ?? []) {
        watch.bands.set(object, band);
        watch.settle();
      }
    });
  }

  /** Tells a watcher of an object, first of how it is now; returns what ends that, for the watcher as if it left. */
  add(object: Object3D, watcher: Watcher): () => void {
    const watch = new Watch(watcher);
    addTo(this.#byObject, object, watch);
    object.traverse((part) => {
      const band = this.#tracker.bandOf(part);
      if (band !== null) this.#count(watch, part, band);
    });
    watch.settle();
    return () => {
      removeFrom(this.#byObject, object, watch);
      for (const part of watch.bands.keys()) removeFrom(this.#byVisible, part, watch);
      watch.bands.clear();
      watch.settle();
    };
  }

  #enter(object: Object3D, band: number): void {
    if (this.#byObject.size === 0) return;
    for (let above: Object3D | null = object; above !== null; above = above.parent) {
      for (const watch of this.#byObject.get(above) ?? []) {
        this.#count(watch, object, band);
        watch.settle();
      }
    }
  }

  #leave(object: Object3D): void {
    const watches = this.#byVisible.get(object) ?? [];
    this.#byVisible.delete(object);
    for (const watch of watches) {
      watch.bands.delete(object);
      watch.settle();
    }
  }

  #count(watch: Watch, part: Object3D, band: number): void {
    watch.bands.set(part, band);
    addTo(this.#byVisible, part, watch);
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
