import {
  createEvents,
  type DomEvent,
  type EventManager,
  getRootState,
  type RootState,
  type RootStore,
} from '@react-three/fiber';
import type { Object3D } from 'three';
import { RayCandidates } from '../scene/ask/RayCandidates.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';
import type { Flags } from '../three/kinds.js';

type Handlers = NonNullable<EventManager<unknown>['handlers']>;

/**
 * Sends the pointer events of a canvas through the index of its scene; returns what ends that.
 *
 * With each event fiber walks over all objects that have handlers and casts at one after the other. That walk alone
 * takes 0.4 of the time if the casts take none. So the handlers put here are fiber's own, but made for a store that
 * shows them only the objects that the ray may hit.
 */
export function sendThroughIndex(canvas: RootStore, index: SceneIndex): () => void {
  const before = canvas.getState().events.handlers;
  if (!before) return () => {};
  const handlers = handlersFor(canvas, new RayTargets(canvas, index), Object.keys(before));
  exchange(canvas, handlers);
  return () => {
    if (canvas.getState().events.handlers === handlers) exchange(canvas, before);
  };
}

/** Replaces the handlers, and registers these at the element that the events come from. */
function exchange(canvas: RootStore, handlers: Handlers): void {
  const { events, setEvents } = canvas.getState();
  const { connected } = events;
  events.disconnect?.();
  setEvents({ handlers });
  if (connected) canvas.getState().events.connect?.(connected);
}

function handlersFor(canvas: RootStore, targets: RayTargets, names: string[]): Handlers {
  /** The event that has not cast yet. Each casts at the list that it reads first; then it may want the whole list. */
  let event: DomEvent | null = null;
  const get = (internal: RootState['internal'], key: keyof RootState['internal']): unknown => {
    if (key !== 'interaction' || event === null) return internal[key];
    const casting = event;
    event = null;
    return targets.of(internal.interaction, casting);
  };
  const getState = (): RootState => {
    const state = canvas.getState();
    return { ...state, internal: new Proxy(state.internal, { get: get as never }) };
  };
  const { handlePointer } = createEvents({ ...canvas, getState } as RootStore);
  const handlers = names.map((name) => {
    const handle = handlePointer(name);
    return [
      name,
      (given: DomEvent): void => {
        event = given;
        handle(given);
      },
    ];
  });
  return Object.fromEntries(handlers);
}

/** Which of the objects with handlers a ray may hit, or something below them. */
class RayTargets {
  readonly #canvas: RootStore;
  readonly #parts: SceneParts;
  readonly #candidates: RayCandidates;
  /** The list that the places are of, and how many objects the index had let go by then. */
  #list: readonly Object3D[] = [];
  #departures = -1;
  readonly #places = new Map<Object3D, number>();
  /** Places of objects that the index does not follow, or that are in a portal with a raycaster of its own. */
  readonly #others: number[] = [];

  constructor(canvas: RootStore, index: SceneIndex) {
    this.#canvas = canvas;
    this.#parts = partsOf(index, 'Accelerated');
    const { follower, entries } = this.#parts;
    this.#candidates = new RayCandidates(follower.traits, entries);
  }

  /** Those of a list that an event may hit, in its order, as hits at equal distances keep it. */
  of(list: readonly Object3D[], event: DomEvent): Object3D[] {
    const state = this.#canvas.getState();
    const { raycaster, events } = state;
    // As fiber aims it, once it has the list. Without a camera nothing is hit.
    raycaster.camera = undefined as never;
    events.compute?.(event, state);
    this.#parts.follower.processForCast();
    if (!this.#isCurrent(list)) this.#sort(list, state);
    const met = new Set(this.#others);
    const meet = (object: Object3D): void => {
      for (let above: Object3D | null = object; above !== null; above = above.parent) {
        const place = this.#places.get(above);
        if (place !== undefined) met.add(place);
      }
    };
    this.#candidates.each(raycaster, ({ object }: ObjectRecord) => {
      // The entry of a LOD stands for everything in it.
      if ((object as Flags).isLOD) object.traverse(meet);
      else meet(object);
    });
    for (const object of this.#parts.follower.hierarchy.excluded) meet(object);
    return [...met].sort((a, b) => a - b).map((place) => list[place]);
  }

  /** True while the list is the same, object by object, and all that was followed still is. */
  #isCurrent(list: readonly Object3D[]): boolean {
    if (this.#list.length !== list.length || this.#departures !== this.#parts.follower.departures) return false;
    return this.#list.every((object, i) => object === list[i]);
  }

  #sort(list: readonly Object3D[], canvas: RootState): void {
    const { follower } = this.#parts;
    this.#list = [...list];
    this.#departures = follower.departures;
    this.#places.clear();
    this.#others.length = 0;
    for (const [place, object] of list.entries()) {
      const isFollowed = follower.hierarchy.records.has(object) && getRootState(object) === canvas;
      if (isFollowed) this.#places.set(object, place);
      else this.#others.push(place);
    }
  }
}
