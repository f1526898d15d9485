import { addAfterEffect, useStore, useThree } from '@react-three/fiber';
import { type RefObject, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Camera, type Object3D, type Scene, Vector3 } from 'three';
import { EMPTY_ARRAY } from '../core/arrays.js';
import { checkCount } from '../core/options.js';
import type { AcceleratedScene } from '../render/accelerate.js';
import { checkCamera, checkDistance, checkObject } from '../scene/objects/checks.js';
import type { SceneIndex } from '../scene/SceneIndex.js';
import { indexOf, scenesAround, subscribe } from './Accelerated.js';

/**
 * Returns the index of the scene that a component is in, or null.
 *
 * The index comes from an `<Accelerated>` anywhere in the canvas. In a portal into another scene it is the index of
 * that scene, or else of the canvas. The component is rendered again when the index comes or goes.
 * @throws Error outside of a canvas.
 * @example
 * ```tsx
 * import { useSceneIndex } from 'three-scene-index/react';
 *
 * export function Picker() {
 *   const index = useSceneIndex();
 *   return <mesh onClick={(event) => console.log(index?.nearest(event.point, 5))} />;
 * }
 * ```
 */
export function useSceneIndex<T extends Object3D = Object3D>(): AcceleratedScene<T> | null {
  const store = useStore();
  const scenes = useMemo(() => scenesAround(store), [store]);
  const read = (): AcceleratedScene<T> | null =>
    (scenes.map(indexOf).find((index) => index !== null) as AcceleratedScene<T> | undefined) ?? null;
  return useSyncExternalStore(subscribe, read, () => null);
}

/**
 * Makes the index refresh a static element and its descendants. Made for the prop `onUpdate`, which React Three Fiber
 * calls whenever the props of an element change.
 *
 * Does nothing for an object that is in no accelerated scene.
 * @example
 * ```tsx
 * import { touch } from 'three-scene-index/react';
 *
 * export const Shelf = ({ height }: { height: number }) => <mesh static onUpdate={touch} position-y={height} />;
 * ```
 */
export function touch(object: Object3D): void {
  checkObject(object, 'touch');
  for (let above: Object3D | null = object; above !== null; above = above.parent) {
    if (indexOf(above as Scene)?.touch(object)) return;
  }
}

/**
 * Returns the objects of the accelerated scene that a camera sees.
 *
 * The list is that of `index.cull(camera)`; empty while there is no index. The component is rendered again when the
 * set changes, at most once a frame.
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
  checkCamera(by, 'useVisible.camera');
  const find = useMemo(() => {
    const list: T[] = [];
    return (index: SceneIndex<T>) => index.cull(by, list);
  }, [by]);
  return useFound('useVisible', find);
}

/**
 * Returns the objects of the accelerated scene nearest to an object, nearest first.
 *
 * Distances go from the position of the object to the bounds of others, without the descendants of the object. Empty
 * while there is no index. The component is rendered again when the result or its order changes, at most once a frame.
 * @param object A ref of the object, which need not be drawn.
 * @param count The most objects to return, a whole number from 1.
 * @param maxDistance The largest distance that counts, in world units. Default any distance.
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
  checkDistance(maxDistance, 'useNearest.maxDistance');
  const find = useCallback(
    (index: SceneIndex<T>) =>
      object.current === null ? EMPTY_ARRAY : nearestOthers(index, object.current, count, maxDistance),
    [object, count, maxDistance],
  );
  return useFound('useNearest', find);
}

/** The nearest objects that are no part of an object; none if its position is not finite: the index would throw. */
function nearestOthers<T extends Object3D>(index: SceneIndex<T>, object: Object3D, count: number, maxDistance: number) {
  from.setFromMatrixPosition(object.matrixWorld);
  if (!Number.isFinite(from.x + from.y + from.z)) return EMPTY_ARRAY;
  const parts = new Set<Object3D>();
  object.traverse((part) => parts.add(part));
  const found = index.nearest(from, count + parts.size, maxDistance).map((one) => one.object);
  return found.filter((one) => !parts.has(one)).slice(0, count);
}

const from = new Vector3();

/** The objects found in the index after each frame; the component is rendered again when they change. */
function useFound<T extends Object3D>(hook: string, find: (index: SceneIndex<T>) => readonly T[]): readonly T[] {
  const index = useNeededIndex<T>(hook);
  const [found, setFound] = useState<readonly T[]>(EMPTY_ARRAY);
  useEffect(() => {
    let known: readonly T[] = EMPTY_ARRAY;
    const search = (): void => {
      // The index may be disposed of already: a frame, or a component's mount, may come before the end of this effect.
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
      setFound(EMPTY_ARRAY);
    };
  }, [index, find]);
  return found;
}

/** The index for a hook that needs an index: if none comes within some frames, a warning says so, once. */
function useNeededIndex<T extends Object3D>(hook: string): AcceleratedScene<T> | null {
  const index = useSceneIndex<T>();
  const isMissing = index === null;
  useEffect(() => {
    if (!isMissing || warned.has(hook)) return;
    let frames = 0;
    const stop = addAfterEffect(() => {
      if (++frames < FRAMES_TO_WAIT) return;
      stop();
      if (!warned.has(hook)) console.warn(`${hook}: no <Accelerated> in this canvas yet; waiting for one`);
      warned.add(hook);
    });
    return stop;
  }, [hook, isMissing]);
  return index;
}

/** Frames to wait for an `<Accelerated>`. */
const FRAMES_TO_WAIT = 10;
const warned = new Set<string>();
