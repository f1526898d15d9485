import { addAfterEffect, useThree } from '@react-three/fiber';
import { useEffect, useState } from 'react';
import type { Camera, Object3D } from 'three';
import { VisibilityTracker } from '../scene/VisibilityTracker.js';
import { NONE, useNeededIndex } from './useSceneIndex.js';

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
  const index = useNeededIndex<T>('useVisible');
  const ofCanvas = useThree((state) => state.camera);
  const by = camera ?? ofCanvas;
  const [visible, setVisible] = useState<readonly T[]>(NONE);
  useEffect(() => {
    // A component that is mounted as another index comes has rendered with the one before.
    if (!index?.has(index.root)) return;
    const tracker = new VisibilityTracker(index, by);
    const update = (): void => {
      tracker.update();
      if (tracker.entered.length + tracker.left.length > 0) setVisible([...tracker.visible]);
    };
    update();
    const stop = addAfterEffect(update);
    return () => {
      stop();
      setVisible(NONE);
    };
  }, [index, by]);
  return visible;
}
