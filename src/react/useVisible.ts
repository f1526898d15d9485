import { useThree } from '@react-three/fiber';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Camera, Object3D } from 'three';
import type { VisibilityTrackerOptions } from '../scene/VisibilityTracker.js';
import { SharedTracker } from './SharedTracker.js';
import { useCurrent } from './useNearest.js';
import { useNeededIndex } from './useSceneIndex.js';

const NONE: readonly Object3D[] = [];

/**
 * Returns the objects of the accelerated scene that a camera sees.
 *
 * They are those of `index.cull(camera)`, in no particular order; empty while there is no index. The component is
 * rendered again when the set changes, at most once a frame.
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
  const index = useNeededIndex('useVisible');
  const ofCanvas = useThree((state) => state.camera);
  const by = camera ?? ofCanvas;
  const [visible, setVisible] = useState(NONE);
  useEffect(() => {
    // A component that is mounted as another index comes has rendered with the one before.
    if (!index?.has(index.root)) return;
    const shared = SharedTracker.take(index, by);
    const show = (): void => setVisible(shared.visible);
    show();
    const stop = shared.onChange(show);
    return () => {
      stop();
      shared.release();
      setVisible(NONE);
    };
  }, [index, by]);
  return visible as readonly T[];
}

/** Options of {@link useVisibilityWatch}. */
export interface VisibilityWatchOptions extends VisibilityTrackerOptions {
  /** The camera that counts. Default the camera of the canvas. */
  camera?: Camera;
  /** Called when the object comes into view, with its distance band. The band is 0 without `bands`. */
  onEnter?: (band: number) => void;
  /**
   * Called when the object leaves the view. Also when object, component or index are gone: once after each `onEnter`.
   */
  onLeave?: () => void;
  /** Called when the object changes its distance band. */
  onBand?: (band: number, previous: number) => void;
}

/**
 * Tells whether a camera sees an object or its descendants, as of the last frame.
 *
 * To load detail, or to animate only what is seen. All watches of one camera with equal `bands` and `hysteresis` share
 * a tracker, so there may be thousands; they cost nothing while nothing comes or goes. Changes call the callbacks, and
 * render the component again.
 * @param object A ref of the object.
 * @returns true while it is in view; false while there is no index.
 * @throws Error outside of a canvas, TypeError or RangeError for an invalid camera or options.
 * @example
 * ```tsx
 * import { useRef } from 'react';
 * import type { Group } from 'three';
 * import { useVisibilityWatch } from 'three-scene-index/react';
 *
 * export function House() {
 *   const house = useRef<Group>(null);
 *   const isSeen = useVisibilityWatch(house);
 *   return <group ref={house}>{isSeen && <mesh name="furniture" />}</group>;
 * }
 * ```
 */
export function useVisibilityWatch(
  object: RefObject<Object3D | null>,
  { camera, bands, hysteresis, ...callbacks }: VisibilityWatchOptions = {},
): boolean {
  const index = useNeededIndex('useVisibilityWatch');
  const ofCanvas = useThree((state) => state.camera);
  const by = camera ?? ofCanvas;
  const watched = useCurrent(object);
  const [isVisible, setVisible] = useState(false);
  const latest = useRef(callbacks);
  useEffect(() => {
    latest.current = callbacks;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list of equal bands is no change
  useEffect(() => {
    if (!index?.has(index.root) || watched === null) return;
    const shared = SharedTracker.take(index, by, {
      ...(bands === undefined ? null : { bands }),
      ...(hysteresis === undefined ? null : { hysteresis }),
    });
    let end: () => void;
    try {
      end = shared.watches.add(watched, {
        enter: (band) => {
          setVisible(true);
          latest.current.onEnter?.(band);
        },
        leave: () => {
          setVisible(false);
          latest.current.onLeave?.();
        },
        change: (band, previous) => latest.current.onBand?.(band, previous),
      });
    } catch (error) {
      shared.release();
      throw error;
    }
    return () => {
      try {
        end();
      } finally {
        shared.release();
      }
    };
  }, [index, watched, by, bands?.join(), hysteresis]);
  return isVisible;
}
