import type { Object3D } from 'three';

/** Where three keeps the listeners of an object, a private part of it. */
export type Holder = { _listeners?: { [type: string]: unknown[] } };

/**
 * Removes a listener from an object. three would keep the list that it was in when that is empty; without such lists the
 * object is as it was before.
 */
export function forgetListener(object: Object3D, type: string, listener: unknown): void {
  object.removeEventListener(type as never, listener as never);
  const { _listeners: lists } = object as Holder;
  if (lists === undefined) return;
  for (const kind in lists) if (lists[kind].length === 0) delete lists[kind];
  // It cannot be deleted from an object that was sealed since.
  if (Object.keys(lists).length === 0) Reflect.deleteProperty(object, '_listeners');
}
