import type { Object3D } from 'three';
import type { ObjectRecord } from './ObjectRecord.js';

/** What the nearest object was given, that of the record or one above it; undefined where none was given anything. */
export function ruleFor<T>(record: ObjectRecord, rules: WeakMap<Object3D, T>): T | undefined {
  for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
    const rule = rules.get(r.object);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
