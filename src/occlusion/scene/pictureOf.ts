import { type Camera, type Plane, UnsignedShortType, Vector2, Vector4, type WebGLRenderer } from 'three';
import { firstBroken, type Rule } from './rules.js';

/** A buffer is at most half as wide as the picture: a pixel of it then holds what vertices are rounded by several times. */
export const FINEST = 2;

/** What a picture is like, as far as it decides what is behind what. */
export interface Picture {
  /** In pixels: of the viewport that is drawn to. */
  readonly width: number;
  readonly height: number;
  readonly isMultisampled: boolean;
  readonly hasDepth: boolean;
  readonly hasShortDepth: boolean;
  /** Depth is the logarithm of the distance, computed for each fragment. */
  readonly isLogarithmic: boolean;
  /** Planes that cut everything; their normals point to what is kept. */
  readonly clippingPlanes: readonly Plane[];
  /** By how much pictures of what is behind transmissive objects are smaller. */
  readonly transmissionScale: number;
  /** Nothing opaque is drawn, or in other ways than scene and camera say. */
  readonly whyNot: string | null;
}

/** The parts of renderers that are read here. */
export type Renderer = Partial<Omit<WebGLRenderer, 'getRenderTarget' | 'isWebGLRenderer'>> & {
  readonly isWebGLRenderer?: boolean;
  readonly samples?: number;
  readonly depth?: boolean;
  readonly opaque?: boolean;
  readonly logarithmicDepthBuffer?: boolean;
  getRenderTarget?(): Target | null;
  getRenderObjectFunction?(): unknown;
};

interface Target {
  readonly samples: number;
  readonly depthBuffer: boolean;
  readonly depthTexture: { readonly type: number } | null;
  readonly width: number;
  readonly height: number;
  readonly viewport?: Vector4;
}

const viewport = new Vector4();
const size = new Vector2();

/** The picture that a renderer is making now; null for a renderer that does not tell. */
export function pictureOf(given: object): Picture | null {
  const renderer = given as Renderer;
  const target = renderer.getRenderTarget?.() ?? null;
  if (!readViewport(renderer, target)) return null;
  const context = contextOf(renderer);
  const isOnCanvas = target === null;
  return {
    width: viewport.z,
    height: viewport.w,
    isMultisampled: isOnCanvas ? (context?.antialias ?? (renderer.samples ?? 0) > 0) : target.samples > 0,
    hasDepth: isOnCanvas ? (context?.depth ?? renderer.depth !== false) : target.depthBuffer !== false,
    hasShortDepth: isOnCanvas ? context?.isShort === true : target.depthTexture?.type === UnsignedShortType,
    isLogarithmic: (renderer.capabilities ?? renderer).logarithmicDepthBuffer === true,
    clippingPlanes: renderer.clippingPlanes ?? NONE,
    transmissionScale: renderer.isWebGLRenderer ? (renderer.transmissionResolutionScale ?? 1) : 1,
    whyNot: firstBroken(RENDERERS, renderer),
  };
}

/** What whoever draws says of a picture that is to come. */
export interface AskedPicture {
  readonly renderer: object | null;
  /** In pixels, the least that it may have; 0 for a side that is not given. */
  readonly width: number;
  readonly height: number;
  /** Null where it is not given. */
  readonly samples: number | null;
}

/**
 * A picture that somebody is about to draw; null for a renderer that does not tell. Without a renderer it is taken to be
 * like most: one sample a pixel, 24 bits of depth, at least `FINEST` times as wide as the buffer.
 */
export function askedPicture(asked: AskedPicture, camera: Camera, bufferWidth: number): Picture | null {
  const { renderer, samples } = asked;
  const picture = renderer === null ? null : pictureOf(renderer);
  if (renderer !== null && picture === null) return null;
  const { elements } = camera.projectionMatrix;
  const aspect = picture === null ? Math.abs(elements[5] / elements[0]) : picture.width / picture.height;
  const known = asked.width || asked.height * aspect || (picture?.width ?? FINEST * bufferWidth);
  return {
    ...(picture ?? PLAIN),
    width: known,
    height: asked.height || known / aspect,
    isMultisampled: samples === null ? picture?.isMultisampled === true : samples > 1,
  };
}

const NONE: readonly Plane[] = [];

const PLAIN: Omit<Picture, 'width' | 'height'> = {
  isMultisampled: false,
  hasDepth: true,
  hasShortDepth: false,
  isLogarithmic: false,
  clippingPlanes: NONE,
  transmissionScale: 1,
  whyNot: null,
};

/** For all renderers that hide anything. */
export const RENDERERS: readonly Rule<Renderer>[] = [
  [(r) => !r.xr?.isPresenting, 'it is drawn for an XR headset'],
  [(r) => r.opaque !== false, 'the renderer does not draw opaque objects'],
  [(r) => !r.getRenderObjectFunction?.(), 'a custom function draws the objects'],
];

function readViewport(renderer: Renderer, target: Target | null): boolean {
  if (renderer.getCurrentViewport !== undefined) {
    renderer.getCurrentViewport(viewport);
    return true;
  }
  if (target !== null) {
    if (target.viewport) viewport.copy(target.viewport);
    else viewport.set(0, 0, target.width, target.height);
    return true;
  }
  if (renderer.getViewport === undefined || renderer.getDrawingBufferSize === undefined) return false;
  renderer.getViewport(viewport).multiplyScalar(renderer.getPixelRatio?.() ?? 1);
  renderer.getDrawingBufferSize(size);
  viewport.z = Math.min(viewport.z, size.x);
  viewport.w = Math.min(viewport.w, size.y);
  return true;
}

interface ContextFacts {
  readonly antialias: boolean;
  readonly depth: boolean;
  readonly isShort: boolean;
}

/** What a context was made with never changes. */
const contexts = new WeakMap<object, ContextFacts>();

/** Of the canvas of a `WebGLRenderer`; null for other renderers. */
function contextOf(renderer: Renderer): ContextFacts | null {
  if (renderer.isWebGLRenderer !== true || renderer.getContext === undefined) return null;
  const gl = renderer.getContext();
  const known = contexts.get(gl);
  if (known !== undefined) return known;
  const { antialias = false, depth = true } = gl.getContextAttributes() ?? {};
  // Asked while something else may be bound: only what is certain counts, and 16 bits never are.
  const bits = renderer.getRenderTarget?.() === null ? (gl.getParameter(gl.DEPTH_BITS) as number) : 0;
  const facts = { antialias, depth, isShort: bits > 0 && bits < 24 };
  contexts.set(gl, facts);
  return facts;
}
