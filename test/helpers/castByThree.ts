import type { Intersection, Object3D, Raycaster } from 'three';

/**
 * The hits of three's own walk, nearest first: casts by `raycaster.intersectObject` at what lies in an accelerated scene are
 * answered by its index.
 */
export function castByThree(top: Object3D, raycaster: Raycaster): Intersection[] {
  const hits: Intersection[] = [];
  const pending = [top];
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    const isSeen = object.layers.test(raycaster.layers);
    if (isSeen && (object.raycast(raycaster, hits) as unknown) === false) continue;
    pending.push(...[...object.children].reverse());
  }
  return hits.sort((a, b) => a.distance - b.distance);
}
