import { useThree } from '@react-three/fiber';
import type { Scene } from 'three';
import { useStatic } from './Static.js';
import { useSceneIndex } from './useSceneIndex.js';

/** Marks a scene static while it is mounted, but for the camera of the canvas. */
export function StaticScene({ scene }: { scene: Scene }): null {
  const found = useSceneIndex();
  // Until a portal has its own index it finds that of the canvas.
  const index = found?.root === scene ? found : null;
  const camera = useThree((state) => state.camera);
  useStatic(index, scene, true);
  useStatic(index, camera, false);
  return null;
}
