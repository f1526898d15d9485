import { addAfterEffect } from '@react-three/fiber';
import { type RefObject, useEffect, useState } from 'react';
import { type Object3D, Vector3 } from 'three';
import { checkCount } from '../core/options.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { NONE, useNeededIndex } from './useSceneIndex.js';

const from = new Vector3();

/**
 * Returns the objects of the accelerated scene nearest to an object, nearest first.
 *
 * Measured from the position of the object to the bounds of others; the object and its descendants are left out. Empty
 * while there is no index. The component is rendered again when the result or its order changes, at most once a frame.
 * @param object A ref of the object, which need not be drawn.
 * @param count The most objects to return, a whole number from 1.
 * @param maxDistance The farthest that counts, in world units. Default any distance.
 * @throws Error outside of a canvas, TypeError or RangeError for invalid numbers.
 * @example
 * ```tsx
 * import { useRef } from 'react';
 * import type { Mesh } from 'three';
 * import { useNearest } from 'three-scene-index/react';
 *
 * export function Radar() {
 *   const ship = useRef<Mesh>(null);
 *   const nearest = useNearest(ship, 3, 50);
 *   return <mesh ref={ship} userData={{ targets: nearest.map(({ name }) => name) }} />;
 * }
 * ```
 */
export function useNearest<T extends Object3D = Object3D>(
  object: RefObject<Object3D | null>,
  count: number,
  maxDistance: number = Number.POSITIVE_INFINITY,
): readonly T[] {
  checkCount(count, 'useNearest.count');
  const index = useNeededIndex<T>('useNearest');
  const [nearest, setNearest] = useState<readonly T[]>(NONE);
  useEffect(() => {
    let known: readonly T[] = NONE;
    const search = (): void => {
      // A frame may come between the end of the index and that of this effect.
      if (!index?.has(index.root)) return;
      const found = object.current === null ? NONE : nearestOthers(index, object.current, count, maxDistance);
      if (found.length === known.length && found.every((one, i) => one === known[i])) return;
      known = found;
      setNearest(found);
    };
    search();
    const stop = addAfterEffect(search);
    return () => {
      stop();
      setNearest(NONE);
    };
  }, [index, object, count, maxDistance]);
  return nearest;
}

/** The nearest that are no part of an object. A place that is NaN has nothing near; the index would throw. */
function nearestOthers<T extends Object3D>(index: SceneIndex<T>, object: Object3D, count: number, maxDistance: number) {
  from.setFromMatrixPosition(object.matrixWorld);
  if (Number.isNaN(from.x + from.y + from.z)) return NONE;
  const parts = new Set<Object3D>();
  object.traverse((part) => parts.add(part));
  const found = index.nearest(from, count + parts.size, maxDistance).map((one) => one.object);
  return found.filter((one) => !parts.has(one)).slice(0, count);
}
