import { type Event, Object3D } from 'three';

export type ChildEvent = Event & { child: Object3D; target: Object3D };

/** Called for children that come and go. */
export interface ChildListeners {
  readonly added: (event: ChildEvent) => void;
  readonly removed: (event: ChildEvent) => void;
}

type Lists = { [type: string]: unknown[] };
/** Where three keeps the listeners of an object, a private part of it. */
type Holder = { _listeners?: Lists };

/**
 * Has an object tell of children that come and go: as `addEventListener` does, in a fifth of the memory where there are no
 * listeners yet, as lists that grow begin large. Where three keeps its listeners otherwise, just as that does.
 */
export function listen(object: Object3D, { added, removed }: ChildListeners): void {
  const holder = object as Holder;
  if (isLayoutKnown() && holder._listeners === undefined) {
    holder._listeners = { childadded: [added], childremoved: [removed] };
    return;
  }
  object.addEventListener('childadded', added as never);
  object.addEventListener('childremoved', removed as never);
}

/** Takes that back. three would keep the emptied lists; without them the object is as it was before. */
export function unlisten(object: Object3D, { added, removed }: ChildListeners): void {
  const holder = object as Holder;
  const isKnown = isLayoutKnown();
  // It cannot be deleted from an object that was sealed since.
  if (isKnown && hasNoOther(holder._listeners, added, removed) && Reflect.deleteProperty(holder, '_listeners')) return;
  object.removeEventListener('childadded', added as never);
  object.removeEventListener('childremoved', removed as never);
  const lists = holder._listeners;
  if (!isKnown || lists === undefined) return;
  for (const type of ['childadded', 'childremoved']) if (lists[type]?.length === 0) delete lists[type];
  if (Object.keys(lists).length === 0) Reflect.deleteProperty(holder, '_listeners');
}

/** True when these are the only listeners, as nearly always. */
function hasNoOther(lists: Lists | undefined, added: unknown, removed: unknown): boolean {
  if (lists === undefined) return false;
  for (const type in lists) {
    const own = type === 'childadded' ? added : type === 'childremoved' ? removed : null;
    if (lists[type].length !== 1 || lists[type][0] !== own) return false;
  }
  return true;
}

let known: boolean | null = null;

/** Finds out once whether three keeps listeners where this file writes them: they are called, and others are put beside them. */
function isLayoutKnown(): boolean {
  if (known !== null) return known;
  const parent = new Object3D();
  const child = new Object3D();
  let calls = 0;
  const count = (): void => {
    calls++;
  };
  (parent as Holder)._listeners = { childadded: [count], childremoved: [count] };
  parent.add(child);
  parent.remove(child);
  parent.addEventListener('childadded', () => {});
  const lists = (parent as Holder)._listeners;
  known = calls === 2 && lists?.childadded?.length === 2 && lists.childremoved?.length === 1;
  return known;
}
