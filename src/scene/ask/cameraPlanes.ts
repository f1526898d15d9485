import { type ArrayCamera, type Camera, Frustum, type FrustumArray, Matrix4, type Plane, type Vector2 } from 'three';

const frustum = new Frustum();
const matrix = new Matrix4();

/** Planes as the core takes them: normal x y z and constant of each, pointing inwards; NaN for the rest of `out`. */
export function flattenPlanes(planes: readonly Plane[], out: Float64Array): Float64Array {
  for (let i = 0; i < planes.length; i++) {
    const { normal, constant } = planes[i];
    out[4 * i] = normal.x;
    out[4 * i + 1] = normal.y;
    out[4 * i + 2] = normal.z;
    out[4 * i + 3] = constant;
  }
  return out.fill(Number.NaN, 4 * planes.length);
}

/**
 * The planes of any camera by its present matrices: three reads them from the projection matrix.
 * @param frame The world matrix of an object in whose frame they are wanted, rounded as `BatchedMesh` rounds them.
 */
export function cameraPlanes(
  camera: Camera,
  out: Float64Array = new Float64Array(24),
  frame: Matrix4 | null = null,
): Float64Array {
  matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  if (frame !== null) matrix.multiply(frame);
  frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  return flattenPlanes(frustum.planes, out);
}

/**
 * The planes of the part of a camera's view behind a rectangle on the screen, given by two opposite corners in
 * normalised device coordinates. Near and far planes are the camera's, whose matrices are brought up to date.
 *
 * A point seen at x on the screen has x * w as its clip coordinate, where w is above zero (Gribb and Hartmann, Fast
 * Extraction of Viewing Frustum Planes from the World-View-Projection Matrix, 2001, for -1 and 1). So the planes need
 * neither a division, which a rectangle of zero size would not survive, nor the kind of camera.
 */
export function screenPlanes(camera: Camera, from: Vector2, to: Vector2, out: Float64Array): Float64Array {
  if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
  cameraPlanes(camera, out);
  const e = matrix.elements;
  for (let axis = 0; axis < 2; axis++) {
    const low = Math.min(from.getComponent(axis), to.getComponent(axis));
    const high = Math.max(from.getComponent(axis), to.getComponent(axis));
    for (let c = 0; c < 4; c++) {
      const w = e[4 * c + 3];
      out[8 * axis + c] = e[4 * c + axis] - low * w;
      out[8 * axis + 4 + c] = high * w - e[4 * c + axis];
    }
  }
  return out;
}

/** Number of views: those of the cameras of an `ArrayCamera`, else one. */
export function viewCount(camera: Camera): number {
  const { isArrayCamera, cameras } = camera as ArrayCamera;
  return isArrayCamera === true ? Math.max(cameras.length, 1) : 1;
}

/** The camera of one of these views. */
export function viewAt(camera: Camera, i: number): Camera {
  const { isArrayCamera, cameras } = camera as ArrayCamera;
  return isArrayCamera === true && cameras.length > 0 ? cameras[i] : camera;
}

/** The planes by which a pass culls, written to the same arrays each time. */
export class PassViews {
  readonly #planes: Float64Array[] = [];

  /** Those of the frustum of a camera or light, or of each view of an `ArrayCamera`. */
  of(frustum: Frustum | FrustumArray, camera: Camera): Float64Array[] {
    const frusta =
      'planes' in frustum ? [frustum] : (camera as ArrayCamera).cameras.map((_, i) => frustum.getFrustum(i) as Frustum);
    const planes = this.#planes;
    planes.length = frusta.length;
    for (let i = 0; i < frusta.length; i++) {
      planes[i] ??= new Float64Array(24);
      flattenPlanes(frusta[i].planes, planes[i]);
    }
    return planes;
  }
}
