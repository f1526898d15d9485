import { type ArrayCamera, type Camera, Frustum, Matrix4 } from 'three';

const frustum = new Frustum();
const matrix = new Matrix4();

/** The planes of a frustum as the core takes them: normal x y z and constant of each, pointing inwards. */
export function frustumPlanes(from: Frustum, out: Float64Array): Float64Array {
  for (let i = 0; i < 6; i++) {
    const { normal, constant } = from.planes[i];
    out[4 * i] = normal.x;
    out[4 * i + 1] = normal.y;
    out[4 * i + 2] = normal.z;
    out[4 * i + 3] = constant;
  }
  return out;
}

/**
 * The planes of a camera by its present matrices, whatever its kind: three reads them from the projection matrix, in
 * the clip space and depth order that the camera says it has.
 */
export function cameraPlanes(camera: Camera, out: Float64Array): Float64Array {
  matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  return frustumPlanes(frustum, out);
}

/** The cameras whose views a camera shows: those of an `ArrayCamera`, else itself; with matrices brought up to date. */
export function viewsOf(camera: Camera): Camera[] {
  if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
  const { cameras } = camera as ArrayCamera;
  if ((camera as ArrayCamera).isArrayCamera !== true || cameras.length === 0) return [camera];
  return cameras;
}
