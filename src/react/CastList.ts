import type { RootStore } from '@react-three/fiber';
import { Object3D } from 'three';
import type { RayTargets } from './RayTargets.js';

/** Casts at one object by the raycaster of its layer, which is brought up to date first. */
type Cast = (object: Object3D) => unknown[];
type Filter = (object: Object3D) => boolean;

/** Objects of one canvas or portal, which have a raycaster in common. */
interface Layer {
  readonly store: RootStore;
  /** Belongs to the layer, and is never hit. */
  readonly probe: Object3D;
  /** Places of its objects in the list. */
  readonly places: number[];
  /** What follows some of them. */
  readonly targets: Set<RayTargets>;
}

/**
 * The objects of a canvas that have handlers, as fiber's events go through them: they filter the list by a kind of handler,
 * reset the raycaster of each object's layer, then call `flatMap` to cast at one object after the other. This casts at
 * those alone that may be hit or have something below them that may be, in the order of the list, at what is below a large
 * group by the index; so the hits are the same.
 */
export class CastList {
  readonly #targets: ReadonlySet<RayTargets>;
  /** The list as it was when its layers were sorted out. */
  #list: readonly Object3D[] = [];
  #departures = -1;
  readonly #places = new Map<Object3D, number>();
  readonly #layers = new Map<RootStore, Layer>();
  /** Places of objects that are cast at by every ray, as no index follows them. */
  readonly #always: number[] = [];
  /** Whether anybody has cast at the list that was given out last. */
  wasCast = false;

  constructor(targets: ReadonlySet<RayTargets>) {
    this.#targets = targets;
  }

  /** Lets go of all objects, to be called when there are other targets. */
  clear(): void {
    this.#departures = -1;
    this.#list = [];
    this.#always.length = 0;
    this.#places.clear();
    this.#layers.clear();
  }

  /** The list in the form that events go through: a probe for each layer, and the two methods they call. */
  of(list: readonly Object3D[]): Object3D[] {
    if (!this.#isCurrent(list)) this.#sortOut(list);
    this.wasCast = false;
    return this.#through(null);
  }

  #through(isWanted: Filter | null): Object3D[] {
    const layers = [...this.#layers.values()].filter((layer) => this.#hasWanted(layer, isWanted));
    const probes = layers.map(({ probe }) => probe);
    return Object.assign(probes, {
      filter: (isWanted: Filter) => this.#through(isWanted),
      flatMap: (cast: Cast) => this.#cast(layers, cast, isWanted),
    });
  }

  /**
   * False for a portal in which nothing is wanted, whose raycaster is left as it is. That of the canvas itself is set
   * with every event.
   */
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
    return wanted.flatMap((object) => cast(this.#standInFor(object)));
  }

  /** The object itself, or one that finds what is below it by the index. */
  #standInFor(object: Object3D): Object3D {
    const targets = this.#targetOf(object);
    if (!targets?.isCrowd(object)) return object;
    const standIn: Object3D = Object.assign(new Object3D(), { __r3f: (object as Managed).__r3f });
    standIn.layers.enableAll();
    standIn.raycast = (raycaster, hits) => targets.castBelow(object, raycaster, hits);
    return standIn;
  }

  /** True while the list is the same, object by object, and what was followed still is. */
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

  #sortOut(list: readonly Object3D[]): void {
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

/** What fiber notes at an object that it manages: the store of the layer that it belongs to. */
type Managed = Object3D & { __r3f?: { root: RootStore } };
