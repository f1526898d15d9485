import { type Camera, Plane, type Scene, UnsignedShortType, Vector2, Vector4, type WebGLRenderer } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { OcclusionBuffer } from '../../occlusion/OcclusionBuffer.js';
import type { OcclusionSettings } from '../../occlusion/OcclusionView.js';
import { screenViews } from '../../scene/ask/cameraViews.js';
import { farthestFromOrigin } from '../../scene/ask/farthestFromOrigin.js';
import { firstBroken } from '../../scene/facts/factRules.js';
import { areShadersSeen, DIGESTS, KnownShaders, withoutComments } from '../../three/shaders.js';
import { sampleDepthsOf } from './probe.js';
import type { Rule } from './rules.js';

/** Pixels in a row of the buffer: a wider one hides more behind thin and distant things, and takes longer in proportion. */
const WIDTH = 320;
/** A buffer is at most half as wide as the picture: a pixel of it then holds what vertices are rounded by several times. */
const FINEST = 2;
/** Pixels in a row of the smallest buffer that is of use, and along the side of a tile. */
const NARROWEST = 32;
const TILE = 8;

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
}

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
  };
}

const NONE: readonly Plane[] = [];

/** For all renderers that hide anything. */
export const RENDERERS: readonly Rule<Renderer>[] = [
  [(r) => !r.xr?.isPresenting, 'it is drawn for an XR headset'],
  [(r) => r.opaque !== false, 'the renderer does not draw opaque objects'],
  [(r) => !r.getRenderObjectFunction?.(), 'a custom function draws the objects'],
  [(r) => areShadersSeen || r.isWebGLRenderer !== true, "WebGLRenderer is of another build than the imported 'three'"],
  [(r) => surfaceShaders.refresh(r), 'shader chunks that place vertices are patched'],
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

/** What a context was made with, which never changes. */
type ContextFacts = Readonly<Record<'antialias' | 'depth' | 'isShort', boolean>>;

const contexts = new WeakMap<object, ContextFacts>();

/** Of the canvas of a `WebGLRenderer`; null for other renderers. */
function contextOf(renderer: Renderer): ContextFacts | null {
  if (renderer.isWebGLRenderer !== true || renderer.getContext === undefined) return null;
  const gl = renderer.getContext();
  return getOrMake(contexts, gl, () => {
    const { antialias = false, depth = true } = gl.getContextAttributes() ?? {};
    // Asked while something else may be bound: only what is certain counts, and 16 bits never are.
    const bits = renderer.getRenderTarget?.() === null ? (gl.getParameter(gl.DEPTH_BITS) as number) : 0;
    return { antialias, depth, isShort: bits > 0 && bits < 24 };
  });
}

/** Pixels of the buffer for a picture. */
export function bufferSize({ width, height }: Picture): [width: number, height: number] {
  const across = TILE * Math.floor(Math.min(WIDTH, width / FINEST) / TILE);
  return [across, Math.max(TILE, TILE * Math.floor((across * height) / width / TILE))];
}

/** How programs place what a pass draws. */
export interface Placing {
  /** Whether they add up places in the world; else matrices of meshes are multiplied with that of the camera before. */
  readonly isInWorld: boolean;
  readonly isBatched: boolean;
  /** The largest number that they add up in the world beyond positions of vertices and eye. */
  readonly magnitude: number;
}

/** A pass as the buffer has to know it. */
export function settingsOf(camera: Camera, picture: Picture, placing: Placing): OcclusionSettings {
  const { near = 0, far = 0 } = camera as { near?: number; far?: number };
  const { projectionMatrix, matrixWorldInverse, reversedDepth, coordinateSystem } = camera;
  const { isInWorld, isBatched, magnitude } = placing;
  const [view] = screenViews(camera);
  const fromOrigin = isBatched ? farthestFromOrigin(view) : 0;
  // The buffer takes the origin of the view matrix for the eye, which may lie elsewhere by the projection.
  const { elements: m } = matrixWorldInverse.clone().invert();
  const fromEye = Math.hypot(m[12] - view.x, m[13] - view.y, m[14] - view.z);
  const sections: number[] = [];
  for (const given of picture.clippingPlanes) {
    const { normal, constant } = plane.copy(given).applyMatrix4(matrixWorldInverse);
    sections.push(normal.x, normal.y, normal.z, constant);
  }
  return {
    projection: [...projectionMatrix.elements],
    view: [...matrixWorldInverse.elements],
    depth: reversedDepth ? 'reversed' : coordinateSystem === WEBGL ? 'gl' : 'gpu',
    pictureWidth: picture.width,
    pictureHeight: picture.height,
    depthBits: picture.hasShortDepth ? 16 : 24,
    logarithmic: picture.isLogarithmic ? { near, far } : null,
    inWorldSpace: isInWorld,
    magnitude: magnitude + fromOrigin * (view.isPerspective ? fromEye : view.height),
    fromOrigin,
    sections,
  };
}

const WEBGL = 2000;
const plane = /* @__PURE__ */ new Plane();

type CameraPass = { readonly camera: Camera; readonly scene: Scene; readonly picture: Picture };

const TOO_SMALL = 'it is too small';

/** By these a fragment is left out, or gets another depth. */
const DECIDES = /\bdiscard\b|\bgl_FragDepth\b/;

/** three's shaders of surfaces: they place vertices, and decide which fragments of a surface there are, at which depths. */
export const surfaceShaders: KnownShaders = /* @__PURE__ */ new KnownShaders(
  ['basic', 'lambert', 'phong', 'physical', 'toon', 'matcap', 'normal'],
  (all) => {
    const texts = all.map(({ text, isOfVertices }) => ({ bare: withoutComments(text), isOfVertices }));
    return texts.flatMap(({ bare, isOfVertices }) => (isOfVertices || DECIDES.test(bare) ? [bare] : [])).join();
  },
  DIGESTS.surfaces,
);

/** For all passes in which anything is hidden, besides what the picture says of its renderer and its samples. */
export const PASSES: readonly Rule<CameraPass>[] = [
  [() => OcclusionBuffer.isAvailable, 'WebAssembly SIMD is not available'],
  [({ camera }) => !(camera as { isArrayCamera?: boolean }).isArrayCamera, 'its camera has several views'],
  [({ scene }) => !scene.overrideMaterial, 'one material replaces all others'],
  [({ picture }) => picture.hasDepth, 'it has no depth'],
  [({ picture: { width, height } }) => width >= FINEST * NARROWEST && height >= FINEST * TILE, TOO_SMALL],
];

/** Why nothing is hidden in a pass; null where it may be. */
export function whyNotInPass(renderer: object, camera: Camera, scene: Scene, picture: Picture | null): string | null {
  if (picture === null) return 'the renderer does not tell its size';
  const why = firstBroken(RENDERERS, renderer as Renderer) ?? firstBroken(PASSES, { camera, scene, picture });
  return why === null && picture.isMultisampled ? whyNotSampled(renderer, 'it is') : why;
}

/** Why nothing is hidden in a pass with transmissive objects; null where it may be. */
export function whyNotBehindGlass(renderer: object, { width, transmissionScale }: Picture): string | null {
  const why = whyNotSampled(renderer, 'the background of transmissive objects is');
  if (why !== null) return why;
  return width * Math.min(1, transmissionScale) < FINEST * NARROWEST ? TOO_SMALL : null;
}

/** Why nothing is hidden where a pixel has several samples; null where it may be. */
function whyNotSampled(renderer: object, what: string): string | null {
  const { depths, failure } = sampleDepthsOf(renderer);
  if (depths === 'right') return null;
  if (failure !== null) return `${what} multisampled, and testing this renderer failed (${failure})`;
  return depths === 'unknown'
    ? `${what} multisampled, and this renderer has not been tested yet`
    : `${what} multisampled, and this rasteriser does not compute depth at each sample`;
}
