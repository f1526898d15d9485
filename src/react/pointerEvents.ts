import {
  createEvents,
  type DomEvent,
  type EventManager,
  getRootState,
  type RootState,
  type RootStore,
} from '@react-three/fiber';
import type { Object3D } from 'three';
import { ScenePicking } from '../render/ScenePicking.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';

type Handlers = NonNullable<EventManager<unknown>['handlers']>;

/**
 * Sends the pointer events of a canvas through the index of its scene; returns a function that restores the handlers.
 *
 * With each event fiber casts at all objects with handlers, one after the other. That loop alone takes 0.4 of the time
 * if the casts take none. So fiber's handlers are replaced by fiber's handlers for another store, which shows only the
 * objects in the ray's way.
 */
export function sendThroughIndex(canvas: RootStore, index: SceneIndex): () => void {
  const before = canvas.getState().events.handlers;
  if (!before) return () => {};
  const handlers = handlersFor(canvas, new RayTargets(canvas, index), Object.keys(before));
  exchangeHandlers(canvas, handlers);
  return () => {
    if (canvas.getState().events.handlers === handlers) exchangeHandlers(canvas, before);
  };
}

/** Replaces the handlers, and registers the new handlers at the element that the events come from. */
function exchangeHandlers(canvas: RootStore, handlers: Handlers): void {
  const { events, setEvents } = canvas.getState();
  const { connected } = events;
  events.disconnect?.();
  setEvents({ handlers });
  if (connected) canvas.getState().events.connect?.(connected);
}

function handlersFor(canvas: RootStore, targets: RayTargets, names: string[]): Handlers {
  /** The event that has not cast yet. Each event casts at the list it reads first; then it may want the whole list. */
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

/** Finds the objects with handlers whose subtrees a ray may hit. */
class RayTargets {
  readonly #canvas: RootStore;
  readonly #picking: ScenePicking;

  constructor(canvas: RootStore, index: SceneIndex) {
    this.#canvas = canvas;
    this.#picking = new ScenePicking(partsOf(index, 'Accelerated'));
  }

  /** The objects of a list that an event may hit, in the list's order, as hits at equal distances keep it. */
  of(list: readonly Object3D[], event: DomEvent): Object3D[] {
    const state = this.#canvas.getState();
    const { raycaster, events } = state;
    // Aims the raycaster as fiber does once it has the list. Without a camera nothing is hit.
    raycaster.camera = undefined as never;
    events.compute?.(event, state);
    this.#picking.beginCasts(raycaster);
    this.#picking.marks.mark(raycaster);
    // A portal has a raycaster of its own.
    return list.filter((object) => getRootState(object) !== state || this.#picking.takeCast(object, raycaster, true));
  }
}
