import {
  BatchedMesh,
  type LightShadow,
  Material,
  Object3D,
  type OrthographicCamera,
  type PerspectiveCamera,
  type ShadowMapType,
  VSMShadowMap,
  type WebGLRenderer,
} from 'three';
import { MAX_PLANES } from '../core/shapes/Volume.js';
import type { ActiveRender } from '../passes/ActiveRenders.js';
import type { Pass } from '../passes/Pass.js';
import type { PassStep } from '../passes/PassStep.js';
import { DIGESTS, KnownShaders } from '../three/shaders.js';

/** Texels beyond a shadow's radius: three's filters read the whole area of a texel, and linear ones its neighbours. */
const FILTER_TEXELS = 2;
/** Error of GPUs as a share of the coordinates: sixteen times the rounding of single precision. */
const GPU_ROUNDING = 2 ** -20;
/** Four times the resolution of a shadow map's depth. */
const DEPTH_STEP = 2 ** -22;
/** Numbers of a region: with the light in front of k planes of the view it has 6 + k + k (6 - k) <= 18 planes. */
const CASTER_PLANES = 4 * MAX_PLANES;

type ShadowRenderer = Partial<Pick<WebGLRenderer, 'shadowMap'>> & { readonly isWebGLRenderer?: boolean };

/**
 * Leaves casters out of shadow passes if they cannot darken anything in view.
 *
 * A `WebGLRenderer` renders in this order: the scene's `onBeforeRender`, the camera's pass, a pass for each light whose
 * shadow map is renewed, the drawing. So the first pass of a render gives the view for its later passes, which have the
 * frusta of shadows. All casters are drawn in renders within renders, in pictures with callbacks that may render the
 * scene once more with the same maps, and for maps that are kept.
 */
export class CasterCulling implements PassStep {
  readonly stage = 'cullCasters';
  /** Each object in view may have callbacks that render the scene again. */
  readonly drawsAll = true;
  readonly #regions: Float64Array[] = [];
  /** Planes of the views of this picture: the first `#views` of the list; none when all casters are to be drawn. */
  readonly #seen: Float64Array[] = [];
  #views = 0;
  #shadowMap: WebGLRenderer['shadowMap'] | null = null;
  /** True from the start of a picture of a `WebGLRenderer` until the pass of its camera. */
  #isBegun = false;
  /** True from the pass of the picture's camera until the next pass. */
  #isView = false;
  /** A bit for each type of shadow map ever drawn with a patched filter: renderers keep the patched shaders. */
  #foreign = 0;
  /** Shadows whose maps lack casters. */
  readonly #partial = new Set<LightShadow>();

  dispose(): void {
    this.#views = 0;
    this.#isBegun = false;
    // Code that keeps the maps from now on needs all casters in them.
    for (const shadow of this.#partial) {
      shadow.needsUpdate = true;
      if (this.#shadowMap !== null) this.#shadowMap.needsUpdate = true;
    }
    this.#partial.clear();
  }

  needsLists(): boolean {
    return true;
  }

  beginRender({ renderer, nesting }: ActiveRender): void {
    const { shadowMap } = renderer as ShadowRenderer;
    this.#views = 0;
    this.#isBegun = renderer.isWebGLRenderer === true && nesting === 0;
    if (shadowMap === undefined) return;
    this.#shadowMap = shadowMap;
    if (!shadowShaders.refresh(renderer)) this.#foreign |= 1 << shadowMap.type;
    // Maps that lack casters are drawn anew where the page would keep them.
    for (const shadow of this.#partial) {
      if (!shadow.autoUpdate) shadow.needsUpdate = true;
      if (!shadowMap.autoUpdate) shadowMap.needsUpdate = true;
    }
  }

  /** Returns the regions that a pass is culled by; valid until the next pass. */
  narrow(regions: readonly Float64Array[], { shadow, views }: Pass): readonly Float64Array[] {
    this.#isView = shadow === null && this.#isBegun;
    if (shadow === null) {
      this.#views = this.#isView ? views.length : 0;
      for (let i = 0; i < this.#views; i++) {
        this.#seen[i] ??= new Float64Array(24);
        this.#seen[i].set(views[i]);
      }
      this.#isBegun = false;
      return regions;
    }
    const projection = this.#projectionOf(shadow);
    if (projection === null) {
      this.#partial.delete(shadow);
      return regions;
    }
    this.#partial.add(shadow);
    const hulls = this.#regions;
    hulls.length = this.#views;
    for (let i = 0; i < this.#views; i++) {
      hulls[i] ??= new Float64Array(CASTER_PLANES);
      casterPlanes(this.#seen[i], views[0], projection, hulls[i]);
    }
    return hulls;
  }

  draw(object: Object3D): Object3D {
    if (this.#isView && this.#views > 0 && mayRender(object)) this.#views = 0;
    return object;
  }

  /** The projection by which a light casts; null when all casters in its frustum have to be drawn. */
  #projectionOf(shadow: LightShadow): ShadowProjection | null {
    const shadowMap = this.#shadowMap;
    if (this.#views === 0 || shadowMap === null || !shadowMap.autoUpdate) return null;
    if ((this.#foreign >> shadowMap.type) & 1) return null;
    if (!shadow.autoUpdate || shadow.getViewportCount() !== 1) return null;
    return readShadowProjection(shadow, shadowMap.type);
  }
}

/** True when drawing the object or a descendant calls code that may render the scene again. */
function mayRender(object: Object3D): boolean {
  const { onBeforeRender, onAfterRender } = object;
  const own = Object3D.prototype;
  if (onBeforeRender !== own.onBeforeRender && onBeforeRender !== BatchedMesh.prototype.onBeforeRender) return true;
  if (onAfterRender !== own.onAfterRender) return true;
  const { material } = object as { material?: Material | Material[] };
  const materials = Array.isArray(material) ? material : [material];
  if (materials.some((one) => one && one.onBeforeRender !== Material.prototype.onBeforeRender)) return true;
  return object.children.some(mayRender);
}

/** The projection of a light in its shadow map, and the possible error of a lookup in the map. */
interface ShadowProjection {
  /** The position of the light, and 1; for parallel light the direction it comes from, and 0. */
  readonly light: Float64Array;
  /** The depth in front of the light, as a plane: normal x y z and constant. */
  readonly depth: Float64Array;
  /** World units by which a caster may lie beside the line from the light to a point and still darken it. */
  readonly bias: number;
  /** The bias per unit of depth. */
  readonly biasPerDepth: number;
  /** True when objects behind a point, as seen by the light, count as well. */
  readonly isTwoSided: boolean;
}

/** Reads a shadow, whose camera has to be up to date; null for an unknown kind, or numbers that are not finite. */
function readShadowProjection(shadow: LightShadow, type: ShadowMapType): ShadowProjection | null {
  const { mapSize } = shadow;
  const camera = shadow.camera as PerspectiveCamera | OrthographicCamera;
  const isParallel = 'isOrthographicCamera' in camera;
  if (!isParallel && !('isPerspectiveCamera' in camera)) return null;
  const world = camera.matrixWorld.elements;
  const from = isParallel ? 8 : 12;
  const light = Float64Array.of(world[from], world[from + 1], world[from + 2], isParallel ? 0 : 1);
  // A camera looks along its -Z.
  const [x, y, z] = [-world[8], -world[9], -world[10]];
  const depth = Float64Array.of(x, y, z, -(x * world[12] + y * world[13] + z * world[14]));

  const texels = Math.abs(shadow.radius) + FILTER_TEXELS;
  const projection = camera.projectionMatrix.elements;
  const width = (2 * texels) / (mapSize.x * projection[0]);
  const height = (2 * texels) / (mapSize.y * projection[5]);
  const filterRadius = Math.hypot(width, height);
  const extent = Math.max(Math.abs(world[12]), Math.abs(world[13]), Math.abs(world[14])) + camera.far;
  // Variance is taken over a neighbourhood of a point, in front of it and behind; a positive bias looks behind it.
  const isTwoSided = type === VSMShadowMap || shadow.bias > 0;
  let bias = Math.abs(shadow.normalBias) + GPU_ROUNDING * extent + (isParallel ? filterRadius : 0);
  // A cube map is looked up by direction: a shift may be sqrt(3) times as long in depth, and that of its radius another
  // cos(30 degrees) texels; together less than twice as long.
  let biasPerDepth = isParallel ? 0 : 'isPointLightShadow' in shadow ? 2 * filterRadius : filterRadius;
  if (!isParallel) {
    // Points before the near plane are never in shadow: the bias turns a line to the light most at the near plane.
    if (isTwoSided) biasPerDepth += (2 * bias) / camera.near;
    else bias += (DEPTH_STEP * camera.far * camera.far) / camera.near;
  }
  return Number.isFinite(bias + biasPerDepth) ? { light, depth, bias, biasPerDepth, isTwoSided } : null;
}

/**
 * Computes planes outside of which no caster can darken a point in a view: the planes of the light's own frustum, and
 * those of the convex hull of the view and the light (shadow caster culling; for the hull see Bittner, Mattausch,
 * Silvennoinen and Wimmer, Shadow Caster Culling for Efficient Shadow Mapping, 2011).
 *
 * A shadow runs from its caster c away from the light: c + t (c - L), or c - t D for light that comes from D, with t >=
 * 0. Let f be a plane of the view, f >= 0 inside. If f(L) >= 0, or f's normal points towards D, a caster with f < 0
 * throws a shadow with f < 0 all along it, so such a plane bounds the hull. So does every sum a f + b g of two planes
 * with a, b >= 0 that is 0 at the light: it is >= 0 all over the view, and keeps its sign along the whole line from the
 * light through the caster, on both sides. The sum of a plane with the light in front and one with the light behind
 * goes through their edge, which is the outline of the view as the light sees it.
 *
 * @param view Six planes, 24 numbers. A NaN plane is no condition.
 * @param frustum The planes of the light.
 */
function casterPlanes(view: Float64Array, frustum: Float64Array, casting: ShadowProjection, out: Float64Array): void {
  const { light, isTwoSided } = casting;
  out.set(frustum);
  let n = frustum.length;
  for (let i = 0; i < view.length; i += 4) {
    const before = side(view, i, light);
    if (!(before >= 0)) continue;
    if (!isTwoSided) n = put(view, i, 1, i, 0, casting, out, n);
    for (let j = 0; j < view.length; j += 4) {
      const behind = side(view, j, light);
      if (behind < 0) n = put(view, i, -behind, j, before, casting, out, n);
    }
  }
  out.fill(Number.NaN, n);
}

function side(planes: Float64Array, i: number, light: Float64Array): number {
  return planes[i] * light[0] + planes[i + 1] * light[1] + planes[i + 2] * light[2] + planes[i + 3] * light[3];
}

/** Writes a times plane i plus b times plane j, widened by the biases; returns the offset of the next plane. */
function put(
  planes: Float64Array,
  i: number,
  a: number,
  j: number,
  b: number,
  { depth, bias, biasPerDepth }: ShadowProjection,
  out: Float64Array,
  n: number,
): number {
  const x = a * planes[i] + b * planes[j];
  const y = a * planes[i + 1] + b * planes[j + 1];
  const z = a * planes[i + 2] + b * planes[j + 2];
  const length = Math.hypot(x, y, z);
  // Two opposite planes may cancel out except for rounding.
  if (!(length > 1e-6 * (a + b))) return n;
  out[n] = x / length + biasPerDepth * depth[0];
  out[n + 1] = y / length + biasPerDepth * depth[1];
  out[n + 2] = z / length + biasPerDepth * depth[2];
  out[n + 3] = (a * planes[i + 3] + b * planes[j + 3]) / length + bias + biasPerDepth * depth[3];
  return n + 4;
}

/** three's shaders that look up shadows: patched ones may look farther around in the maps. */
export const shadowShaders: KnownShaders = /* @__PURE__ */ new KnownShaders(
  ['lambert', 'phong', 'physical', 'toon', 'shadow'],
  (all) => [...new Set(all.flatMap(({ name, text }) => (/shadowm|ts_fragment_b/.test(name) ? [text] : [])))].join(),
  DIGESTS.shadows,
);
