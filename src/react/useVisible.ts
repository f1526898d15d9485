import { useThree } from '@react-three/fiber';
import { useEffect, useState } from 'react';
import type { Camera, Object3D } from 'three';
import { SharedTracker } from './SharedTracker.js';
import { useSceneIndex } from './useSceneIndex.js';

const NONE: readonly Object3D[] = [];

/**
 * The objects of the accelerated scene that a camera sees, as `index.cull(camera)` lists them, in no order; none while there
 * is no index. The component is rendered again when the set changes, once a frame at most.
 * @param camera Default the camera of the canvas.
 * @throws Error outside of a canvas, TypeError for what is no camera.
 */
export function useVisible(camera?: Camera): readonly Object3D[] {
  const index = useSceneIndex();
  const ofCanvas = useThree((state) => state.camera);
  const watched = camera ?? ofCanvas;
  const [visible, setVisible] = useState(NONE);
  useEffect(() => {
    if (index === null) return;
    const shared = SharedTracker.take(index, watched);
    const show = (): void => setVisible(shared.visible);
    show();
    const stop = shared.onChange(show);
    return () => {
      stop();
      shared.release();
      setVisible(NONE);
    };
  }, [index, watched]);
  return visible;
}
