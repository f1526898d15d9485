import { type Event, Object3D } from 'three';
import { forgetListener, type Holder } from '../objects/forgetListener.js';

export type ChildEvent = Event & { child: Object3D; target: Object3D };

/** Called for children that come and go. */
export interface ChildListeners {
  readonly added: (event: ChildEvent) => void;
  readonly removed: (event: ChildEvent) => void;
}

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

/** Takes that back. */
export function unlisten(object: Object3D, { added, removed }: ChildListeners): void {
  forgetListener(object, 'childadded', added);
  forgetListener(object, 'childremoved', removed);
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
