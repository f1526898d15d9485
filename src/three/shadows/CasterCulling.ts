import {
  BatchedMesh,
  type Frustum,
  type FrustumArray,
  type LightShadow,
  Material,
  Object3D,
  type Scene,
  type WebGLRenderer,
} from 'three';
import type { Traits } from '../follow/Traits.js';
import { isAggregate } from '../objects/ObjectRecord.js';
import { replaceMethod } from '../objects/replaceMethod.js';
import { CASTER_PLANES, casterPlanes, makeShadowProjection, readShadowProjection } from './casterPlanes.js';

/**
 * Leaves out of shadow passes what cannot darken anything in view.
 *
 * A `WebGLRenderer` makes a picture in this order: the scene's `onBeforeRender`, the camera's pass, a pass for each light
 * whose shadow map is made anew, and the drawing. So the pass that follows `onBeforeRender` is the view, and those by the
 * frustum of a light's shadow belong to it. Whatever comes otherwise gets all casters: renders begun in the midst of a
 * pass, pictures in which a callback may render the scene once more with the same maps, maps that are kept for later.
 */
export class CasterCulling {
  readonly #traits: Traits;
  readonly #isWalking: () => boolean;
  readonly #unhook: () => void;
  readonly #casting = makeShadowProjection();
  readonly #regions: Float64Array[] = [];
  /** Planes of the views of the present picture, the first `#views` of the list; none when all casters count. */
  readonly #seen: Float64Array[] = [];
  #views = 0;
  #renderer: WebGLRenderer | null = null;
  /** A picture was begun, and its camera's pass is to come. */
  #isBegun = false;
  /** The present pass is that camera's. */
  #isView = false;
  /** Shadows whose maps lack casters. */
  readonly #partial = new Set<LightShadow>();

  /** @param isWalking Tells whether a renderer is in the midst of a pass. */
  constructor(root: Scene, traits: Traits, isWalking: () => boolean) {
    this.#traits = traits;
    this.#isWalking = isWalking;
    const before = root.onBeforeRender;
    const begin = (renderer: WebGLRenderer): void => this.#begin(renderer);
    const hook: Scene['onBeforeRender'] = function (this: Scene, ...given): void {
      before.apply(this, given);
      begin(given[0]);
    };
    this.#unhook = replaceMethod(root, 'onBeforeRender', hook);
  }

  dispose(): void {
    this.#unhook();
    this.#views = 0;
    this.#isBegun = false;
    // They may be kept from now on.
    for (const shadow of this.#partial) {
      shadow.needsUpdate = true;
      (this.#renderer as WebGLRenderer).shadowMap.needsUpdate = true;
    }
    this.#partial.clear();
  }

  /** The regions that a pass is to be culled by, given the planes of its frustum; they are good until the next pass. */
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
      casterPlanes(this.#seen[i], planes[0], this.#casting, regions[i]);
    }
    return regions;
  }

  /** Told of what the present pass meets. */
  meet(object: Object3D, isWhole: boolean = isAggregate(object)): void {
    if (this.#isView && mayRender(object, isWhole)) this.#views = 0;
  }

  #begin(renderer: WebGLRenderer): void {
    this.#views = 0;
    this.#isBegun = 'isWebGLRenderer' in renderer && !this.#isWalking();
    this.#renderer = renderer;
    const { shadowMap } = renderer;
    // Maps that lack casters are made anew where they would be kept.
    for (const shadow of this.#partial) {
      if (!shadow.autoUpdate) shadow.needsUpdate = true;
      if (!shadowMap.autoUpdate) shadowMap.needsUpdate = true;
    }
  }

  #shadowOf(frustum: Frustum | FrustumArray): LightShadow | null {
    for (const { object } of this.#traits.alwaysVisited) {
      const { shadow } = object as { shadow?: LightShadow };
      if (shadow?.getFrustum?.() === frustum) return shadow;
    }
    return null;
  }

  #mayCull(shadow: LightShadow): boolean {
    if (this.#views === 0 || !shadow.autoUpdate || shadow.getViewportCount() !== 1) return false;
    const { shadowMap } = this.#renderer as WebGLRenderer;
    return shadowMap.autoUpdate && readShadowProjection(shadow, shadowMap.type, this.#casting);
  }
}

/** True when something is called while the object is drawn, which may render the scene once more. */
function mayRender(object: Object3D, isWhole: boolean): boolean {
  const { onBeforeRender, onAfterRender } = object;
  if (onBeforeRender !== NOTHING.onBeforeRender && onBeforeRender !== BatchedMesh.prototype.onBeforeRender) return true;
  if (onAfterRender !== NOTHING.onAfterRender) return true;
  const { material } = object as { material?: Material | Material[] };
  if (material && (Array.isArray(material) ? material : [material]).some(hasCallback)) return true;
  return isWhole && object.children.some((child) => mayRender(child, true));
}

const NOTHING = Object3D.prototype;

function hasCallback(material: Material | undefined): boolean {
  return material !== undefined && material.onBeforeRender !== Material.prototype.onBeforeRender;
}
