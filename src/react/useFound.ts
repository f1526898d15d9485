import { addAfterEffect, useThree } from '@react-three/fiber';
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { type Camera, type Object3D, Vector3 } from 'three';
import { checkCount } from '../core/options.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { useNeededIndex } from './useSceneIndex.js';

/**
 * Returns the objects of the accelerated scene that a camera sees.
 *
 * They are those of `index.cull(camera)`; empty while there is no index. The component is rendered again when the set
 * changes, at most once a frame.
 * @param camera Default the camera of the canvas.
 * @throws Error outside of a canvas, TypeError for anything but a camera.
 * @example
 * ```tsx
 * import { useVisible } from 'three-scene-index/react';
 *
 * export function Counter() {
 *   const visible = useVisible();
 *   return <group userData={{ count: visible.length }} />;
 * }
 * ```
 */
export function useVisible<T extends Object3D = Object3D>(camera?: Camera): readonly T[] {
  const ofCanvas = useThree((state) => state.camera);
  const by = camera ?? ofCanvas;
  const find = useMemo(() => {
    const list: T[] = [];
    return (index: SceneIndex<T>) => index.cull(by, list);
  }, [by]);
  return useFound('useVisible', find);
}

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
  const find = useCallback(
    (index: SceneIndex<T>) =>
      object.current === null ? NONE : nearestOthers(index, object.current, count, maxDistance),
    [object, count, maxDistance],
  );
  return useFound('useNearest', find);
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

const from = new Vector3();
const NONE: readonly never[] = [];

/** What is found in the index after each frame; the component is rendered again when that changes. */
function useFound<T extends Object3D>(hook: string, find: (index: SceneIndex<T>) => readonly T[]): readonly T[] {
  const index = useNeededIndex<T>(hook);
  const [found, setFound] = useState<readonly T[]>(NONE);
  useEffect(() => {
    let known: readonly T[] = NONE;
    const search = (): void => {
      // It may have ended: a frame may come before that of this effect, as may the mount of a component.
      if (!index?.has(index.root)) return;
      const now = find(index);
      if (now.length === known.length && now.every((one, i) => one === known[i])) return;
      known = [...now];
      setFound(known);
    };
    search();
    const stop = addAfterEffect(search);
    return () => {
      stop();
      setFound(NONE);
    };
  }, [index, find]);
  return found;
}
