import { createEvents, type EventManager, type RootState, type RootStore } from '@react-three/fiber';
import type { Object3D } from 'three';
import { RayTargets } from '../../three/accelerate/RayTargets.js';
import type { SceneIndex } from '../../three/SceneIndex.js';
import { CastList } from './CastList.js';
import { castsByList } from './castsByList.js';

type Handlers = NonNullable<EventManager<unknown>['handlers']>;

const byStore = new WeakMap<RootStore, CanvasEvents>();

/**
 * The pointer events of one canvas, portals included, through the indices of its scenes: fiber's own code with another
 * store, which differs in that the objects with handlers are a {@link CastList} when an event casts at them. So handlers
 * are called as ever, and what is known of hovering and captures stays where it was.
 *
 * Nothing is changed where the canvas has events of another make, or fiber casts in another way than is known here.
 */
export class CanvasEvents {
  readonly #store: RootStore;
  readonly #targets = new Set<RayTargets>();
  readonly #list = new CastList(this.#targets);
  /** The handlers of fiber, and those in their place; null when nothing was changed. */
  #before: Handlers | null = null;
  #handlers: Handlers | null = null;
  /** An event was given to its handler, which has not read the objects yet: it does so first to cast at them. */
  #isAboutToCast = false;

  /** @param store The store of a canvas, not of a portal. */
  constructor(store: RootStore) {
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

  /** Has events go through an index, too; returns what takes it away again. */
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
    if (!handlers || !castsByList() || !isMadeByFiber(handlers)) return;
    const { handlePointer } = createEvents(this.#storeWithList());
    const ours: Record<string, (event: never) => void> = {};
    for (const name in handlers) {
      const handle = handlePointer(name);
      ours[name] = (event) => {
        this.#isAboutToCast = true;
        try {
          handle(event);
        } finally {
          this.#isAboutToCast = false;
        }
      };
    }
    this.#before = handlers;
    this.#handlers = ours as unknown as Handlers;
    this.#exchange(this.#handlers);
  }

  #end(): void {
    const { events } = this.#store.getState();
    if (this.#before !== null && events.handlers === this.#handlers) this.#exchange(this.#before);
    this.#before = this.#handlers = null;
  }

  /** Puts handlers in the place of others, and at the element that the events come from. */
  #exchange(handlers: Handlers): void {
    const { events, setEvents } = this.#store.getState();
    const { connected } = events;
    events.disconnect?.();
    setEvents({ handlers });
    if (connected) this.#store.getState().events.connect?.(connected);
  }

  /** The store as `createEvents` reads it, by `getState` alone; what it writes goes to the real one. */
  #storeWithList(): RootStore {
    let known: RootState | null = null;
    let ours: RootState | null = null;
    const getState = (): RootState => {
      const state = this.#store.getState();
      if (state !== known || ours === null) {
        const internal = new Proxy(state.internal, {
          get: (of, key) => (key === 'interaction' ? this.#read(of) : Reflect.get(of, key)),
        });
        known = state;
        ours = { ...state, internal };
      }
      return ours;
    };
    return { getState } as RootStore;
  }

  #read({ interaction }: RootState['internal']): Object3D[] {
    if (!this.#isAboutToCast) return interaction;
    this.#isAboutToCast = false;
    return this.#list.of(interaction);
  }
}

/** True for handlers whose code is that of `createEvents`, and not of an event manager of somebody else's. */
function isMadeByFiber(handlers: Handlers): boolean {
  const { handlePointer } = createEvents({} as RootStore);
  return Object.entries(handlers).every(([name, handler]) => String(handler) === String(handlePointer(name)));
}
