import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
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

/** Towers on a plane of 1000 by 1000, most of them in 40 clusters: what a quadtree on XZ is for. */
export function flatBoxes(count: number, seed: number): Float64Array {
  const next = random(seed);
  const centers = Array.from({ length: 40 }, () => [next() * 1000 - 500, next() * 1000 - 500, 10 + next() * 60]);
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    const [cx, cz, spread] = centers[Math.floor(next() * 40)];
    const isOutside = next() < 0.2;
    const x = isOutside ? next() * 1000 - 500 : cx + (next() + next() - 1) * spread;
    const z = isOutside ? next() * 1000 - 500 : cz + (next() + next() - 1) * spread;
    const width = 0.2 + next();
    boxes.set([x, 0, z, x + width, 0.5 + next() * next() * 20, z + width], 6 * i);
  }
  return boxes;
}

export function cameraPlanes(camera: PerspectiveCamera): Float64Array {
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const { planes } = new Frustum().setFromProjectionMatrix(matrix);
  return Float64Array.from(planes.flatMap((p) => [p.normal.x, p.normal.y, p.normal.z, p.constant]));
}

/** A camera at a place that looks at another, with the far plane at which it sees a share of the boxes. */
export function cameraThatSees(
  boxes: Float64Array,
  share: number,
  at: Vector3,
  target = new Vector3(),
): PerspectiveCamera {
  const found = new Int32Array(boxes.length / 6);
  const camera = new PerspectiveCamera(60, 1.6, 0.1, 1);
  camera.position.copy(at);
  camera.lookAt(target);
  let [low, high] = [1, 8000];
  for (let step = 0; step < 16; step++) {
    camera.far = (low + high) / 2;
    camera.updateProjectionMatrix();
    if (scanFrustum(boxes, cameraPlanes(camera), found) < share * found.length) low = camera.far;
    else high = camera.far;
  }
  return camera;
}

/**
 * Writes the positions of the boxes that six planes keep; returns their number. The plainest loop over flat arrays, as fast
 * as plain code gets: all plane numbers in locals, the first plane that rejects ends a box.
 */
export function scanFrustum(boxes: Float64Array, planes: Float64Array, found: Int32Array): number {
  const [ax, ay, az, a, bx, by, bz, b, cx, cy, cz, c] = planes;
  const [dx, dy, dz, d, ex, ey, ez, e, fx, fy, fz, f] = planes.subarray(12);
  // For each plane the place of the farthest corner's coordinates in a box.
  const far = Array.from({ length: 18 }, (_, i) => (i % 3) + (planes[4 * Math.floor(i / 3) + (i % 3)] > 0 ? 3 : 0));
  const [aX, aY, aZ, bX, bY, bZ, cX, cY, cZ, dX, dY, dZ, eX, eY, eZ, fX, fY, fZ] = far;
  let n = 0;
  for (let i = 0, o = 0; o < boxes.length; i++, o += 6) {
    if (ax * boxes[o + aX] + ay * boxes[o + aY] + az * boxes[o + aZ] + a < 0) continue;
    if (bx * boxes[o + bX] + by * boxes[o + bY] + bz * boxes[o + bZ] + b < 0) continue;
    if (cx * boxes[o + cX] + cy * boxes[o + cY] + cz * boxes[o + cZ] + c < 0) continue;
    if (dx * boxes[o + dX] + dy * boxes[o + dY] + dz * boxes[o + dZ] + d < 0) continue;
    if (ex * boxes[o + eX] + ey * boxes[o + eY] + ez * boxes[o + eZ] + e < 0) continue;
    if (fx * boxes[o + fX] + fy * boxes[o + fY] + fz * boxes[o + fZ] + f < 0) continue;
    found[n++] = i;
  }
  return n;
}
