import { PerspectiveCamera } from 'three';

/** How a camera of `eye` differs from one of 60 degrees that sees from 0.1 to 500 and looks at the origin. */
export interface EyeOptions {
  fov?: number;
  aspect?: number;
  near?: number;
  far?: number;
  lookAt?: readonly [x: number, y: number, z: number];
}

/** A perspective camera at a place, with up-to-date matrices. */
export function eye(
  x = 0,
  y = 0,
  z = 60,
  { fov = 60, aspect = 1, near = 0.1, far = 500, lookAt = [0, 0, 0] }: EyeOptions = {},
): PerspectiveCamera {
  const camera = new PerspectiveCamera(fov, aspect, near, far);
  camera.position.set(x, y, z);
  camera.lookAt(...lookAt);
  camera.updateMatrixWorld();
  return camera;
}
