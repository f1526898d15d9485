import { type Camera, Vector4 } from 'three';

/** A renderer, as far as it tells how large its pictures are. */
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
