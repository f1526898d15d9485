import type { EventManager, RootStore } from '@react-three/fiber';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { CastList } from './CastList.js';
import { RayTargets } from './RayTargets.js';

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
    if (this.#isUnknown) {
      handle(event);
      return;
    }
    const { internal } = this.#store.getState();
    const { interaction } = internal;
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
