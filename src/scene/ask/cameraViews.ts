import {
  type ArrayCamera,
  type Camera,
  Frustum,
  type FrustumArray,
  Matrix3,
  Matrix4,
  type Plane,
  type Vector2,
  Vector3,
  Vector4,
} from 'three';

const frustum = new Frustum();
const matrix = new Matrix4();

/** Planes in the core's format: normal x y z and constant of each, pointing inwards; NaN for the rest of `out`. */
export function flattenPlanes(planes: readonly Plane[], out: Float64Array = new Float64Array(24)): Float64Array {
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
 * The frustum planes of a camera of any kind, by its present matrices, as `setFromProjectionMatrix` finds them.
 * @param frame World matrix of an object: the planes are given in its frame, rounded as `BatchedMesh` rounds them.
 */
export function cameraPlanes(camera: Camera, out?: Float64Array, frame: Matrix4 | null = null): Float64Array {
  matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  if (frame !== null) matrix.multiply(frame);
  frustum.setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  return flattenPlanes(frustum.planes, out);
}

/**
 * The planes of the part of a camera's view behind a rectangle on the screen, given by two opposite corners in
 * normalised device coordinates. Near and far planes are the camera's, whose matrices are brought up to date.
 *
 * A point seen at x on the screen has x * w as its clip coordinate, and w is above zero (Gribb and Hartmann, Fast
 * Extraction of Viewing Frustum Planes from the World-View-Projection Matrix, 2001, for -1 and 1). So the planes do not
 * depend on the kind of camera, and need no division, which would fail for a rectangle of zero size.
 */
export function screenPlanes(camera: Camera, from: Vector2, to: Vector2, out: Float64Array): Float64Array {
  updateCamera(camera);
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

/** Brings a camera's matrices up to date outside of a render. Matrices that the page writes itself are kept. */
export function updateCamera(camera: Camera): void {
  if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
}

/** The cameras of an `ArrayCamera`, else the camera itself. */
export function viewsOf(camera: Camera): readonly Camera[] {
  const { isArrayCamera, cameras } = camera as ArrayCamera;
  return isArrayCamera === true && cameras.length > 0 ? cameras : [camera];
}

/** Writes the planes of each view to an array, and makes the arrays that are missing. */
export function planesOfViews(views: readonly Camera[], planes: Float64Array[]): Float64Array[] {
  planes.length = views.length;
  for (let i = 0; i < planes.length; i++) planes[i] = cameraPlanes(views[i], planes[i]);
  return planes;
}

/** Writes the planes that a pass culls by: a frustum's, or for a `FrustumArray` those of each camera in `camera`. */
export function passPlanes(frustum: Frustum | FrustumArray, camera: Camera, planes: Float64Array[]): Float64Array[] {
  if (!('planes' in frustum)) return planesOfViews((camera as ArrayCamera).cameras, planes);
  planes.length = 1;
  planes[0] = flattenPlanes(frustum.planes, planes[0]);
  return planes;
}

/** An object left out by a limit returns once it is larger or nearer than the limit by this share: so none flickers. */
export const HYSTERESIS = 0.1;

/** The eye of a view, and the scale of objects in it. Unknown numbers are NaN, by which no object is left out. */
export interface ScreenView {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The direction of the view, of length 1. */
  readonly fx: number;
  readonly fy: number;
  readonly fz: number;
  /** Diameter in pixels of a ball of radius 1, with perspective at a distance of 1; the longer one of an ellipse. */
  readonly perRadius: number;
  /** Most pixels that a unit covers anywhere in the view, with perspective at a distance of 1. */
  readonly perUnit: number;
  /** Height of the visible region, in units, with perspective at a distance of 1. */
  readonly height: number;
  /** The least distance of a visible point. */
  readonly near: number;
  readonly isPerspective: boolean;
}

/** A size in pixels. A width of NaN makes pixels square; a height of NaN is unknown. */
export type PixelSize = readonly [width: number, height: number];
const UNKNOWN: PixelSize = [Number.NaN, Number.NaN];

/** The views of a camera, by its present matrices and the viewport of each view. */
export function screenViews(camera: Camera, sizeOf: (view: Camera) => PixelSize = () => UNKNOWN): ScreenView[] {
  return viewsOf(camera).map((view) => screenView(view, sizeOf(view)));
}

const right = /* @__PURE__ */ new Vector3();
const up = /* @__PURE__ */ new Vector3();
const forward = /* @__PURE__ */ new Vector3();
const point = /* @__PURE__ */ new Vector3();
const rays = /* @__PURE__ */ new Matrix3();
const sides = /* @__PURE__ */ new Float64Array(24);
/** A sum that is smaller than this share of its terms is 0, to within rounding. */
const ZERO = 2 ** -40;

/**
 * The scale of a view. A point is seen at X / W and Y / W, by rows of the projection times the view matrix. So X, Y and
 * W are 0 at the eye, and W grows with depth, whichever of the two matrices holds the camera's position, and at any
 * scale. Without perspective W is constant, and depth counts from the camera's `near` before the near plane.
 */
function screenView(view: Camera, size: PixelSize): ScreenView {
  cameraPlanes(view, sides);
  const { elements: e } = matrix;
  right.set(e[0], e[4], e[8]);
  up.set(e[1], e[5], e[9]);
  forward.set(e[3], e[7], e[11]);
  let perDepth = forward.length();
  let constant = e[15];
  const isPerspective = perDepth > ZERO * Math.max(right.length(), up.length());
  if (!isPerspective) {
    const { near = 0, matrixWorldInverse } = view as Camera & { near?: number };
    const v = matrixWorldInverse.elements;
    perDepth = Math.abs(constant);
    constant = sides[23] + near / Math.hypot(v[2], v[6], v[10]);
    forward.fromArray(sides, 20);
  }
  rays.set(right.x, right.y, right.z, up.x, up.y, up.z, forward.x, forward.y, forward.z);
  // A view without volume shows nothing.
  const volume = rays.determinant() / (right.length() * up.length() * forward.length());
  if (!(Math.abs(volume) > ZERO)) perDepth = Number.NaN;
  rays.invert().multiplyScalar(perDepth / perDepth);
  const { x, y, z } = point.set(-e[12], -e[13], -constant).applyMatrix3(rays);
  const near = Math.max(0, -sides[23] - sides[20] * x - sides[21] * y - sides[22] * z) || 0;
  // At an angle to the axis a unit covers more pixels: by 1 / cos^2, which is largest in a corner.
  let wide = 1;
  for (let i = 0; i < 4 && isPerspective; i++) {
    point.set(i & 1 ? 1 : -1, i & 2 ? 1 : -1, 1).applyMatrix3(rays);
    wide = Math.max(wide, point.lengthSq() * perDepth * perDepth);
  }
  const { x: fx, y: fy, z: fz } = forward.normalize();
  if (isPerspective) for (const row of [right, up]) row.projectOnPlane(forward);
  const height = (2 * perDepth) / up.length();
  const perRadius = mostPixels(size) / perDepth;
  return { x, y, z, fx, fy, fz, perRadius, perUnit: (perRadius * wide) / 2, height, near, isPerspective };
}

/** Most pixels that two units across the view cover in any direction: the larger singular value of `right` and `up`. */
function mostPixels([width, height]: PixelSize): number {
  right.multiplyScalar(width || (height * up.length()) / right.length());
  up.multiplyScalar(height);
  const [a, b] = [right.lengthSq(), up.lengthSq()];
  return Math.sqrt((a + b) / 2 + Math.hypot((a - b) / 2, right.dot(up)));
}

export interface PixelRenderer {
  /** `WebGLRenderer` only: the viewport in pixels of the present target. */
  getCurrentViewport?(target: Vector4): Vector4;
  /** The viewport in units of the page. */
  getViewport?(target: Vector4): Vector4;
  getPixelRatio?(): number;
  getRenderTarget?(): { readonly viewport?: Vector4; readonly width: number; readonly height: number } | null;
}

/** The viewport in pixels of a camera in an `ArrayCamera`; null for a camera without `viewport`. */
export function ofViewport(view: Camera, ratio: number): PixelSize | null {
  const { viewport } = view as Camera & { viewport?: Vector4 };
  return viewport === undefined ? null : [viewport.z * ratio, viewport.w * ratio];
}

/** The viewport of a camera, in pixels; `untold` if neither the camera nor the renderer tells it. */
export function pixelSize(renderer: PixelRenderer | null, view: Camera, untold: PixelSize = UNKNOWN): PixelSize {
  const ratio = renderer?.getCurrentViewport === undefined ? (renderer?.getPixelRatio?.() ?? 1) : 1;
  const own = ofViewport(view, ratio);
  if (own !== null) return own;
  const target = renderer?.getRenderTarget?.() ?? null;
  if (target !== null) return [target.viewport?.z ?? target.width, target.viewport?.w ?? target.height];
  const read = renderer?.getCurrentViewport ?? renderer?.getViewport;
  if (read === undefined) return untold;
  const { z, w } = read.call(renderer, ofRenderer);
  return [z * ratio, w * ratio];
}

const ofRenderer = new Vector4();
