import type { BatchedMesh, Object3D } from 'three';
import type { BatchDrawing } from '../instances/BatchDrawing.js';
import type { Flags } from '../objects/ObjectRecord.js';

/** The code that draws batches, a chunk of its own; null until it is there. */
let code: typeof import('../instances/BatchDrawing.js') | null = null;
let isRequested = false;
/** Those that wait for it. */
const waiting = new Set<Batches>();

/**
 * The batches of an accelerated scene, whose draw lists are made by indices of their instances. What does so is loaded
 * when the first batch comes; until then, and where it cannot be loaded, three makes them.
 */
export class Batches {
  readonly #drawings = new Map<Object3D, BatchDrawing | null>();

  take(object: Object3D): void {
    if (!(object as Flags).isBatchedMesh) return;
    this.#drawings.set(object, null);
    waiting.add(this);
    load();
    if (code !== null) this.begin(code);
  }

  forget(object: Object3D): void {
    this.#drawings.get(object)?.dispose();
    this.#drawings.delete(object);
  }

  /** Has all batches that wait for the code drawn by it. */
  begin({ BatchDrawing, canDrawByIndex }: typeof import('../instances/BatchDrawing.js')): void {
    waiting.delete(this);
    for (const [object, drawing] of this.#drawings) {
      if (drawing === null && canDrawByIndex(object as BatchedMesh)) {
        this.#drawings.set(object, new BatchDrawing(object as BatchedMesh));
      }
    }
  }

  /** Builds indices, for some milliseconds. */
  build(budget: number): void {
    if (this.#drawings.size === 0) return;
    const end = performance.now() + budget;
    for (const drawing of this.#drawings.values()) {
      if (drawing?.build(end - performance.now()) === false) return;
    }
  }

  dispose(): void {
    waiting.delete(this);
    for (const drawing of this.#drawings.values()) drawing?.dispose();
    this.#drawings.clear();
  }
}

function load(): void {
  if (isRequested) return;
  isRequested = true;
  import('../instances/BatchDrawing.js').then(
    (loaded) => {
      code = loaded;
      for (const batches of waiting) batches.begin(loaded);
    },
    () => {},
  );
}
