import { Matrix3, type Matrix4, Vector3 } from 'three';

/** By how much planes are shifted outwards for graphics cards, who compute in single precision: a share of all coordinates. */
const SINGLE = 2 ** -20;
/** The same of the planes near and far, whose places come of the difference of two large numbers. */
const DEPTH = 2 ** -22;
/** The planes of a frustum whose normals lie along the view, and three others. */
const ENDS = [16, 20] as const;
const SIDES = [0, 4, 8] as const;

/**
 * The six planes of a frustum in the world in the frame of an object, so that no part of what a graphics card draws within
 * them is beyond.
 * @param farthest The largest coordinate of what lies in the frame.
 */
export function carryPlanes(planes: Float64Array, matrixWorld: Matrix4, farthest: number): Float64Array {
  const { elements: e } = matrixWorld;
  const local = new Float64Array(24);
  const beyond = depthError(planes);
  for (let p = 0; p < 24; p += 4) {
    const [x, y, z, constant] = planes.subarray(p, p + 4);
    const moved = constant + (p >= ENDS[0] ? beyond : 0);
    // A plane goes the other way than points: by the transposed matrix, projective or not.
    for (let c = 0; c < 4; c++)
      local[p + c] = x * e[4 * c] + y * e[4 * c + 1] + z * e[4 * c + 2] + moved * e[4 * c + 3];
    const length = Math.hypot(local[p], local[p + 1], local[p + 2]);
    const size = Math.abs(constant) + Math.abs(x * e[12] + y * e[13] + z * e[14]);
    for (let c = 0; c < 4; c++) local[p + c] /= length;
    local[p + 3] += SINGLE * (size / length + farthest);
  }
  return local;
}

/**
 * How far off a graphics card may put the far plane of a perspective camera. In clip space z and w differ there by the
 * distance of the near plane alone, and are rounded by a share of that of the far one.
 */
function depthError(planes: Float64Array): number {
  const normals = SIDES.map((p) => normal.fromArray(planes, p).clone());
  matrix.set(...(normals.flatMap((n) => n.toArray()) as Nine));
  // The sides of an orthographic camera meet nowhere: it has no such error.
  if (Math.abs(matrix.determinant()) < 1e-9) return 0;
  eye.set(-planes[SIDES[0] + 3], -planes[SIDES[1] + 3], -planes[SIDES[2] + 3]).applyMatrix3(matrix.invert());
  const [a, b] = ENDS.map((p) => Math.abs(normal.fromArray(planes, p).dot(eye) + planes[p + 3]));
  const error = (DEPTH * Math.max(a, b) ** 2) / Math.min(a, b);
  return Number.isFinite(error) ? error : Number.POSITIVE_INFINITY;
}

type Nine = Parameters<Matrix3['set']>;

const matrix = new Matrix3();
const normal = new Vector3();
const eye = new Vector3();
