import { type Camera, Frustum, Matrix4 } from 'three';
import { cameraPlanes, flattenPlanes, viewAt, viewCount } from '../../scene/ask/cameraPlanes.js';

const frustum = new Frustum();
const matrix = new Matrix4();

/**
 * The planes of each view of a camera in the frame of an object, in three's order of operations: so rounding is that of
 * `BatchedMesh`.
 */
export function localFrusta(camera: Camera, matrixWorld: Matrix4): Float64Array[] {
  if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
  const frusta: Float64Array[] = [];
  for (let i = 0; i < viewCount(camera); i++) frusta.push(localPlanes(viewAt(camera, i), matrixWorld));
  return frusta;
}

/** The planes of a camera by its present matrices, in the world. */
export function worldPlanes(camera: Camera): Float64Array {
  return cameraPlanes(camera, new Float64Array(24));
}

/** The same in the frame of an object. */
export function localPlanes(camera: Camera, matrixWorld: Matrix4): Float64Array {
  matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(matrixWorld);
  frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  return flattenPlanes(frustum.planes, new Float64Array(24));
}
