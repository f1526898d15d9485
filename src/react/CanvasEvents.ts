import type { EventManager, RootStore } from '@react-three/fiber';
import { Object3D, type Raycaster } from 'three';
import { RayCandidates } from '../scene/ask/RayCandidates.js';
import type { Flags, ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';

type Handlers = NonNullable<EventManager<unknown>['handlers']>;

const byStore = new WeakMap<RootStore, CanvasEvents>();

/**
 * Sends the pointer events of one canvas, portals included, through the indices of its scenes. Its handlers stay what they
 * are, fiber's own or not: while one runs, the list of objects that it casts at is a {@link CastList}.
 */
export class CanvasEvents {
  readonly #store: RootStore;
  readonly #targets = new Set<RayTargets>();
  readonly #list = new CastList(this.#targets);
  /** The handlers of the canvas, and those around them; null when nothing was changed. */
  #before: Handlers | null = null;
  #handlers: Handlers | null = null;
  /** Handlers read the list, but did not cast in the way that is known here. */
  #isUnknown = false;

  /** @param store The store of a canvas, not of a portal. */
  private constructor(store: RootStore) {
    this.#store = store;
  }

  static of(store: RootStore): CanvasEvents {
    let events = byStore.get(store);
    if (events === undefined) {
      events = new CanvasEvents(store);
      byStore.set(store, events);
    }
    return events;
  }

  /** Sends events through an index, too; returns what ends that. */
  goThrough(index: SceneIndex): () => void {
    const targets = new RayTargets(index);
    this.#targets.add(targets);
    this.#list.clear();
    if (this.#targets.size === 1) this.#begin();
    return () => {
      if (!this.#targets.delete(targets)) return;
      this.#list.clear();
      if (this.#targets.size === 0) this.#end();
    };
  }

  #begin(): void {
    const { handlers } = this.#store.getState().events;
    if (!handlers) return;
    const around = Object.entries(handlers).map(([name, handle]: [string, (event: Event) => void]) => [
      name,
      (event: Event) => this.#handle(handle, event),
    ]);
    this.#before = handlers;
    this.#handlers = Object.fromEntries(around) as Handlers;
    this.#exchange(this.#handlers);
  }

  #end(): void {
    const { events } = this.#store.getState();
    if (this.#before !== null && events.handlers === this.#handlers) this.#exchange(this.#before);
    this.#before = this.#handlers = null;
  }

  /** Replaces the handlers, and registers these at the element that the events come from. */
  #exchange(handlers: Handlers): void {
    const { events, setEvents } = this.#store.getState();
    const { connected } = events;
    events.disconnect?.();
    setEvents({ handlers });
    if (connected) this.#store.getState().events.connect?.(connected);
  }

  /** Calls a handler, which finds our list where it first looks for the objects: that is to cast at them. */
  #handle(handle: (event: Event) => void, event: Event): void {
    const { internal } = this.#store.getState();
    const { interaction } = internal;
    if (this.#isUnknown) {
      handle(event);
      return;
    }
    let isRead = false;
    const putBack = (): void => {
      Object.defineProperty(internal, 'interaction', { ...PROPERTY, writable: true, value: interaction });
    };
    const read = (): unknown[] => {
      isRead = true;
      putBack();
      return this.#list.of(interaction);
    };
    // Nobody adds or removes objects before the first look.
    Object.defineProperty(internal, 'interaction', { ...PROPERTY, get: read, set: () => {} });
    try {
      handle(event);
    } finally {
      if (!isRead) putBack();
    }
    this.#isUnknown = isRead && !this.#list.wasCast;
  }
}

const PROPERTY = { configurable: true, enumerable: true };

/** Casts at one object by the raycaster of its layer, which is aimed first. */
type Cast = (object: Object3D) => unknown[];
type Filter = (object: Object3D) => boolean;

/** What fiber notes on an object that it manages: the store of its layer. */
type Managed = Object3D & { __r3f?: { root: RootStore } };

/** Objects of one canvas or portal, which share a raycaster. */
interface Layer {
  readonly store: RootStore;
  /** Belongs to the layer, and is never hit. */
  readonly probe: Object3D;
  /** Places of its objects in the list. */
  readonly places: number[];
  /** The indices that follow some of them. */
  readonly targets: Set<RayTargets>;
}

/**
 * The objects of a canvas that have handlers, as fiber's events read them: they filter the list by a kind of handler, reset
 * the raycaster of each object's layer, then call `flatMap` to cast at one object after the other. This list casts only at
 * those that may be hit, or have something below them that may be, in its order; so the hits are the same.
 */
class CastList {
  readonly #targets: ReadonlySet<RayTargets>;
  /** The list as of the last sorting by layers. */
  #list: readonly Object3D[] = [];
  #departures = -1;
  readonly #places = new Map<Object3D, number>();
  readonly #layers = new Map<RootStore, Layer>();
  /** Places of objects that no index follows: every ray is cast at them. */
  readonly #always: number[] = [];
  /** Whether anybody has cast at the list that was given out last. */
  wasCast = false;

  constructor(targets: ReadonlySet<RayTargets>) {
    this.#targets = targets;
  }

  /** Forgets all objects; call it when there are other targets. */
  clear(): void {
    this.#departures = -1;
    this.#list = [];
    this.#always.length = 0;
    this.#places.clear();
    this.#layers.clear();
  }

  /** The list as events take it: a probe for each layer, and the two methods they call. */
  of(list: readonly Object3D[]): Object3D[] {
    if (!this.#isCurrent(list)) this.#sortByLayers(list);
    this.wasCast = false;
    return this.#filtered(null);
  }

  #filtered(isWanted: Filter | null): Object3D[] {
    const layers = [...this.#layers.values()].filter((layer) => this.#hasWanted(layer, isWanted));
    const probes = layers.map(({ probe }) => probe);
    return Object.assign(probes, {
      filter: (isWanted: Filter) => this.#filtered(isWanted),
      flatMap: (cast: Cast) => this.#cast(layers, cast, isWanted),
    });
  }

  /** False for a portal in which nothing is wanted: its raycaster stays as it is. That of the canvas is set by each event. */
  #hasWanted({ store, places }: Layer, isWanted: Filter | null): boolean {
    if (isWanted === null || store.getState().previousRoot === undefined) return true;
    return places.some((place) => isWanted(this.#list[place]));
  }

  #cast(layers: readonly Layer[], cast: Cast, isWanted: Filter | null): unknown[] {
    this.wasCast = true;
    const list = this.#list;
    const met = new Set(this.#always);
    const meet = (object: Object3D): void => {
      for (let above: Object3D | null = object; above !== null; above = above.parent) {
        const place = this.#places.get(above);
        if (place !== undefined) met.add(place);
      }
    };
    for (const { store, probe, targets } of layers) {
      cast(probe);
      const { raycaster } = store.getState();
      // Without a camera a layer has no events.
      if (raycaster.camera) for (const target of targets) target.each(raycaster, meet);
    }
    const objects = [...met].sort((a, b) => a - b).map((place) => list[place]);
    const wanted = isWanted === null ? objects : objects.filter((object) => isWanted(object));
    return wanted.flatMap((object) => cast(object));
  }

  /** True while the list is the same, object by object, and all that was followed still is. */
  #isCurrent(list: readonly Object3D[]): boolean {
    const known = this.#list;
    if (known.length !== list.length || this.#departures !== this.#countDepartures()) return false;
    for (let i = 0; i < known.length; i++) if (known[i] !== list[i]) return false;
    return true;
  }

  #countDepartures(): number {
    let count = 0;
    for (const { departures } of this.#targets) count += departures;
    return count;
  }

  #sortByLayers(list: readonly Object3D[]): void {
    this.clear();
    this.#departures = this.#countDepartures();
    this.#list = [...list];
    for (const [place, object] of this.#list.entries()) {
      this.#places.set(object, place);
      const store = (object as Managed).__r3f?.root;
      // Fiber casts at nothing else.
      if (store === undefined) continue;
      const layer = this.#layerOf(store);
      layer.places.push(place);
      const target = this.#targetOf(object);
      if (target === null) this.#always.push(place);
      else layer.targets.add(target);
    }
  }

  #layerOf(store: RootStore): Layer {
    let layer = this.#layers.get(store);
    if (layer === undefined) {
      const probe: Object3D = Object.assign(new Object3D(), { __r3f: { root: store } });
      layer = { store, probe, places: [], targets: new Set() };
      this.#layers.set(store, layer);
    }
    return layer;
  }

  #targetOf(object: Object3D): RayTargets | null {
    for (const targets of this.#targets) if (targets.has(object)) return targets;
    return null;
  }
}

/** What a ray may hit of the objects in an index. */
class RayTargets {
  readonly #parts: SceneParts;
  readonly #candidates: RayCandidates;

  constructor(index: SceneIndex) {
    this.#parts = partsOf(index, 'Accelerated');
    const { follower, entries } = this.#parts;
    this.#candidates = new RayCandidates(follower.traits, entries);
  }

  /** Grows whenever an object is no longer followed; after the index is disposed of, none is. */
  get departures(): number {
    const { isDisposed, follower } = this.#parts;
    return isDisposed ? Number.POSITIVE_INFINITY : follower.departures;
  }

  /** True for an object that is followed: {@link each} names it where a ray may hit it. */
  has(object: Object3D): boolean {
    return this.#parts.follower.hierarchy.records.has(object);
  }

  /**
   * Calls `visit` for every followed object whose own `raycast` may find a hit, and for the topmost of those below the root
   * that are not followed; in no order, some of them twice.
   */
  each(raycaster: Raycaster, visit: (object: Object3D) => void): void {
    const { follower } = this.#parts;
    follower.processForCast();
    this.#candidates.each(raycaster, ({ object }: ObjectRecord) => {
      // The entry of a LOD stands for everything in it.
      if ((object as Flags).isLOD) object.traverse(visit);
      else visit(object);
    });
    for (const object of follower.hierarchy.excluded) visit(object);
  }
}
