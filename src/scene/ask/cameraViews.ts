import {
  type ArrayCamera,
  type Camera,
  Frustum,
  type FrustumArray,
  Matrix4,
  type Plane,
  type Vector2,
  Vector4,
} from 'three';

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
    const planes = this.#planes;
    planes.length = 'planes' in frustum ? 1 : (camera as ArrayCamera).cameras.length;
    for (let i = 0; i < planes.length; i++) {
      planes[i] ??= new Float64Array(24);
      if ('planes' in frustum) flattenPlanes(frustum.planes, planes[i]);
      else cameraPlanes((camera as ArrayCamera).cameras[i], planes[i]);
    }
    return planes;
  }
}

/** What is left out for its size comes back once it is larger by this share, so that nothing flickers; distances alike. */
export const HYSTERESIS = 0.1;

/** Where a view is seen from, and how large things are in it. */
export interface ScreenView {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Where it looks, of length 1. */
  readonly fx: number;
  readonly fy: number;
  readonly fz: number;
  /** Diameter in pixels of a ball with the radius 1, at a distance of 1 if distances count. */
  readonly perRadius: number;
  readonly isPerspective: boolean;
}

/**
 * The views of a camera, by its present matrices.
 * @param heightOf Pixels of the picture that a view fills from top to bottom.
 */
export function screenViews(camera: Camera, heightOf: (view: Camera) => number): ScreenView[] {
  return Array.from({ length: viewCount(camera) }, (_, i) => {
    const view = viewAt(camera, i);
    const { elements: p } = view.projectionMatrix;
    const { elements: m } = view.matrixWorld;
    const length = -Math.hypot(m[8], m[9], m[10]);
    return {
      x: m[12],
      y: m[13],
      z: m[14],
      fx: m[8] / length,
      fy: m[9] / length,
      fz: m[10] / length,
      perRadius: Math.abs(p[5]) * heightOf(view),
      isPerspective: p[11] !== 0,
    };
  });
}

/** The parts of a renderer that tell how large its pictures are. */
export interface PixelRenderer {
  /** `WebGLRenderer` only: in pixels of what is drawn to. */
  getCurrentViewport?(target: Vector4): Vector4;
  /** In units of the page. */
  getViewport?(target: Vector4): Vector4;
  getPixelRatio?(): number;
  getRenderTarget?(): { readonly viewport?: Vector4; readonly height: number } | null;
}

/** Height, in pixels, of the part of a picture that a view fills; NaN where it is not known. */
export function pixelHeight(renderer: PixelRenderer | null, view: Camera): number {
  const { viewport } = view as Camera & { viewport?: Vector4 };
  const ratio = renderer?.getCurrentViewport === undefined ? (renderer?.getPixelRatio?.() ?? 1) : 1;
  if (viewport !== undefined) return viewport.w * ratio;
  if (renderer === null) return Number.NaN;
  const target = renderer.getRenderTarget?.() ?? null;
  if (target !== null) return target.viewport?.w ?? target.height;
  if (renderer.getCurrentViewport !== undefined) return renderer.getCurrentViewport(ofRenderer).w;
  return renderer.getViewport === undefined ? Number.NaN : renderer.getViewport(ofRenderer).w * ratio;
}

const ofRenderer = new Vector4();
