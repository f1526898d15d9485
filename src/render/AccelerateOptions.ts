import type { Material, Mesh } from 'three';
import type { LevelMaker } from '../batching/LevelQueue.js';
import type { LevelSettings } from '../batching/MeshLevels.js';
import { inWords, ownOptions, type Ranges, readOptions, refuseName } from '../core/options.js';
import { type DrawLimits, FROM_0, LIMIT_RANGES, NO_LIMITS } from '../scene/ask/SceneLimits.js';
import type { SceneIndexOptions } from '../scene/SceneIndex.js';

/**
 * Options of {@link accelerate}.
 *
 * @example
 * ```ts
 * import { accelerate, type AccelerateOptions } from 'three-scene-index';
 *
 * const options: AccelerateOptions = { batch: true, occlusion: true, cullCasters: true };
 * const index = accelerate(scene, options);
 * ```
 */
export interface AccelerateOptions extends SceneIndexOptions, DrawLimits {
  /**
   * Skips shadow casters whose shadow cannot reach the camera's view. Pictures stay identical. Default false.
   *
   * Works with `WebGLRenderer` of three's main build and three's own shadow filters. All casters are drawn until the
   * code is loaded, on demand; while `ShaderChunk` of the filters is patched, as by drei's `<SoftShadows>`; and while
   * an object with render callbacks, such as a mirror, is in view.
   *
   * Do not use it if code other than the picture reads the shadow maps, or if shaders draw objects outside their
   * bounds. When `autoUpdate` of a shadow map is switched off, a map that lacks casters is rendered once more.
   */
  cullCasters?: boolean;
  /**
   * Draws shadow maps anew only as far as something in them has changed. Pictures stay identical. Default false.
   *
   * With a `WebGLRenderer`, a map that would come out the same is not drawn; nor are such faces of a point light. When
   * some casters have changed, resting casters come out of a depth layer, which takes 4 bytes a texel. The library
   * finds changes; `light.shadow.needsUpdate` and `renderer.shadowMap.needsUpdate` draw the whole map anew, as in
   * three. Set one for changes that the library cannot see, such as textures written on the GPU. Loaded on demand.
   */
  keepShadows?: boolean;
  /**
   * Skips objects hidden behind large opaque meshes. Pictures stay identical, with fewer draws. Default false.
   *
   * Pays off among walls, in streets and in buildings; where it does not pay, it is skipped for at most 8 frames, then
   * tried again. The code is loaded on demand; until then, and without WebAssembly SIMD, everything in view is drawn.
   * Hidden objects still cast shadows. `explain` says whether an object was hidden, or why it cannot be;
   * `index.occlude` excludes parts of the scene.
   *
   * Without antialiasing pictures are identical pixel for pixel, on all rasterisers tried. With multisampling occlusion
   * is used only where a probe, once per renderer, finds that depth is computed at the position of each sample.
   */
  occlusion?: boolean;
  /**
   * Draws similar meshes in a single call, without changing the scene. Default false.
   *
   * Meshes with equal material, attributes, layers and flags share a `BatchedMesh` that is not part of the scene. Read,
   * move, pick and edit the scene as before. Meshes with three's own materials join when a frame first shows them,
   * follow every change, and leave when they change into something that cannot be batched. `WebGLRenderer` sorts
   * transparent meshes as before; neighbours in that order are merged into one call. `explain` says how a mesh is drawn
   * and why; `index.batch` decides for parts of the scene. The code is loaded on demand; for some frames until then,
   * each mesh is drawn individually.
   *
   * A mesh is drawn individually while an object with the same triangles (equal positions, with the same world matrix
   * bit for bit), such as a highlight, is drawn individually. Otherwise their depths would differ by rounding.
   */
  batch?: boolean | BatchOptions;
  /**
   * Draws meshes and instances with fewer triangles where they are small on the screen. Needs `batch`. Default false.
   *
   * Each mesh, and each instance of an `InstancedMesh`, is drawn by the coarsest level of detail that is off by at most
   * `maxError` pixels, with any camera. Levels are made in a worker, of geometries with at least 256 triangles, and
   * drawn from the same vertices. A mesh is drawn in a batch even without mates if levels spare 2,000 of its triangles.
   * A large mesh around the camera is drawn in cells, each by its own level. Instances keep all triangles if their
   * material is transparent or their draws depend on their order. Picks, queries and occluders use the mesh itself.
   * `explain` names the level of a mesh, or why it has none; `report` counts such meshes; `index.levels` decides for
   * parts of the scene, and `index.maxError` sets the error for all. The code is loaded on demand; a content security
   * policy has to allow `worker-src blob:` and `script-src 'wasm-unsafe-eval'`.
   */
  levels?: boolean | LevelOptions;
  /**
   * Called when the next frame would be cheaper or different without your doing. For pages that draw on demand.
   *
   * Called when code has loaded, while meshes wait for their batch or instances for their index, once a second while
   * levels of detail are made, when textures turn out to be equal, and when `occlusion` has tested the renderer. Called
   * between frames, never after a frame that leaves nothing to do, and at most three times for each such event or edit,
   * or as often as large geometries take frames to be copied. `<Accelerated>` calls `invalidate`, too.
   * @example
   * ```ts
   * import { accelerate } from 'three-scene-index';
   *
   * const draw = () => renderer.render(scene, camera);
   * accelerate(scene, { batch: true, onChange: () => requestAnimationFrame(draw) });
   * draw();
   * ```
   */
  onChange?: () => void;
}

/**
 * Options of batching, {@link AccelerateOptions.batch}.
 *
 * @example
 * ```ts
 * import { accelerate, type BatchOptions } from 'three-scene-index';
 *
 * const batch: BatchOptions = { maxBytes: 64 * 2 ** 20, mergeColors: false };
 * accelerate(scene, { batch });
 * ```
 */
export interface BatchOptions {
  /**
   * Merges materials that differ only in colour into one. The colour of each mesh is kept in a texture. Textures with
   * equal images and settings make no difference; images are compared exactly, between frames. Materials are merged
   * only if they are three's built-in ones, never node materials, and never across a material whose draw depends on
   * order, such as a mask. Default true.
   */
  mergeColors?: boolean;
  /** The most bytes that all batches may take. Further meshes are drawn individually. Default 256 MB. */
  maxBytes?: number;
  /**
   * Number of similar draws it takes to make a batch. A batch is kept down to half as many. A whole number from 1, by
   * default 8. On WebGPU, which has no draw call for several geometries, similar draws must also share the geometry.
   */
  atLeast?: number;
  /**
   * Lets meshes with custom shaders join batches. Without it, meshes are drawn individually if their material has
   * `onBeforeCompile` or nodes, or is of a custom class. Default: accepts none.
   *
   * Return true if the shader draws the same picture for every mesh of a batch. It must use three's chunks
   * `batching_vertex`, `project_vertex`, `worldpos_vertex` and `defaultnormal_vertex` (nodes: three's own vertex
   * stage). Beside chunks it must not use `modelMatrix`, `modelViewMatrix`, `normalMatrix` or `gl_VertexID`, nor any
   * uniform that differs between meshes. Meshes share a batch if they share the material object. All other conditions
   * of batches still apply.
   *
   * Called with one material at a time, when a mesh is first drawn and whenever it or its material has changed. Only
   * `true` accepts; an exception refuses, and the first one is reported.
   *
   * @example
   * ```ts
   * import { accelerate } from 'three-scene-index';
   *
   * accelerate(scene, { batch: { accept: (_mesh, material) => material.name === 'swaying grass' } });
   * ```
   */
  accept?: (mesh: Mesh, material: Material) => boolean;
}

/**
 * Options of levels of detail, {@link AccelerateOptions.levels}.
 *
 * @example
 * ```ts
 * import { accelerate, type LevelOptions } from 'three-scene-index';
 *
 * const levels: LevelOptions = { maxError: 1 };
 * accelerate(scene, { batch: true, levels });
 * ```
 */
export interface LevelOptions {
  /**
   * Makes the levels of a geometry, or returns levels made before. Default: the worker of the library.
   *
   * Have a worker of your own call `makeLevels` of `three-scene-index/levels`, which also runs in Node. One function
   * makes the levels of a geometry once, for all scenes.
   */
  make?: LevelMaker;
  /**
   * Pixels of the render target by which a surface may be off. Default 0.5.
   *
   * The limit holds across the picture and up, for any camera; textures slide by at most twice as much. All views of
   * an `ArrayCamera` use the finest level that one of them needs.
   */
  maxError?: number;
}

export interface Settings extends Readonly<Required<Omit<AccelerateOptions, 'structure' | 'batch' | 'levels'>>> {
  /** True to draw all meshes in batches from the start. */
  readonly isBatched: boolean;
  readonly batching: Required<BatchOptions>;
  /** The settings of levels of detail; null without levels. */
  readonly levels: LevelSettings | null;
}

const BATCHING: Required<BatchOptions> = {
  mergeColors: true,
  maxBytes: 256 * 2 ** 20,
  atLeast: 8,
  accept: () => false,
};
const LEVEL_DEFAULTS = { maxError: 0.5 };
const OWN = {
  occlusion: false,
  cullCasters: false,
  keepShadows: false,
  onChange: () => {},
  ...NO_LIMITS,
};
const ACCELERATE_RANGES: Ranges = {
  ...LIMIT_RANGES,
  maxBytes: FROM_0,
  maxError: FROM_0,
  atLeast: { ...FROM_0, min: 1, whole: true },
};

/**
 * Reads the options: own properties only, each of them once.
 * @param others Names of options that the caller has already taken out.
 */
export function readAccelerateOptions(
  options: AccelerateOptions,
  where: string,
  others: readonly string[],
): [Settings, SceneIndexOptions['structure']] {
  const { structure, batch = false, levels = false, ...given } = ownOptions(options, `${where}: options must be`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(OWN, name));
  if (unknown !== undefined)
    refuseName(unknown, ['structure', 'batch', ...Object.keys(OWN), 'levels', ...others], where);
  const own = readOptions(given, OWN, where, ACCELERATE_RANGES);
  const batching = readOptions(typeof batch === 'boolean' ? {} : batch, BATCHING, `${where}.batch`, ACCELERATE_RANGES);
  const settings = { ...own, isBatched: batch !== false, batching };
  if (levels !== false && batch === false) throw new TypeError(`${where}.levels: needs the option batch`);
  const leveled = readLevels(levels, `${where}.levels`);
  return [{ ...settings, levels: leveled && { ...leveled, areShadowsKept: own.keepShadows } }, structure];
}

function readLevels(levels: boolean | LevelOptions, where: string): Settings['levels'] {
  if (levels === false) return null;
  const { make = null, ...errors } = levels === true ? {} : ownOptions(levels, `${where}: must be a boolean or`);
  const unknown = Object.keys(errors).find((name) => !Object.hasOwn(LEVEL_DEFAULTS, name));
  if (unknown !== undefined) refuseName(unknown, ['make', ...Object.keys(LEVEL_DEFAULTS)], where);
  if (make !== null && typeof make !== 'function')
    throw new TypeError(`${where}.make: must be a function, got ${inWords(make)}`);
  return { make, ...readOptions(errors, LEVEL_DEFAULTS, where, ACCELERATE_RANGES) };
}

/** @param where Name of the property that was set, for messages. */
export function readMaxError(pixels: number, where: string): number {
  return readOptions({ maxError: pixels }, LEVEL_DEFAULTS, where, ACCELERATE_RANGES).maxError;
}
