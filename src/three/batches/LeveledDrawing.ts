import type { BatchedMesh } from 'three';
import { inWords } from '../../core/inWords.js';
import type { IndexedInstances } from '../instances/IndexedInstances.js';
import { type BatchedSource, type BatchInternals, isDisposed } from '../instances/InstanceSource.js';
import { BatchDrawing, canDrawByIndex, type DrawingClient } from './BatchDrawing.js';
import { BatchLevels, type InstanceLevel } from './BatchLevels.js';

/** Has a batch drawn by levels of detail, as long as it is wanted. */
export class LeveledDrawing implements DrawingClient {
  readonly levels: BatchLevels;
  readonly #mesh: BatchedMesh;
  readonly #source: BatchedSource;
  readonly #instances: IndexedInstances;
  readonly #drawing: BatchDrawing;

  /** @throws Error for a batch that draws itself otherwise. */
  constructor(mesh: BatchedMesh, source: BatchedSource, instances: IndexedInstances) {
    if (!canDrawByIndex(mesh)) {
      throw new Error(
        'InstanceIndex: methods by which this batch is drawn were replaced, or are not those of r186 or r187',
      );
    }
    this.#mesh = mesh;
    this.#source = source;
    this.#instances = instances;
    this.#drawing = BatchDrawing.of(mesh, this);
    this.levels = new BatchLevels(mesh);
    source.levels = this.levels;
  }

  /** True while it is drawn as without. */
  get isEmpty(): boolean {
    return this.levels.isEmpty;
  }

  get minPixels(): number {
    return this.levels.minPixels;
  }

  set minPixels(pixels: number) {
    if (typeof pixels !== 'number' || !(pixels >= 0)) {
      throw new RangeError(`InstanceIndex.minPixels: must be a number from 0 on, got ${inWords(pixels)}`);
    }
    this.levels.minPixels = pixels;
  }

  setLevels(levels: readonly InstanceLevel[]): void {
    this.#check(levels);
    if (levels.length === 0) this.levels.clear();
    else this.levels.set(levels);
  }

  ask(mayHaveOtherShapes: boolean): IndexedInstances | null {
    if (isDisposed(this.#mesh)) return null;
    this.#instances.update(mayHaveOtherShapes);
    return this.#instances;
  }

  dispose(): void {
    this.#source.levels = null;
    this.levels.dispose();
    this.#drawing.release(this);
  }

  #check(levels: readonly InstanceLevel[]): void {
    const where = 'InstanceIndex.setLevels';
    if (!Array.isArray(levels)) throw new TypeError(`${where}: must be a list, got ${inWords(levels)}`);
    const { _geometryInfo: geometries } = this.#mesh as unknown as BatchInternals;
    for (const [i, level] of levels.entries()) {
      if (level === null || typeof level !== 'object') {
        throw new TypeError(`${where}[${i}]: must be an object, got ${inWords(level)}`);
      }
      const { geometryId, pixels } = level;
      if (!Number.isInteger(geometryId) || !geometries[geometryId]?.active) {
        throw new RangeError(`${where}[${i}].geometryId: must be that of a geometry, got ${inWords(geometryId)}`);
      }
      if (typeof pixels !== 'number' || !(pixels >= 0)) {
        throw new RangeError(`${where}[${i}].pixels: must be a number from 0 on, got ${inWords(pixels)}`);
      }
      if (i > 0 && !(pixels < levels[i - 1].pixels)) {
        throw new RangeError(`${where}[${i}].pixels: must be below that of the level before, got ${inWords(pixels)}`);
      }
    }
  }
}
