import type { BatchedMesh } from 'three';
import type { IndexedInstances } from '../table/IndexedInstances.js';
import { type BatchedSource, isDisposed } from '../table/InstanceSource.js';
import { BatchDrawing, canDrawByIndex, type DrawingClient } from './BatchDrawing.js';
import { BatchLevels } from './BatchLevels.js';

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
}
