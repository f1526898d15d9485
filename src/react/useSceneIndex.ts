import { addAfterEffect, useStore } from '@react-three/fiber';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Object3D, Scene } from 'three';
import type { AcceleratedScene } from '../render/accelerate.js';
import { IndexSlot, scenesAround } from './Accelerated.js';

/**
 * Returns the index of the scene that a component is in, or null.
 *
 * It comes from an `<Accelerated>` anywhere in the canvas. In a portal into another scene it is the index of that
 * scene, or else that of the canvas. The component is rendered again when the index comes or goes.
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
  const slots = useMemo(() => scenesAround(store).map((scene) => IndexSlot.of(scene)), [store]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = slots.map((slot) => slot.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    [slots],
  );
  const read = (): AcceleratedScene<T> | null =>
    (slots.find(({ index }) => index !== null)?.index as AcceleratedScene<T> | undefined) ?? null;
  return useSyncExternalStore(subscribe, read, () => null);
}

/**
 * Has the index look again at a static element, and all in it. Made for the prop `onUpdate`, which React Three Fiber
 * calls whenever an element got other props.
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
  for (let above: Object3D | null = object; above !== null; above = above.parent) {
    const index = (above as Scene).isScene ? IndexSlot.of(above as Scene).index : null;
    if (index?.touch(object)) return;
  }
}

/** The index for a hook that is of no use without one: if none comes within some frames, a warning says so, once. */
export function useNeededIndex<T extends Object3D>(hook: string): AcceleratedScene<T> | null {
  const index = useSceneIndex<T>();
  const isMissing = index === null;
  useEffect(() => {
    if (!isMissing || warned.has(hook)) return;
    let frames = 0;
    const stop = addAfterEffect(() => {
      if (++frames < PATIENCE) return;
      stop();
      if (!warned.has(hook)) console.warn(`${hook}: no <Accelerated> in this canvas yet; waiting for one`);
      warned.add(hook);
    });
    return stop;
  }, [hook, isMissing]);
  return index;
}

/** Frames in which an `<Accelerated>` may come. */
const PATIENCE = 10;
/** Hooks that have warned. */
const warned = new Set<string>();
