import { type Camera, Frustum, Matrix4, Vector4, WebGPUCoordinateSystem } from 'three';
import { flattenPlanes } from '../scene/ask/cameraPlanes.js';

/** Pixels around: outlines sample their depths with a filter, and lines are a pixel wide. */
const MARGIN = 2;
/** Of the depth from 0 to 1: `OutlinePass` keeps depths in channels of half precision, whose error is 2^-12. */
const DEPTH_MARGIN = 2 ** -10;

/** What is seen of some boxes: a rectangle on the screen and the greatest depth, in normalised device coordinates. */
export interface Seen {
  readonly min: [x: number, y: number];
  readonly max: [x: number, y: number];
  depth: number;
}

const projection = new Matrix4();
const crop = new Matrix4();
const corner = new Vector4();
const frustum = new Frustum();

/** Begins with nothing. */
export function seeNothing(): Seen {
  return { min: [1, 1], max: [-1, -1], depth: -1 };
}

/** Adds a box: minX minY minZ maxX maxY maxZ, in the world. */
export function seeBox(camera: Camera, box: ArrayLike<number>, out: Seen): void {
  projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  for (let c = 0; c < 8; c++) {
    corner.set(box[c & 1 ? 3 : 0], box[c & 2 ? 4 : 1], box[c & 4 ? 5 : 2], 1).applyMatrix4(projection);
    const { x, y, z, w } = corner;
    // Beside or behind the eye it may be anywhere on the screen.
    if (!(w > 0)) {
      out.min.fill(-1);
      out.max.fill(1);
      out.depth = 1;
      return;
    }
    [x, y].forEach((value, axis) => {
      out.min[axis] = Math.min(out.min[axis], Math.max(-1, value / w));
      out.max[axis] = Math.max(out.max[axis], Math.min(1, value / w));
    });
    out.depth = Math.max(out.depth, z / w);
  }
}

/**
 * The planes of what may cover it: all before the greatest depth that is seen in the rectangle or near its edges.
 * @param size That of the render target.
 * @param hasDepth Whether depths of the target are those of the projection.
 */
export function coverPlanes(
  camera: Camera,
  { min, max, depth }: Seen,
  size: { readonly width: number; readonly height: number },
  hasDepth: boolean,
): Float64Array {
  const margins = [(2 * MARGIN) / size.width, (2 * MARGIN) / size.height];
  const [left, bottom] = min.map((value, axis) => Math.max(-1, value - margins[axis]));
  const [right, top] = max.map((value, axis) => Math.min(1, value + margins[axis]));
  const near = camera.coordinateSystem === WebGPUCoordinateSystem ? 0 : -1;
  const isCut = hasDepth && !camera.reversedDepth;
  const far = isCut ? Math.min(1, depth + DEPTH_MARGIN * (1 - near)) : 1;
  // Maps the part of the clip space to all of it.
  const scale = (1 - near) / (far - near);
  const [width, height] = [right - left, top - bottom];
  crop.makeScale(2 / width, 2 / height, scale);
  crop.setPosition(-(left + right) / width, -(bottom + top) / height, 1 - scale * far);
  projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).premultiply(crop);
  frustum.setFromProjectionMatrix(projection, camera.coordinateSystem, camera.reversedDepth);
  return flattenPlanes(frustum.planes, new Float64Array(24));
}
