import type { Object3D } from 'three';
import type { ObjectRecord } from './ObjectRecord.js';

/** The rule given to the nearest object among a record's object and its ancestors; undefined when none has a rule. */
export function ruleFor<T>(record: ObjectRecord, rules: WeakMap<Object3D, T>): T | undefined {
  for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
    const rule = rules.get(r.object);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
