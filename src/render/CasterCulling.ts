import {
  BatchedMesh,
  type Frustum,
  type FrustumArray,
  type LightShadow,
  Material,
  Object3D,
  type WebGLRenderer,
} from 'three';
import type { Traits } from '../scene/follow/Traits.js';
import { CASTER_PLANES, casterPlanes, makeShadowProjection, readShadowProjection } from './casterPlanes.js';
import { isFilterThreesOwn } from './shadowFilter.js';

/** What is used of the renderer of a picture. */
type Renderer = Partial<Pick<WebGLRenderer, 'shadowMap'>> & { readonly isWebGLRenderer?: boolean };

/**
 * Leaves out of shadow passes what cannot darken anything in view.
 *
 * A `WebGLRenderer` makes a picture in this order: the scene's `onBeforeRender`, the camera's pass, a pass for each
 * light whose shadow map is made anew, and the drawing. So the first pass of a render is the view, and those by the
 * frustum of a light's shadow belong to it. Where that does not hold, all casters count: in renders within renders, in
 * pictures in which a callback may render the scene once more with the same maps, for maps that are kept for later.
 */
export class CasterCulling {
  readonly #traits: Traits;
  readonly #projection = makeShadowProjection();
  readonly #regions: Float64Array[] = [];
  /** Planes of the views of the present picture, the first `#views` of the list; none when all casters count. */
  readonly #seen: Float64Array[] = [];
  #views = 0;
  #shadowMap: WebGLRenderer['shadowMap'] | null = null;
  /** A picture has begun, and its camera's pass is to come. */
  #isBegun = false;
  /** The present pass is that camera's. */
  #isView = false;
  /** Kinds of shadow maps, a bit each, that have been filtered in another way than three's: renderers keep such shaders. */
  #foreign = 0;
  /** Shadows whose maps lack casters. */
  readonly #partial = new Set<LightShadow>();

  constructor(traits: Traits) {
    this.#traits = traits;
  }

  dispose(): void {
    this.#views = 0;
    this.#isBegun = false;
    // They may be kept from now on.
    for (const shadow of this.#partial) {
      shadow.needsUpdate = true;
      if (this.#shadowMap !== null) this.#shadowMap.needsUpdate = true;
    }
    this.#partial.clear();
  }

  /** A render of the scene begins. */
  begin(renderer: Renderer, isNested: boolean): void {
    const { shadowMap } = renderer;
    this.#views = 0;
    this.#isBegun = renderer.isWebGLRenderer === true && !isNested;
    if (shadowMap === undefined) return;
    this.#shadowMap = shadowMap;
    if (!isFilterThreesOwn()) this.#foreign |= 1 << shadowMap.type;
    // Maps that lack casters are made anew where they would be kept.
    for (const shadow of this.#partial) {
      if (!shadow.autoUpdate) shadow.needsUpdate = true;
      if (!shadowMap.autoUpdate) shadowMap.needsUpdate = true;
    }
  }

  /** The regions by which a pass is culled, given the planes of its frustum; valid until the next pass. */
  regionsOf(frustum: Frustum | FrustumArray, planes: readonly Float64Array[]): readonly Float64Array[] {
    const shadow = this.#shadowOf(frustum);
    this.#isView = shadow === null && this.#isBegun;
    if (shadow === null) {
      this.#views = this.#isView ? planes.length : 0;
      for (let i = 0; i < this.#views; i++) {
        this.#seen[i] ??= new Float64Array(24);
        this.#seen[i].set(planes[i]);
      }
      this.#isBegun = false;
      return planes;
    }
    if (!this.#mayCull(shadow)) {
      this.#partial.delete(shadow);
      return planes;
    }
    this.#partial.add(shadow);
    const regions = this.#regions;
    regions.length = this.#views;
    for (let i = 0; i < this.#views; i++) {
      regions[i] ??= new Float64Array(CASTER_PLANES);
      casterPlanes(this.#seen[i], planes[0], this.#projection, regions[i]);
    }
    return regions;
  }

  /** To be called for each object that the present pass meets; all below it counts as met. */
  meet(object: Object3D): void {
    if (this.#isView && this.#views > 0 && mayRender(object)) this.#views = 0;
  }

  #shadowOf(frustum: Frustum | FrustumArray): LightShadow | null {
    for (const { object } of this.#traits.alwaysVisited) {
      const { shadow } = object as { shadow?: LightShadow };
      if (shadow?.getFrustum?.() === frustum) return shadow;
    }
    return null;
  }

  #mayCull(shadow: LightShadow): boolean {
    const shadowMap = this.#shadowMap;
    if (this.#views === 0 || shadowMap === null || !shadowMap.autoUpdate) return false;
    if ((this.#foreign >> shadowMap.type) & 1) return false;
    if (!shadow.autoUpdate || shadow.getViewportCount() !== 1) return false;
    return readShadowProjection(shadow, shadowMap.type, this.#projection);
  }
}

/** True when drawing the object, or something below it, calls code that may render the scene once more. */
function mayRender(object: Object3D): boolean {
  const { onBeforeRender, onAfterRender } = object;
  if (onBeforeRender !== NOTHING.onBeforeRender && onBeforeRender !== BatchedMesh.prototype.onBeforeRender) return true;
  if (onAfterRender !== NOTHING.onAfterRender) return true;
  const { material } = object as { material?: Material | Material[] };
  if (material && (Array.isArray(material) ? material : [material]).some(hasCallback)) return true;
  return object.children.some(mayRender);
}

const NOTHING = Object3D.prototype;

function hasCallback(material: Material | undefined): boolean {
  return material !== undefined && material.onBeforeRender !== Material.prototype.onBeforeRender;
}
