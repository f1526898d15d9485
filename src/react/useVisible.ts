import { useThree } from '@react-three/fiber';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Camera, Object3D } from 'three';
import type { VisibilityTrackerOptions } from '../scene/VisibilityTracker.js';
import { SharedTracker } from './SharedTracker.js';
import { useCurrent } from './useNearest.js';
import { useNeededIndex } from './useSceneIndex.js';

const NONE: readonly Object3D[] = [];

/**
 * The objects of the accelerated scene that a camera sees, as `index.cull(camera)` lists them, in no order; none while there
 * is no index. The component is rendered again when the set changes, at most once a frame.
 * @param camera Default the camera of the canvas.
 * @throws Error outside of a canvas, TypeError for what is no camera.
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
  /** The camera that counts. Default that of the canvas. */
  camera?: Camera;
  /** Called when the object comes into view, with its band of distance: 0 where no `bands` are given. */
  onEnter?: (band: number) => void;
  /** Called when the object leaves the view, or object, component or index are gone: once after each `onEnter`. */
  onLeave?: () => void;
  /** Called when the object is in another band than before. */
  onBand?: (band: number, previous: number) => void;
}

/**
 * Watches whether a camera sees an object, or anything below it, as of the last picture: to load detail, or animate only
 * what is seen. All watches of one camera with equal `bands` and `hysteresis` share a tracker, so there may be thousands;
 * they cost nothing while nothing comes or goes.
 *
 * Changes are told by the callbacks, and by rendering the component again.
 * @param object A ref of the object.
 * @returns true while it is in view; false while there is no index.
 * @throws Error outside of a canvas, TypeError or RangeError for a camera or options that are not legal.
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
