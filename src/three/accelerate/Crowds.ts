import type { BatchedMesh, InstancedMesh, Object3D } from 'three';
import type { Crowd } from '../instances/Crowd.js';
import type { Flags } from '../objects/ObjectRecord.js';

type Code = typeof import('../instances/Crowd.js');

/** The code that indexes instances, a chunk of its own; null until it is there. */
let code: Code | null = null;
let isRequested = false;
/** Those that wait for it. */
const waiting = new Set<Crowds>();

/**
 * The meshes with instances of an accelerated scene: their draw lists, of batches, and casts go through indices of their
 * instances. What does so is loaded when the first such mesh comes; until then, and where it cannot be loaded, three does
 * it all.
 */
export class Crowds {
  readonly #crowds = new Map<Object3D, Crowd | null>();

  take(object: Object3D): void {
    const { isBatchedMesh, isInstancedMesh } = object as Flags;
    if (!isBatchedMesh && !isInstancedMesh) return;
    this.#crowds.set(object, null);
    waiting.add(this);
    load();
    if (code !== null) this.begin(code);
  }

  forget(object: Object3D): void {
    this.#crowds.get(object)?.dispose();
    this.#crowds.delete(object);
  }

  /** Begins with all that waited for the code. */
  begin({ Crowd, isCrowd }: Code): void {
    waiting.delete(this);
    for (const [object, crowd] of this.#crowds) {
      const mesh = object as InstancedMesh | BatchedMesh;
      if (crowd === null && isCrowd(mesh)) this.#crowds.set(object, new Crowd(mesh));
    }
  }

  /** Builds indices, for some milliseconds. */
  build(budget: number): void {
    if (this.#crowds.size === 0) return;
    const end = performance.now() + budget;
    for (const crowd of this.#crowds.values()) if (crowd?.build(end - performance.now()) === false) return;
  }

  dispose(): void {
    waiting.delete(this);
    for (const crowd of this.#crowds.values()) crowd?.dispose();
    this.#crowds.clear();
  }
}

function load(): void {
  if (isRequested) return;
  isRequested = true;
  import('../instances/Crowd.js').then(
    (loaded) => {
      code = loaded;
      for (const crowds of waiting) crowds.begin(loaded);
    },
    () => {},
  );
}
