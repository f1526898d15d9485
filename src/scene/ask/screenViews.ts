import { type Camera, Vector4 } from 'three';
import { viewAt, viewCount } from './cameraPlanes.js';

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
  if (renderer.getCurrentViewport !== undefined) return renderer.getCurrentViewport(scratch).w;
  return renderer.getViewport === undefined ? Number.NaN : renderer.getViewport(scratch).w * ratio;
}

const scratch = new Vector4();
