import { addAfterEffect } from '@react-three/fiber';
import { type RefObject, useEffect, useState } from 'react';
import { type Object3D, Vector3 } from 'three';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { useNeededIndex } from './useSceneIndex.js';

const NONE: readonly never[] = [];

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
  const index = useNeededIndex<T>('useNearest');
  const centre = useCurrent(object);
  const [nearest, setNearest] = useState<readonly T[]>(NONE);
  useEffect(() => {
    if (index === null || centre === null) return;
    const from = new Vector3();
    const position = new Vector3();
    let version = Number.NaN;
    let known: readonly T[] = NONE;
    const search = (): void => {
      // A frame may come between the end of the index and that of this effect.
      if (!index.has(index.root)) return;
      position.setFromMatrixPosition(centre.matrixWorld);
      // The index would throw in each frame. A place that is NaN has nothing near, as the index leaves out such objects.
      const isNowhere = Number.isNaN(position.x + position.y + position.z);
      if (!isNowhere && version === index.version && position.equals(from)) return;
      version = isNowhere ? Number.NaN : index.version;
      const found = isNowhere ? NONE : nearestOthers(index, centre, from.copy(position), count, maxDistance);
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
  }, [index, centre, count, maxDistance]);
  return nearest;
}

/** Asks for ever more, until enough are found that are no part of the object. */
function nearestOthers<T extends Object3D>(
  index: SceneIndex<T>,
  object: Object3D,
  from: Vector3,
  count: number,
  maxDistance: number,
): readonly T[] {
  for (let asked = count; ; asked *= 2) {
    const found = index.nearest(from, asked, maxDistance);
    const others = found.map((one) => one.object).filter((one) => !isWithin(one, object));
    if (others.length >= count || found.length < asked) return others.slice(0, count);
  }
}

function isWithin(object: Object3D, top: Object3D): boolean {
  let above: Object3D | null = object;
  while (above !== null && above !== top) above = above.parent;
  return above === top;
}

/** What a ref holds after each rendering of the component, which is rendered again when that changes. */
export function useCurrent<T>(ref: RefObject<T | null>): T | null {
  const [current, setCurrent] = useState<T | null>(null);
  useEffect(() => setCurrent(ref.current));
  return current;
}
