import type { Object3D } from 'three';

/**
 * True for the same object, or for one and a proxy of it, as reactive state hands out (Vue's `reactive`). Both have the
 * same `id` and `uuid`, which three's copies and clones do not.
 */
export function isSame(a: Object3D | null | undefined, b: Object3D): boolean {
  return a === b || (a?.id === b.id && a.uuid === b.uuid);
}

/** What one of Vue's proxies stands for, as Vue's `toRaw` finds it; any other object itself. */
export function rawOf<T extends Object3D>(object: T): T {
  const raw = (object as { __v_raw?: T }).__v_raw;
  return raw === undefined ? object : rawOf(raw);
}
