import { type Event, EventDispatcher, type Object3D } from 'three';

/** The table of three for the listeners of an object. Without it: `addEventListener`, at five times the memory. */
type ListenerHolder = { _listeners?: { [type: string]: unknown[] } };
type ListenerTable = NonNullable<ListenerHolder['_listeners']>;

/** The event dispatched by three to an object whose children change. */
export type ChildEvent = Event & { child: Object3D; target: Object3D };

/**
 * Listens to children of objects that come and go.
 *
 * three keeps the listeners of an object in a table of lists. Most objects never get a child, so a table of ours is
 * empty: accessors of its prototype make the two lists, of that object alone, when three or a page first asks for them.
 * If an object has listeners already, or three keeps them elsewhere, `addEventListener` is called.
 */
export class ChildListeners {
  readonly #added: (event: ChildEvent) => void;
  readonly #removed: (event: ChildEvent) => void;
  readonly #Table: new () => ListenerTable;

  constructor(added: (event: ChildEvent) => void, removed: (event: ChildEvent) => void) {
    this.#added = added;
    this.#removed = removed;
    this.#Table = tableOf(added, removed);
  }

  add(object: Object3D): void {
    const holder = object as ListenerHolder;
    if (holder._listeners === undefined && isLayoutKnown()) {
      holder._listeners = new this.#Table();
      return;
    }
    object.addEventListener('childadded', this.#added as never);
    object.addEventListener('childremoved', this.#removed as never);
  }

  /** True for an object that has the listeners of this instance, and for a proxy of the object. */
  areOn(object: Object3D): boolean {
    // A page may have passed anything in place of an object.
    return object.hasEventListener?.('childadded', this.#added as never) === true;
  }

  remove(object: Object3D): void {
    const holder = object as ListenerHolder;
    const table = holder._listeners;
    if (table instanceof this.#Table) {
      if (Object.keys(table).length === 0 && clear(object)) return;
      // The table becomes an ordinary table, without accessors that make lists.
      Object.setPrototypeOf(table, Object.prototype);
    }
    forgetListener(object, 'childadded', this.#added);
    forgetListener(object, 'childremoved', this.#removed);
  }
}

/** A class of tables that make each list when it is first read, with our listener in it. */
function tableOf(added: unknown, removed: unknown): new () => ListenerTable {
  const listOf = (type: string, listener: unknown): PropertyDescriptor => ({
    get(this: object): unknown[] {
      const value = [listener];
      Object.defineProperty(this, type, { value, configurable: true, enumerable: true, writable: true });
      return value;
    },
  });
  // An object of a class without fields takes less than half the memory of an object from `Object.create`.
  class EmptyTable {}
  Object.defineProperties(EmptyTable.prototype, {
    childadded: listOf('childadded', added),
    childremoved: listOf('childremoved', removed),
  });
  return EmptyTable as new () => ListenerTable;
}

let tablesOfThree: boolean | null = null;

/** Finds out once whether three keeps listeners where `add` writes them. */
function isLayoutKnown(): boolean {
  if (tablesOfThree !== null) return tablesOfThree;
  // No Object3D is used: one with a table before all others makes engines compile their code for objects anew.
  const heard = new EventDispatcher<{ childadded: object; childremoved: object }>();
  let calls = 0;
  const count = (): number => calls++;
  (heard as ListenerHolder)._listeners = new (tableOf(count, count))();
  heard.dispatchEvent({ type: 'childadded' });
  heard.dispatchEvent({ type: 'childremoved' });
  heard.addEventListener('childadded', () => {});
  tablesOfThree = calls === 2 && (heard as ListenerHolder)._listeners?.childadded?.length === 2;
  return tablesOfThree;
}

/** Removes a listener from an object, with the empty lists that three would keep. */
export function forgetListener(object: Object3D, type: string, listener: unknown): void {
  object.removeEventListener(type as never, listener as never);
  const { _listeners: lists } = object as ListenerHolder;
  if (lists === undefined) return;
  for (const kind in lists) if (lists[kind].length === 0) delete lists[kind];
  if (Object.keys(lists).length === 0) clear(object);
}

/**
 * Leaves an object without listeners, as three finds a new object; false for an object that was frozen since. After a
 * property of an object was deleted, engines read all its other properties slowly.
 */
function clear(object: Object3D): boolean {
  return Reflect.set(object, '_listeners', undefined);
}
