import { Frustum, Matrix4, type PerspectiveCamera } from 'three';
import { random } from '../helpers/random.js';

/** Boxes with edges of 0.5 to 5 in a cube of 1000, six numbers each. */
export function uniformBoxes(count: number, seed: number): Float64Array {
  const next = random(seed);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) {
      const at = next() * 1000 - 500;
      boxes[6 * i + c] = at;
      boxes[6 * i + c + 3] = at + 0.5 + next() * 4.5;
    }
  }
  return boxes;
}

export function cameraPlanes(camera: PerspectiveCamera): Float64Array {
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const { planes } = new Frustum().setFromProjectionMatrix(matrix);
  return Float64Array.from(planes.flatMap((p) => [p.normal.x, p.normal.y, p.normal.z, p.constant]));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
