import { type Camera, Plane, type Scene, UnsignedShortType, Vector2, Vector4, type WebGLRenderer } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { OcclusionBuffer } from '../../occlusion/OcclusionBuffer.js';
import type { OcclusionSettings } from '../../occlusion/OcclusionView.js';
import type { Pass } from '../../passes/Pass.js';
import { screenViews } from '../../scene/ask/cameraViews.js';
import { farthestFromOrigin } from '../../scene/ask/farthestFromOrigin.js';
import { firstBroken } from '../../scene/facts/factRules.js';
import { areShadersSeen, DIGESTS, KnownShaders, withoutComments } from '../../three/shaders.js';
import { sampleDepthsOf } from './probe.js';
import type { OcclusionRule } from './rules.js';

/** Pixels in a row of the buffer: a wider buffer hides more behind thin and distant things, and takes longer. */
const BUFFER_WIDTH = 320;
/** A buffer is at most half as wide as the viewport, so that its pixels are several times the rounding of vertices. */
const LEAST_REDUCTION = 2;
/** Pixels in a row of the smallest useful buffer. */
const NARROWEST = 32;
/** Pixels along the side of a tile. */
const TILE = 8;

export type OcclusionRenderer = Partial<Omit<WebGLRenderer, 'isWebGLRenderer'>> & {
  readonly isWebGLRenderer?: boolean;
  readonly samples?: number;
  readonly depth?: boolean;
  readonly opaque?: boolean;
  readonly logarithmicDepthBuffer?: boolean;
  getRenderObjectFunction?(): unknown;
};

const viewport = new Vector4();
const size = new Vector2();

export const RENDERERS: readonly OcclusionRule<OcclusionRenderer>[] = [
  [(r) => !r.xr?.isPresenting, 'it is drawn for an XR headset'],
  [(r) => r.opaque !== false, 'the renderer does not draw opaque objects'],
  [(r) => !r.getRenderObjectFunction?.(), 'a custom function draws the objects'],
  [(r) => areShadersSeen || r.isWebGLRenderer !== true, "WebGLRenderer is of another build than the imported 'three'"],
  [(r) => surfaceShaders.refresh(r), 'shader chunks that place vertices are patched'],
];

/** The viewport of a renderer, in pixels, valid until the next call; null if the renderer does not tell. */
function viewportOf(renderer: OcclusionRenderer): Vector4 | null {
  if (renderer.getCurrentViewport !== undefined) {
    renderer.getCurrentViewport(viewport);
    return viewport;
  }
  const target = renderer.getRenderTarget?.() ?? null;
  if (target !== null) return viewport.copy(target.viewport);
  if (renderer.getViewport === undefined || renderer.getDrawingBufferSize === undefined) return null;
  renderer.getViewport(viewport).multiplyScalar(renderer.getPixelRatio?.() ?? 1);
  renderer.getDrawingBufferSize(size);
  viewport.z = Math.min(viewport.z, size.x);
  viewport.w = Math.min(viewport.w, size.y);
  return viewport;
}

type DrawingBuffer = Readonly<Record<'isMultisampled' | 'hasDepth' | 'isShort', boolean>>;

/** Surfaces by context, which never changes the settings it was made with. */
const canvases = new WeakMap<object, DrawingBuffer>();

/** The surface that a renderer draws to, a target or its canvas. Short depths have fewer than 24 bits. */
function surfaceOf(renderer: OcclusionRenderer): DrawingBuffer {
  const target = renderer.getRenderTarget?.() ?? null;
  if (target !== null) {
    const isShort = target.depthTexture?.type === UnsignedShortType;
    return { isMultisampled: target.samples > 0, hasDepth: target.depthBuffer !== false, isShort };
  }
  if (renderer.isWebGLRenderer !== true || renderer.getContext === undefined)
    return { isMultisampled: (renderer.samples ?? 0) > 0, hasDepth: renderer.depth !== false, isShort: false };
  const gl = renderer.getContext();
  return getOrMake(canvases, gl, () => {
    const { antialias = false, depth = true } = gl.getContextAttributes() ?? {};
    const bits = gl.getParameter(gl.DEPTH_BITS) as number;
    return { isMultisampled: antialias, hasDepth: depth, isShort: bits > 0 && bits < 24 };
  });
}

export function bufferSize(settings: OcclusionSettings): [width: number, height: number] {
  const { viewportWidth: width, viewportHeight: height } = settings;
  const across = TILE * Math.floor(Math.min(BUFFER_WIDTH, width / LEAST_REDUCTION) / TILE);
  return [across, Math.max(TILE, TILE * Math.floor((across * height) / width / TILE))];
}

/**
 * The settings of the buffer for a pass.
 * @param isInWorld Whether programs add up world positions; else they first multiply matrices of mesh and camera.
 * @param magnitude The largest number that programs add up in the world, besides positions of vertices and eye.
 */
export function occlusionSettingsOf(pass: Pass, isInWorld: boolean, magnitude: number): OcclusionSettings {
  const { camera, isBatched } = pass;
  const renderer = pass.renderer as OcclusionRenderer;
  const { near = 0, far = 0 } = camera as { near?: number; far?: number };
  const { projectionMatrix, matrixWorldInverse, reversedDepth, coordinateSystem } = camera;
  const [view] = screenViews(camera);
  const fromOrigin = isBatched ? farthestFromOrigin(view) : 0;
  // The buffer takes the origin of the view matrix for the eye, which may lie elsewhere by the projection.
  const { elements: m } = matrixWorldInverse.clone().invert();
  const fromEye = Math.hypot(m[12] - view.x, m[13] - view.y, m[14] - view.z);
  const sections: number[] = [];
  for (const given of renderer.clippingPlanes ?? []) {
    const { normal, constant } = plane.copy(given).applyMatrix4(matrixWorldInverse);
    sections.push(normal.x, normal.y, normal.z, constant);
  }
  const { z: viewportWidth, w: viewportHeight } = viewportOf(renderer) as Vector4;
  const isLogarithmic = (renderer.capabilities ?? renderer).logarithmicDepthBuffer === true;
  return {
    projection: [...projectionMatrix.elements],
    view: [...matrixWorldInverse.elements],
    depth: reversedDepth ? 'reversed' : coordinateSystem === WEBGL ? 'gl' : 'gpu',
    viewportWidth,
    viewportHeight,
    depthBits: surfaceOf(renderer).isShort ? 16 : 24,
    logarithmic: isLogarithmic ? { near, far } : null,
    inWorldSpace: isInWorld,
    magnitude: magnitude + fromOrigin * (view.isPerspective ? fromEye : view.height),
    fromOrigin,
    sections,
  };
}

const WEBGL = 2000;
const plane = /* @__PURE__ */ new Plane();

const TOO_SMALL = 'it is too small';

/** Shader words by which a fragment is left out, or gets another depth. */
const DECIDES = /\bdiscard\b|\bgl_FragDepth\b/;

/** three's shaders of surfaces: they place vertices, and decide about the fragments of a surface and their depths. */
export const surfaceShaders: KnownShaders = /* @__PURE__ */ new KnownShaders(
  ['basic', 'lambert', 'phong', 'physical', 'toon', 'matcap', 'normal'],
  (all) => {
    const texts = all.map(({ text, isOfVertices }) => ({ bare: withoutComments(text), isOfVertices }));
    return texts.flatMap(({ bare, isOfVertices }) => (isOfVertices || DECIDES.test(bare) ? [bare] : [])).join();
  },
  DIGESTS.surfaces,
);

type Begun = {
  readonly renderer: OcclusionRenderer;
  readonly camera: Camera;
  readonly scene: Scene;
  readonly viewport: Vector4;
};

/** Rules for all passes that hide objects, besides the rules of their renderers and samples. */
export const PASSES: readonly OcclusionRule<Begun>[] = [
  [() => OcclusionBuffer.isAvailable, 'WebAssembly SIMD is not available'],
  [({ camera }) => !(camera as { isArrayCamera?: boolean }).isArrayCamera, 'its camera has several views'],
  [({ scene }) => !scene.overrideMaterial, 'one material replaces all others'],
  [({ renderer }) => surfaceOf(renderer).hasDepth, 'it has no depth'],
  [({ viewport: { z, w } }) => z >= LEAST_REDUCTION * NARROWEST && w >= LEAST_REDUCTION * TILE, TOO_SMALL],
];

/** Why no object is hidden in a pass; null if objects may be hidden. */
export function whyNotInPass(given: object, camera: Camera, scene: Scene): string | null {
  const renderer = given as OcclusionRenderer;
  if (viewportOf(renderer) === null) return 'the renderer does not tell its size';
  const why = firstBroken(RENDERERS, renderer) ?? firstBroken(PASSES, { renderer, camera, scene, viewport });
  return why === null && surfaceOf(renderer).isMultisampled ? whyNotSampled(renderer, 'it is') : why;
}

/** Why no object is hidden in a pass with transmissive objects; null if objects may be hidden. */
export function whyNotBehindGlass(given: object): string | null {
  const renderer = given as OcclusionRenderer;
  const why = whyNotSampled(renderer, 'the background of transmissive objects is');
  if (why !== null) return why;
  // The background of transmissive objects is drawn at this scale.
  const scale = renderer.isWebGLRenderer ? (renderer.transmissionResolutionScale ?? 1) : 1;
  const { z: width } = viewportOf(renderer) as Vector4;
  return width * Math.min(1, scale) < LEAST_REDUCTION * NARROWEST ? TOO_SMALL : null;
}

/** Why no object is hidden if a pixel has several samples; null if objects may be hidden. */
function whyNotSampled(renderer: object, what: string): string | null {
  const { depths, failure } = sampleDepthsOf(renderer);
  if (depths === 'right') return null;
  if (failure !== null) return `${what} multisampled, and testing this renderer failed (${failure})`;
  return depths === 'unknown'
    ? `${what} multisampled, and this renderer has not been tested yet`
    : `${what} multisampled, and this rasteriser does not compute depth at each sample`;
}
