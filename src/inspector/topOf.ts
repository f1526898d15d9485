import type { Object3D } from 'three';

/** The scene that is drawn, as a rule: the topmost object above one. */
export function topOf(object: Object3D): Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}
