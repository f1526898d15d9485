import type { Object3D } from 'three';

/** What the nearest object was given, the object itself or one above it; undefined where none was given anything. */
export function ruleFor<T>(object: Object3D, rules: WeakMap<Object3D, T>): T | undefined {
  for (let o: Object3D | null = object; o !== null; o = o.parent) {
    const rule = rules.get(o);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
