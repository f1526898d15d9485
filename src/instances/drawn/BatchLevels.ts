import { BatchedMesh, type Camera, type Material, type Matrix4 } from 'three';
import { grow } from '../../core/arrays.js';
import type { IdList } from '../../core/ids.js';
import { inWords } from '../../core/options.js';
import { isShadowMaterial } from '../../passes/shadowPasses.js';
import { type PixelRenderer, pixelSize, screenViews } from '../../scene/ask/cameraViews.js';
import { notingCallbacks } from '../../scene/objects/notingCallbacks.js';
import * as BATCH from '../../three/batches.js';
import { replaceMethod } from '../../three/methods.js';
import type { IndexedInstances } from '../table/IndexedInstances.js';
import type { BatchedSource } from '../table/InstanceSource.js';
import { type InstanceTable, SPHERE } from '../table/InstanceTable.js';
import { BatchDrawing, canDrawByIndex, type DrawingClient } from './BatchDrawing.js';
import type { LevelChooser } from './DrawListMaker.js';
import { eyesOf, TakenLevels, takeLevel, unitAt } from './LevelViews.js';

/** A level of detail of instances: a geometry, and its least size. */
export interface InstanceLevel {
  /** Id of a geometry of the batch, as `addGeometry` returned it. */
  geometryId: number;
  /** Least diameter of an instance's bounding sphere in the picture, in pixels. */
  pixels: number;
}

/** Levels from fine to coarse, and the least sizes of all levels but the last. */
interface Chain {
  readonly geometries: readonly number[];
  readonly least: readonly number[];
}

/** Draws a batch by levels of detail: each instance with one of several geometries, or not if it is too small. */
export class BatchLevels implements DrawingClient, LevelChooser {
  readonly levels: BatchLevels = this;
  readonly #source: BatchedSource;
  readonly #instances: IndexedInstances;
  readonly #drawing: BatchDrawing;
  /** The levels of each geometry, by the geometry of the first level. */
  readonly #chains = new Map<number, readonly InstanceLevel[]>();
  readonly #undo: () => void;
  #minPixels = 0;
  #renderer: PixelRenderer | null = null;
  #shapeOf = new Int32Array(0);
  readonly #taken = new TakenLevels();
  /** The last camera that drew the batch, lights apart. */
  #camera: Camera | null = null;
  /** The eyes of the last camera's views, see {@link eyesOf}. */
  #eyes: Float64Array = new Float64Array(0);

  readonly failed = (error: unknown): void => {
    console.warn('InstanceIndex: levels failed, so the batch is drawn without them; please report this error:', error);
  };

  constructor(source: BatchedSource, instances: IndexedInstances) {
    const mesh: BatchedMesh = source.mesh;
    if (!canDrawByIndex(mesh)) {
      throw new Error(
        'InstanceIndex: the drawing methods of this BatchedMesh were replaced, or this three is not supported',
      );
    }
    this.#source = source;
    this.#instances = instances;
    this.#drawing = BatchDrawing.of(mesh, this);
    source.levels = this;
    const { onBeforeRender } = mesh;
    const note: BatchedMesh['onBeforeRender'] = (renderer, ...others) => {
      this.#renderer = renderer as PixelRenderer;
      onBeforeRender.call(mesh, renderer, ...others);
    };
    if (onBeforeRender === BatchedMesh.prototype.onBeforeRender) notingCallbacks.add(note);
    this.#undo = replaceMethod(mesh, 'onBeforeRender', note);
  }

  dispose(): void {
    this.#source.levels = null;
    this.#undo();
    const { [BATCH.DRAWN_IDS]: texture } = this.#source.mesh as Partial<BATCH.Internals>;
    // three has to make the lists anew, without levels. A disposed batch has no lists.
    Object.assign(this.#source.mesh, { [BATCH.CHANGED]: true });
    if (texture) texture.needsUpdate = true;
    this.#drawing.release(this);
  }

  get changes(): number {
    return this.#drawing.changes;
  }

  ask(): IndexedInstances | null {
    if (BATCH.isDisposed(this.#source.mesh)) return null;
    this.#instances.update();
    return this.#instances;
  }

  get isEmpty(): boolean {
    return this.#chains.size === 0 && this.#minPixels === 0;
  }

  get minPixels(): number {
    return this.#minPixels;
  }

  set minPixels(pixels: number) {
    checkPixels(pixels, 'InstanceIndex.minPixels');
    this.#minPixels = pixels;
  }

  /** Sets the levels of the first geometry, finest first; one level removes them, an empty list removes all. */
  set(levels: readonly InstanceLevel[]): void {
    checkLevels(levels, this.#source.mesh);
    const chain = levels.map(({ geometryId, pixels }) => ({ geometryId, pixels }));
    if (chain.length === 0) this.#chains.clear();
    else if (chain.length === 1) this.#chains.delete(chain[0].geometryId);
    else this.#chains.set(chain[0].geometryId, chain);
  }

  /** The geometries by which instances of a geometry may be drawn, the given geometry first. */
  geometriesOf(geometryId: number): readonly number[] {
    return this.#chains.get(geometryId)?.map((level) => level.geometryId) ?? [geometryId];
  }

  /**
   * Chooses geometries for a pass, and removes instances that are too small from a list. Passes of lights use the view
   * of the last camera, so that shadows match the drawn instances.
   * @param ids The instances that the camera sees.
   * @returns the geometry to draw each instance with, by id.
   */
  choose({ limit, shapeOf, spheres }: InstanceTable, ids: IdList, camera: Camera, material: Material): Int32Array {
    const isShadow = isOfShadows(material, this.#source.mesh);
    if (!isShadow) {
      this.#camera = camera;
      const views = screenViews(camera, (view) => pixelSize(this.#renderer, view, UNTOLD));
      // No distance counts as too near, as the centre of a sphere may lie before the near plane.
      const anywhere = views.map((view) => ({ ...view, near: 0 }));
      this.#eyes = eyesOf(anywhere, ({ perRadius }) => perRadius);
    }
    if (this.#shapeOf.length < limit) this.#shapeOf = grow(this.#shapeOf, limit);
    const chosen = this.#camera === null ? new Uint8Array(limit) : this.#taken.of(this.#camera, limit);
    const { matrixWorld } = this.#source.mesh;
    const scale = matrixWorld.getMaxScaleOnAxis();
    const least = isShadow ? 0 : this.#minPixels;
    const chains = this.#usable();
    let kept = 0;
    for (let i = 0; i < ids.length; i++) {
      const id = ids.ids[i];
      const shape = shapeOf[id];
      const levels = chains[shape];
      this.#shapeOf[id] = shape;
      if (levels !== undefined || least > 0) {
        const size = sizeOnScreen(this.#eyes, spheres, SPHERE * id, matrixWorld, scale);
        if (size < least) continue;
        if (levels !== undefined) this.#shapeOf[id] = levels.geometries[takeLevel(chosen, id, levels.least, size)];
      }
      ids.ids[kept++] = id;
    }
    ids.length = kept;
    return this.#shapeOf;
  }

  /** The levels to choose from, by the geometry of the first level, without geometries that were deleted. */
  #usable(): (Chain | undefined)[] {
    const { [BATCH.GEOMETRIES]: infos } = this.#source.mesh;
    const chains: (Chain | undefined)[] = [];
    for (const [geometryId, levels] of this.#chains) {
      const usable = levels.filter((level) => infos[level.geometryId]?.active);
      const geometries = usable.map((level) => level.geometryId);
      if (usable.length > 0)
        chains[geometryId] = { geometries, least: usable.slice(0, -1).map(({ pixels }) => pixels) };
    }
    return chains;
  }
}

function checkLevels(levels: readonly InstanceLevel[], { [BATCH.GEOMETRIES]: geometries }: BATCH.Internals): void {
  const where = 'InstanceIndex.setLevels';
  if (!Array.isArray(levels)) throw new TypeError(`${where}: must be a list, got ${inWords(levels)}`);
  for (const [i, level] of levels.entries()) {
    if (level === null || typeof level !== 'object') {
      throw new TypeError(`${where}[${i}]: must be an object, got ${inWords(level)}`);
    }
    const { geometryId, pixels } = level;
    if (!Number.isInteger(geometryId) || !geometries[geometryId]?.active) {
      throw new RangeError(
        `${where}[${i}].geometryId: must be the id of a geometry in this batch, got ${inWords(geometryId)}`,
      );
    }
    checkPixels(pixels, `${where}[${i}].pixels`);
    if (i > 0 && !(pixels < levels[i - 1].pixels)) {
      throw new RangeError(`${where}[${i}].pixels: must be less than in the level before, got ${inWords(pixels)}`);
    }
  }
}

function checkPixels(pixels: number, where: string): void {
  if (typeof pixels !== 'number' || !(pixels >= 0)) {
    throw new RangeError(`${where}: must be 0 or more, got ${inWords(pixels)}`);
  }
}

function isOfShadows(material: Material, { customDepthMaterial, customDistanceMaterial }: BatchedMesh): boolean {
  const { isMeshDepthMaterial, isMeshDistanceMaterial } = material as {
    isMeshDepthMaterial?: boolean;
    isMeshDistanceMaterial?: boolean;
  };
  const isCustom = material === customDepthMaterial || material === customDistanceMaterial;
  return Boolean(isCustom || isMeshDepthMaterial || isMeshDistanceMaterial || isShadowMaterial(material));
}

/** Size of the viewport in pixels, until a renderer has drawn the batch: the height alone counts. */
const UNTOLD = [Number.NaN, 1080] as const;

/**
 * Size of a ball in the frame of a mesh on the screen: its diameter in pixels, in the view in which it is largest.
 * @param s Index of the ball in a list of centres and radii.
 * @param scale The largest scale of the mesh.
 */
function sizeOnScreen(
  eyes: Float64Array,
  spheres: Float64Array,
  s: number,
  { elements: e }: Matrix4,
  scale: number,
): number {
  const x = spheres[s];
  const y = spheres[s + 1];
  const z = spheres[s + 2];
  const wx = e[0] * x + e[4] * y + e[8] * z + e[12];
  const wy = e[1] * x + e[5] * y + e[9] * z + e[13];
  const wz = e[2] * x + e[6] * y + e[10] * z + e[14];
  // Before any camera has drawn the batch, every instance counts as near.
  const size = scale * spheres[s + SPHERE - 1] * unitAt(eyes, wx, wy, wz, 0);
  return size >= 0 ? size : Number.POSITIVE_INFINITY;
}
