import type { Material, Mesh } from 'three';
import { ownOptions, type Ranges, readOptions, refuseOthers } from '../core/options.js';
import { REST, REST_RANGE, type SceneIndexOptions } from '../scene/SceneIndex.js';
import { MAINTENANCE_MS } from '../structures/maintain.js';

/** Options of {@link accelerate}. */
export interface AccelerateOptions extends SceneIndexOptions {
  /**
   * Leaves casters out of shadow passes when their shadow cannot reach what the camera sees: the same picture with
   * fewer draws. Default false. Works with `WebGLRenderer` and three's own shadow filters: while their `ShaderChunk` is
   * patched, as by drei's `<SoftShadows>`, all casters are drawn. The code for it is loaded on demand; until then all
   * casters are drawn.
   *
   * Not for scenes where anything but the picture uses the shadow maps, or whose shaders draw objects elsewhere than
   * their bounds say. While an object with callbacks around its drawing is in view, such as a mirror, all casters are
   * drawn. A map that lacks casters is made once more for the next picture when its `autoUpdate` is switched off.
   */
  cullCasters?: boolean;
  /**
   * Milliseconds per update of the root's matrices, usually once a frame, that may be spent on `maintain`, which keeps
   * queries fast while things move. Default 0.5; nothing is spent where little has changed, or with 0.
   */
  maintenanceMs?: number;
  /**
   * Indexes the instances of meshes that have several hundred: the draw lists of each `BatchedMesh` stay those of
   * three, passes draw only the instances of an `InstancedMesh` they see, and casts at either give the hits of three.
   * Indices are built within `maintenanceMs` per update, or in one go where that is 0. Until then, and where an
   * `InstancedMesh` has to be drawn as a whole (`explain` says why), everything is as in plain three. Default true.
   */
  instances?: boolean;
  /**
   * Makes the index only when it pays, and gives it up when it does not; until then three draws the scene alone, at
   * almost no cost. What pays is estimated by counting, over some pictures, how much is out of view, moves, and is alike.
   * Large scenes are indexed over several updates. Whatever you ask of the index makes it immediately and for good, as do
   * `cullCasters`, `occlusion` and `batch.atLeast`. Default true. With false the index is made in the call.
   */
  standby?: boolean;
  /**
   * Leaves out what cannot be seen because it lies behind large opaque meshes: the same picture with fewer draws. Default
   * false. It pays among walls, in streets and in buildings; where little is hidden it is tried ever more seldom. The code
   * for it is loaded on demand; until then everything in view is drawn.
   *
   * Pictures are the same pixel for pixel with one sample a pixel, on all rasterisers that were tried. With several it is
   * used only where a probe, once a renderer, finds depths taken where samples lie. `explain` says what hides an object, or
   * why nothing does; `index.occlude` excepts parts of the scene. What is hidden still casts shadows.
   */
  occlusion?: boolean | OcclusionOptions;
  /**
   * Draws similar meshes in a single call: those with the same material, attributes, layers and flags share a
   * `BatchedMesh` that is not part of the scene. Read, move, pick and edit the scene as before. Meshes with three's own
   * materials join when a picture first shows them, follow every change, and leave when they change into something that
   * cannot be batched. `WebGLRenderer` sorts transparent meshes as before; neighbours in that order become one call.
   * `explain` says how a mesh is drawn and why; `index.batch` decides for parts of the scene. The code for it is loaded on
   * demand; until then, some pictures long, each mesh is drawn by itself. Default false.
   *
   * Of surfaces that coincide exactly, the one drawn last shows. Between two batches (say, of a mirrored and an
   * unmirrored mesh, or of two attribute layouts) that order may differ from three's: use `polygonOffset` or
   * `renderOrder` where it matters.
   */
  batch?: boolean | BatchOptions;
}

/** Options of occlusion culling; see {@link AccelerateOptions.occlusion}. */
export interface OcclusionOptions {
  /**
   * Pixels that the depth buffer is wide, a whole number from 32 to 4096; at most half as many as the picture has. Default 320.
   * A wider one finds more behind thin and distant things, and takes longer in proportion.
   */
  width?: number;
  /** Meshes that are drawn into the buffer at most, a whole number, 1 or more. Default 64. */
  maxOccluders?: number;
  /** Triangles that these have at most in all, a whole number, 12 or more. Default 4096. A mesh may have a quarter of them. */
  maxTriangles?: number;
}

/** Options of batches; see {@link AccelerateOptions.batch}. */
export interface BatchOptions {
  /**
   * Draws materials that differ only in colour as one, with the colour of each mesh in a texture. Only three's own
   * built-in materials, never node materials. Default true.
   */
  mergeColors?: boolean;
  /** Bytes that the buffers and textures of all batches may take; further meshes are drawn alone. Default 256 MB. */
  maxBytes?: number;
  /**
   * Number of similar draws it takes to make a batch; half as many keep it. A whole number, 1 or more. By default a batch
   * is made where it saves time: from some 64 draws on at rest, 256 if all of them move.
   */
  atLeast?: number;
  /**
   * Lets meshes join whose materials only you know to be safe in batches: those with `onBeforeCompile`, with nodes, or
   * of a custom class, which are drawn alone otherwise. Return true for a shader that draws the same picture whichever
   * mesh of the batch it draws: it uses three's chunks `batching_vertex`, `project_vertex`, `worldpos_vertex` and
   * `defaultnormal_vertex` (nodes: three's own vertex stage), and besides them neither `modelMatrix`, `modelViewMatrix`
   * nor `normalMatrix`, no `gl_VertexID`, and no uniform that differs between meshes. Meshes share a batch if they
   * share the material object. All other conditions of batches still apply.
   *
   * Called with one material at a time, when a mesh is first drawn and whenever it or its material has changed. Only
   * `true` accepts; an exception refuses, and the first one is reported. Default: accepts nothing.
   *
   * @example
   * accelerate(scene, { batch: { accept: (_mesh, material) => material.name === 'swaying grass' } });
   */
  accept?: (mesh: Mesh, material: Material) => boolean;
}

/** The options of an acceleration, with defaults. */
export interface Settings {
  readonly cullCasters: boolean;
  readonly maintenanceMs: number;
  readonly instances: boolean;
  readonly standby: boolean;
  readonly restAfter: number;
  /** True to draw all meshes in batches from the start. */
  readonly isBatched: boolean;
  readonly batching: Required<BatchOptions>;
  /** Null to draw everything in view. */
  readonly occlusion: Required<OcclusionOptions> | null;
}

const OCCLUSION: Required<OcclusionOptions> = { width: 320, maxOccluders: 64, maxTriangles: 4096 };

const BATCHING: Required<BatchOptions> = {
  mergeColors: true,
  maxBytes: 256 * 2 ** 20,
  // Where it pays.
  atLeast: 0,
  accept: () => false,
};
const OWN = { cullCasters: false, maintenanceMs: MAINTENANCE_MS, instances: true, standby: true, ...REST };
const AMOUNT = { min: 0, max: Number.POSITIVE_INFINITY };
const RANGES: Ranges = {
  ...REST_RANGE,
  maintenanceMs: AMOUNT,
  maxBytes: AMOUNT,
  atLeast: { ...AMOUNT, min: 1, whole: true },
  width: { min: 32, max: 4096, whole: true },
  maxOccluders: { min: 1, max: 2 ** 16, whole: true },
  maxTriangles: { min: 12, max: 2 ** 24, whole: true },
};

/**
 * Reads options: own properties only, each of them once.
 * @param where The function or component that was given them, for messages.
 * @param others Names of options the caller has already taken out.
 * @returns the settings of the acceleration, and the options of the index.
 */
export function readAccelerateOptions(
  options: AccelerateOptions,
  where: string,
  others: readonly string[],
): [Settings, SceneIndexOptions] {
  // In one go: the rest object inherits from Object.prototype, which may be polluted.
  const {
    structure,
    batch = false,
    occlusion = false,
    cullCasters,
    maintenanceMs,
    instances,
    standby,
    restAfter,
    ...unknown
  } = ownOptions(options, `${where}: options are`);
  refuseOthers(unknown, ['structure', 'batch', 'occlusion', ...Object.keys(OWN), ...others], where);
  const own = readOptions({ cullCasters, maintenanceMs, instances, standby, restAfter }, OWN, where, RANGES);
  const batching = readOptions(typeof batch === 'boolean' ? {} : batch, BATCHING, `${where}.batch`, RANGES);
  const sizes = readOptions(typeof occlusion === 'boolean' ? {} : occlusion, OCCLUSION, `${where}.occlusion`, RANGES);
  return [
    { ...own, isBatched: batch !== false, batching, occlusion: occlusion === false ? null : sizes },
    structure === undefined ? {} : { structure },
  ];
}
