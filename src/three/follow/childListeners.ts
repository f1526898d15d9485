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
 * Has an object tell of children that come and go: as `addEventListener` does, in a fifth of the memory where there are
 * no listeners yet, as lists that grow begin large. Where three keeps its listeners otherwise, just as that does.
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
  object.removeEventListener('childadded', added as never);
  object.removeEventListener('childremoved', removed as never);
  const { _listeners: lists } = object as Holder;
  if (lists === undefined) return;
  for (const type in lists) if (lists[type].length === 0) delete lists[type];
  // It cannot be deleted from an object that was sealed since.
  if (Object.keys(lists).length === 0) Reflect.deleteProperty(object, '_listeners');
}

let known: boolean | null = null;

/**
 * Finds out once whether three keeps listeners where this file writes them: they are called, and others are put beside
 * them.
 */
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
  known = calls === 2 && (parent as Holder)._listeners?.childadded?.length === 2;
  return known;
}
