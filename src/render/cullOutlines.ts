import {
  type ArrayCamera,
  Box3,
  type Camera,
  Frustum,
  type LOD,
  Matrix4,
  type Object3D,
  Vector3,
  Vector4,
  type WebGLRenderer,
  WebGPUCoordinateSystem,
} from 'three';
import { IdList } from '../core/ids.js';
import { inWords } from '../core/options.js';
import { type PassRegions, passRegions } from '../passes/Pass.js';
import { flattenPlanes } from '../scene/ask/cameraViews.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import type { SceneParts } from '../scene/SceneParts.js';
import type { Flags } from '../three/kinds.js';
import { replaceMethod } from '../three/methods.js';
import { DEPTHS, HIDE, type OutlineInternals as Internals, MASK, type Target } from '../three/outlines.js';

/** Above this number of selected entries, one region is made for all of them. */
const MANY_ENTRIES = 16;
/** Pixels around the covered rectangle: outlines filter the depths they read, and lines are a pixel wide. */
const PIXEL_MARGIN = 2;
/** Margin in depths from 0 to 1: `OutlinePass` keeps depths in half precision channels, whose error is 2^-12. */
const DEPTH_MARGIN = 2 ** -10;

/** The parts of three's `OutlinePass` that `cullOutlines` uses. */
export interface OutlinePassLike {
  readonly selectedObjects: Object3D[];
  readonly renderScene: object;
  readonly renderTargetDepthBuffer: Target;
  readonly renderTargetMaskBuffer: Target;
}

/** The parts of three's `OutlineNode` that `cullOutlines` uses. TSL's `outline()` creates one. */
export interface OutlineNodeLike {
  readonly selectedObjects: Object3D[];
  readonly scene: object;
}

/** The first of the two renders for outlines: the depths of all objects that are not selected. */
type FirstRender = PassRegions & { regions: readonly Float64Array[] | null };

/**
 * Makes outlines cheap: their extra passes draw only the objects that affect them.
 *
 * Outlines render a scene two more times: its depths, and the selected objects. With this function these renders visit
 * only the selected objects and the objects that can cover them on the screen. The outlines stay identical.
 *
 * An `OutlinePass` walks the whole scene to hide unselected objects. It gets own methods that walk only the objects it
 * will meet, and that draw no shadow maps, as outlines do not show them.
 *
 * Materials that move vertices need bounds that contain them, as for culling. If a selected object has no bounds or is
 * never culled, everything in view is drawn as before.
 *
 * @param index The index of an accelerated scene.
 * @param outlines An `OutlinePass` for WebGLRenderer, or an `OutlineNode` for WebGPURenderer, of that scene.
 * @returns a function that undoes it.
 * @throws TypeError if `outlines` is neither, Error for a disposed index.
 * @example
 * ```ts
 * import { Vector2 } from 'three';
 * import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
 * import { accelerate, cullOutlines } from 'three-scene-index';
 *
 * const index = accelerate(scene, { batch: true });
 * const pass = new OutlinePass(new Vector2(innerWidth, innerHeight), scene, camera, [player]);
 * cullOutlines(index, pass);
 * ```
 */
export function cullOutlines(index: SceneIndex, outlines: OutlinePassLike | OutlineNodeLike): () => void {
  const parts = partsOf(index, 'cullOutlines');
  const pass = outlines as Partial<OutlinePassLike & OutlineNodeLike> & Internals;
  const depths = pass?.renderTargetDepthBuffer ?? pass?.[DEPTHS];
  const mask = pass?.renderTargetMaskBuffer ?? pass?.[MASK];
  const { selectedObjects } = outlines ?? {};
  if (!depths || !mask || !Array.isArray(selectedObjects)) {
    throw new TypeError(`cullOutlines.outlines: must be an OutlinePass or OutlineNode, got ${inWords(outlines)}`);
  }
  const covers = new Covers(parts);
  const isPass = pass.renderTargetDepthBuffer !== undefined;
  const first: FirstRender = {
    wasListed: false,
    regions: null,
    regionsFor(root, { camera, renderer }) {
      this.wasListed = false;
      const isOurs = (pass.renderScene ?? pass.scene) === root && root === parts.follower.hierarchy.root;
      // With a logarithmic depth buffer, an OutlineNode's depths are not those of the projection.
      const hasDepth = isPass || (renderer as { logarithmicDepthBuffer?: boolean }).logarithmicDepthBuffer !== true;
      const { selectedObjects } = outlines;
      // An OutlinePass hides the levels of LODs, but renderers show them again, so they get outlines too.
      const outlined = isPass ? [...selectedObjects, ...covers.levels()] : selectedObjects;
      this.regions = isOurs ? covers.regionsOf(outlined, camera, depths, hasDepth) : null;
      return this.regions;
    },
  };
  const second: PassRegions = {
    wasListed: false,
    // The second render differs from the first only in which objects are visible.
    regionsFor() {
      const regions = first.wasListed ? first.regions : null;
      first.wasListed = false;
      return regions;
    },
  };
  passRegions.set(depths, first);
  passRegions.set(mask, second);
  const restore = isPass ? narrow(pass, first, covers, parts) : [];
  return () => {
    if (passRegions.get(depths) === first) passRegions.delete(depths);
    if (passRegions.get(mask) === second) passRegions.delete(mask);
    for (const step of restore) step();
  };
}

/**
 * Makes an `OutlinePass` hide and show only objects that its second render may meet, and keep shadows and matrices.
 * @returns the functions that undo it.
 */
function narrow(pass: Internals, first: FirstRender, covers: Covers, parts: SceneParts): (() => void)[] {
  const { render, [HIDE]: change } = pass;
  if (typeof change !== 'function') return [];
  let met: Set<Object3D> | null = null;
  return [
    replaceMethod(pass, 'render', function (this: Internals, renderer: WebGLRenderer, ...rest: unknown[]) {
      const { shadowMap } = renderer;
      const { renderScene: scene } = this;
      const { matrixWorldAutoUpdate } = scene;
      const { autoUpdate } = shadowMap;
      first.wasListed = false;
      if (!parts.isDisposed) shadowMap.autoUpdate = false;
      try {
        render.call(this, renderer, ...rest);
      } finally {
        shadowMap.autoUpdate = autoUpdate;
        scene.matrixWorldAutoUpdate = matrixWorldAutoUpdate;
      }
    }),
    replaceMethod(pass, HIDE, function (this: Internals, isVisible: boolean) {
      if (!isVisible) met = first.wasListed ? covers.objectsIn(first.regions ?? [], this.selectedObjects) : null;
      const { renderScene: scene } = this;
      const objects = met;
      if (objects === null) {
        change.call(this, isVisible);
        return;
      }
      // No object has moved since the first render.
      scene.matrixWorldAutoUpdate = false;
      this.renderScene = { traverse: (act: (object: Object3D) => void) => objects.forEach(act) } as never;
      try {
        change.call(this, isVisible);
      } finally {
        this.renderScene = scene;
        if (isVisible) met = null;
      }
    }),
  ];
}

/** Finds the objects that can cover the selected objects on the screen. */
class Covers {
  readonly #parts: SceneParts;
  readonly #ids = new IdList();

  constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  /** Regions with the selected objects and all that can cover them; null if unknown, or for an `ArrayCamera`. */
  regionsOf(selected: readonly Object3D[], camera: Camera, size: Target, hasDepth: boolean): Float64Array[] | null {
    if ((camera as ArrayCamera).isArrayCamera) return null;
    const entries = this.#entriesOf(selected);
    if (entries === null) return null;
    const regions: Box3[] = [];
    for (const { id } of entries) {
      if (regions.length === 0 || entries.size <= MANY_ENTRIES) regions.push(new Box3());
      seeBox(camera, this.#parts.entries.measured.getBox(id), regions[regions.length - 1]);
    }
    return regions.map((seen) => coverPlanes(camera, seen, size, hasDepth));
  }

  levels(): Object3D[] {
    return [...this.#parts.follower.traits.levels].map(({ object }) => object).filter((lod) => (lod as LOD).autoUpdate);
  }

  /** All objects that a pass with these regions may meet, and the ancestors of the selected ones. */
  objectsIn(regions: readonly Float64Array[], selected: readonly Object3D[]): Set<Object3D> {
    const { entries, follower } = this.#parts;
    const found = new Set<Object3D>();
    const addAll = (object: Object3D): void => object.traverse((below) => found.add(below));
    for (const planes of regions) {
      entries.measured.queryPlanes(planes, this.#ids);
      for (let i = 0; i < this.#ids.length; i++) addAll(entries.byId.objects[this.#ids.ids[i]] as Object3D);
    }
    const { neverCulled, alwaysVisited } = follower.traits;
    for (const records of [neverCulled, alwaysVisited, entries.postponed.keys(), entries.quarantined]) {
      for (const { object } of records) addAll(object);
    }
    for (const object of follower.hierarchy.excluded) addAll(object);
    for (const object of selected) {
      addAll(object);
      object.traverseAncestors((above) => found.add(above));
    }
    return found;
  }

  /** The entries of all meshes and sprites in the selected objects; null if one is not measured, or is never culled. */
  #entriesOf(selected: readonly Object3D[]): Set<ObjectRecord> | null {
    const { entries, follower } = this.#parts;
    follower.processEarly();
    const found = new Set<ObjectRecord>();
    let isKnown = true;
    const take = (object: Object3D & Flags): void => {
      if (!object.isMesh && !object.isSprite) return;
      const entry = follower.hierarchy.recordOf(object)?.aggregate;
      if (!entry || entry.id < 0 || entries.postponed.has(entry) || follower.traits.neverCulled.has(entry))
        isKnown = false;
      else found.add(entry);
    };
    for (const object of selected) object.traverse(take);
    return isKnown ? found : null;
  }
}

const projection = /* @__PURE__ */ new Matrix4();
const crop = /* @__PURE__ */ new Matrix4();
const corner = /* @__PURE__ */ new Vector4();
const frustum = /* @__PURE__ */ new Frustum();

/** Widens `seen` by the screen box of a world box, minX minY minZ maxX maxY maxZ, in normalised device coordinates. */
export function seeBox(camera: Camera, box: ArrayLike<number>, seen: Box3): void {
  projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  for (let c = 0; c < 8; c++) {
    corner.set(box[c & 1 ? 3 : 0], box[c & 2 ? 4 : 1], box[c & 4 ? 5 : 2], 1).applyMatrix4(projection);
    const { x, y, z, w } = corner;
    if (w > 0) seen.expandByPoint(new Vector3(x, y, z).divideScalar(w));
    // A corner beside or behind the eye may be anywhere on the screen.
    else seen.expandByPoint(new Vector3(-1, -1, 1)).expandByPoint(new Vector3(1, 1, 1));
  }
}

/**
 * The planes of the region whose objects may cover `seen`: its rectangle on the screen with a margin, up to its depth.
 * @param size Size of the render target.
 * @param hasDepth Whether the target's depths are those of the projection.
 */
export function coverPlanes(camera: Camera, { min, max }: Box3, size: Target, hasDepth: boolean): Float64Array {
  const [x, y] = [(2 * PIXEL_MARGIN) / size.width, (2 * PIXEL_MARGIN) / size.height];
  const left = clamp(clamp(min.x) - x);
  const bottom = clamp(clamp(min.y) - y);
  const width = clamp(clamp(max.x) + x) - left;
  const height = clamp(clamp(max.y) + y) - bottom;
  const near = camera.coordinateSystem === WebGPUCoordinateSystem ? 0 : -1;
  const isCut = hasDepth && !camera.reversedDepth;
  const far = isCut ? Math.min(1, Math.max(near, max.z) + DEPTH_MARGIN * (1 - near)) : 1;
  // The crop maps that part of clip space to all of it.
  const scale = (1 - near) / (far - near);
  crop.makeScale(2 / width, 2 / height, scale);
  crop.setPosition(-1 - (2 * left) / width, -1 - (2 * bottom) / height, 1 - scale * far);
  projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).premultiply(crop);
  frustum.setFromProjectionMatrix(projection, camera.coordinateSystem, camera.reversedDepth);
  return flattenPlanes(frustum.planes, new Float64Array(24));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
