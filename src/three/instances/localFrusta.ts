import { type Camera, Frustum, Matrix4 } from 'three';
import { cameraPlanes, flattenPlanes, viewAt, viewCount } from '../cameras/cameraPlanes.js';

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

/** By how much planes for graphics cards are shifted outwards, who compute in single precision: a share of all coordinates. */
const SINGLE = 2 ** -20;

/**
 * Planes of the world in the frame of an object, so that no part of what a graphics card draws within them is beyond.
 * @param farthest The largest coordinate of what lies in the frame.
 */
export function carryPlanes(planes: Float64Array, matrixWorld: Matrix4, farthest: number): Float64Array {
  const { elements: e } = matrixWorld;
  const local = new Float64Array(24);
  for (let p = 0; p < 24; p += 4) {
    const [x, y, z, constant] = planes.subarray(p, p + 4);
    for (let c = 0; c < 4; c++) local[p + c] = x * e[4 * c] + y * e[4 * c + 1] + z * e[4 * c + 2];
    const length = Math.hypot(local[p], local[p + 1], local[p + 2]);
    const shift = SINGLE * ((Math.abs(local[p + 3]) + Math.abs(constant)) / length + farthest);
    local[p + 3] += constant;
    for (let c = 0; c < 4; c++) local[p + c] /= length;
    local[p + 3] += shift;
  }
  return local;
}
