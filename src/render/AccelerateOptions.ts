import type { Material, Mesh } from 'three';
import { ownOptions, type Ranges, readOptions } from '../core/options.js';
import type { SceneIndexOptions } from '../scene/SceneIndex.js';
import { MAINTENANCE_MS } from '../scene/SceneParts.js';

/** Options of {@link accelerate}. */
export interface AccelerateOptions extends SceneIndexOptions {
  /**
   * Leaves casters out of shadow passes whose shadow cannot reach what the camera sees: the same picture with fewer
   * draws. Default false. It counts with `WebGLRenderer` and three's own shadow filters; while their text in `ShaderChunk`
   * is patched, as by drei's `<SoftShadows>`, all casters are drawn. So they are until the code for this has loaded.
   *
   * Not for scenes in which anything but the picture looks into the shadow maps, or whose shaders draw things elsewhere
   * than they are. Where an object that calls back while it is drawn is in view, as mirrors do, all casters are drawn.
   * A shadow map that lacks casters and is to be kept, as `autoUpdate` was switched off, is made once more for the next
   * picture.
   */
  cullCasters?: boolean;
  /**
   * Milliseconds that each update of the root's matrices, once a frame as a rule, may spend on `maintain`: work that
   * keeps queries fast where things move. A tree is rebuilt as a whole where that pays, which may take longer. Default
   * 0.5; nothing is spent where little has changed, or with 0.
   */
  maintenanceMs?: number;
  /**
   * Has meshes of several hundred instances go through indices of these: the draw lists of each `BatchedMesh`, which are
   * those that three makes; what passes draw of an `InstancedMesh`, the instances that they see; and casts at either, with
   * the hits of three. An index is built within `maintenanceMs` an update, at once where that is 0; until then, and where
   * an `InstancedMesh` has to be drawn as a whole, as `explain` tells, all is as without. Default true.
   */
  instances?: boolean;
  /**
   * Draws similar meshes in a single call: those with the same material, attributes, layers and flags share a
   * `BatchedMesh` that is not part of the scene. The scene stays as it is, to read, move, pick and edit. Meshes with
   * three's own materials join the first time a picture shows them, follow every change, and leave when they change into
   * something that cannot be batched. `WebGLRenderer` sorts transparent meshes as ever; neighbours in that order become
   * one call. `explain` says how a mesh is drawn and why, `index.batch` decides for parts of the scene. Default false.
   *
   * Surfaces that coincide exactly show whichever is drawn last. Between two batches (say, of a mirrored and an
   * unmirrored mesh, or of two attribute layouts) that order may differ from three's: use `polygonOffset` or
   * `renderOrder` where it matters.
   */
  batch?: boolean | BatchOptions;
}

/** Options of batches; see {@link AccelerateOptions.batch}. */
export interface BatchOptions {
  /**
   * Draws materials that are equal in all but their colour as one, with the colour of each mesh in a texture. Of three's
   * own built-in materials, never of node materials. Default true.
   */
  mergeColors?: boolean;
  /** Bytes that all buffers and textures of batches may take; further meshes are drawn by themselves. Default 256 MB. */
  maxBytes?: number;
  /** Similar draws that it takes to make a batch; half as many keep it. A whole number, 1 or more. Default 4. */
  atLeast?: number;
  /**
   * Decides about meshes whose materials only their author knows to be safe in batches: those with `onBeforeCompile`, with
   * nodes, or of a class of their own, which are drawn by themselves otherwise. Return true for a shader that draws the
   * same picture whichever mesh of the batch it draws: it goes through three's chunks `batching_vertex`, `project_vertex`,
   * `worldpos_vertex` and `defaultnormal_vertex` (nodes: through three's own vertex stage), and uses neither
   * `modelMatrix`, `modelViewMatrix` nor `normalMatrix` beside them, no `gl_VertexID`, and no uniform that differs from
   * mesh to mesh. Meshes share a batch where they have the same material object. All other conditions hold for them, too.
   *
   * Called when a mesh is first drawn and whenever it or its material has changed, with one material at a time. Only
   * `true` accepts; what it throws first is reported, and refuses. Default: accepts nothing.
   *
   * @example
   * accelerate(scene, { batch: { accept: (_mesh, material) => material.name === 'swaying grass' } });
   */
  accept?: (mesh: Mesh, material: Material) => boolean;
}

/** What an acceleration goes by. */
export interface Settings {
  readonly cullCasters: boolean;
  readonly maintenanceMs: number;
  readonly instances: boolean;
  /** Whether all meshes are to be drawn in batches. */
  readonly isBatched: boolean;
  readonly batching: Required<BatchOptions>;
}

const BATCHING: Required<BatchOptions> = {
  mergeColors: true,
  maxBytes: 256 * 2 ** 20,
  atLeast: 4,
  accept: () => false,
};
const OWN = { cullCasters: false, maintenanceMs: MAINTENANCE_MS, instances: true };
const AMOUNT = { min: 0, max: Number.POSITIVE_INFINITY };
const RANGES: Ranges = {
  maintenanceMs: AMOUNT,
  maxBytes: AMOUNT,
  atLeast: { ...AMOUNT, min: 1, whole: true },
};

/**
 * Reads options: own properties only, and once.
 * @returns what is for the acceleration, and what is for the index.
 */
export function readAccelerateOptions(options: AccelerateOptions): [Settings, SceneIndexOptions] {
  const {
    cullCasters,
    maintenanceMs,
    instances,
    batch = false,
    ...rest
  } = ownOptions(options, 'accelerate.options: must be');
  const own = readOptions({ cullCasters, maintenanceMs, instances }, OWN, 'accelerate', RANGES);
  const batching = readOptions(typeof batch === 'boolean' ? {} : batch, BATCHING, 'accelerate.batch', RANGES);
  return [{ ...own, isBatched: batch !== false, batching }, rest];
}
