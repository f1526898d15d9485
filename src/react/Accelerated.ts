import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import { accelerate } from '../three/accelerate/accelerate.js';

/** Accelerates the scene of the canvas that it is in: `<Canvas><Accelerated />…</Canvas>`. */
export function Accelerated(): null {
  const scene = useThree((state) => state.scene);
  useEffect(() => {
    const index = accelerate(scene);
    return () => index.dispose();
  }, [scene]);
  return null;
}
