import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import { accelerate } from '../../src/index.js';

/** Goes anywhere into the canvas: `<Canvas><Accelerated />…</Canvas>`. */
export function Accelerated() {
  const scene = useThree((state) => state.scene);
  useEffect(() => {
    const index = accelerate(scene);
    return () => index.dispose();
  }, [scene]);
  return null;
}
