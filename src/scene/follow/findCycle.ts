import type { Object3D } from 'three';

/** An object at or below `top` that lies below itself; null when there is none. Takes memory for each object. */
export function findCycle(top: Object3D): Object3D | null {
  /** Objects on the way from the top to the present one, and objects with everything below them walked. */
  const open = new Set<Object3D>();
  const done = new Set<Object3D>();
  const pending = [top];
  for (let object = pending.at(-1); object !== undefined; object = pending.at(-1)) {
    if (done.has(object) || open.has(object)) {
      open.delete(object);
      done.add(object);
      pending.pop();
      continue;
    }
    open.add(object);
    for (const child of object.children) {
      if (open.has(child)) return child;
      // Children that were set by hand may be anything.
      if (child?.isObject3D === true && !done.has(child)) pending.push(child);
    }
  }
  return null;
}
