import { Group, type Object3D } from 'three';
import { isDrawable } from '../../views/drawings/isDrawable.js';

/**
 * Puts a group above every drawable that has children, and the children beside it. Nothing moves, and a list of
 * drawables handed to the renderer draws each once: it would draw children along with their parent.
 */
export function unnest(root: Object3D): Object3D {
  const nested: Object3D[] = [];
  root.traverse((object) => {
    if (isDrawable(object) && object.children.length > 0) nested.push(object);
  });
  let top = root;
  for (const object of nested) {
    const group = new Group();
    group.name = object.name;
    group.matrixAutoUpdate = object.matrixAutoUpdate;
    group.position.copy(object.position);
    group.quaternion.copy(object.quaternion);
    group.scale.copy(object.scale);
    group.matrix.copy(object.matrix);
    object.parent?.add(group);
    for (const child of [...object.children]) group.add(child);
    group.add(object);
    object.position.set(0, 0, 0);
    object.quaternion.identity();
    object.scale.set(1, 1, 1);
    object.matrix.identity();
    if (object === root) top = group;
  }
  return top;
}
