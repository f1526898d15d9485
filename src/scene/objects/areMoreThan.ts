import type { Object3D } from 'three';

/** True if these objects and all below them are more than `limit`; looks at few more than that. */
export function areMoreThan(objects: readonly Object3D[], limit: number): boolean {
  let count = objects.length;
  if (count > limit) return true;
  const pending = [...objects];
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    count += object.children.length;
    if (count > limit) return true;
    pending.push(...object.children);
  }
  return false;
}
