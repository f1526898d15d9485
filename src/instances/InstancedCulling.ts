import { BatchedMesh, InstancedMesh, type Object3D } from 'three';
import { lazy } from '../core/lazy.js';
import type { Flags } from '../scene/objects/ObjectRecord.js';
import type { Crowd } from './CulledMesh.js';
import type { RenderPass } from './drawn/CompactedDrawing.js';

/** Taken now: libraries that put their own in the place of these do so once they are loaded themselves. */
const STOCK = { batched: BatchedMesh.prototype.raycast, instanced: InstancedMesh.prototype.raycast };

/** The code that indexes instances. */
const code = /* @__PURE__ */ lazy(() => import('./CulledMesh.js'));

/**
 * The meshes with instances of an accelerated scene: what passes draw of them, and casts, go through indices of their
 * instances. What does so is loaded when the first such mesh comes; until then, and where it cannot be loaded, three does
 * it all.
 */
export class Crowds {
  /** Null for those that wait for the code, and those that three is to care for. */
  readonly #crowds = new Map<Object3D, Crowd | null>();
  /** Those whose meshes have gone since the last update. */
  readonly #left: Crowd[] = [];
  /** Whether some wait for the code. */
  #isWaiting = false;
  /** True when passes may have to be given something else to draw than what is in the scene. */
  mayStandAside = false;

  take(object: Object3D): void {
    const { isBatchedMesh, isInstancedMesh } = object as Flags;
    if (!isBatchedMesh && !isInstancedMesh) return;
    this.#crowds.set(object, null);
    const loaded = code();
    if (loaded === null) this.#isWaiting = true;
    else this.#begin(object, loaded);
  }

  forget(object: Object3D): void {
    const crowd = this.#crowds.get(object);
    this.#crowds.delete(object);
    if (!crowd) return;
    // It may go while it is drawn.
    crowd.release();
    this.#left.push(crowd);
  }

  #begin(object: Object3D, { Crowd, isCrowd }: typeof import('./CulledMesh.js')): void {
    const mesh = object as InstancedMesh | BatchedMesh;
    if (isCrowd(mesh)) this.#crowds.set(object, new Crowd(mesh, STOCK));
  }

  /** What a pass is to draw in place of an object with instances: that object, as a rule. */
  objectFor(object: Object3D, pass: RenderPass): Object3D {
    try {
      return this.#crowds.get(object)?.objectFor(pass) ?? object;
    } catch {
      // Left to three, as below.
      this.forget(object);
      return object;
    }
  }

  /** Builds indices, for some milliseconds. */
  build(budget: number): void {
    this.mayStandAside = false;
    this.#free();
    if (this.#crowds.size === 0) return;
    const loaded = this.#isWaiting ? code() : null;
    if (loaded !== null) {
      this.#isWaiting = false;
      for (const object of this.#crowds.keys()) this.#begin(object, loaded);
    }
    const end = performance.now() + budget;
    for (const [object, crowd] of this.#crowds) {
      try {
        const left = end - performance.now();
        if (left > 0) crowd?.build(left);
        this.mayStandAside ||= crowd?.mayStandAside === true;
      } catch {
        // Left to three, which throws when it gets there, or knows better.
        this.forget(object);
      }
    }
  }

  dispose(): void {
    this.#free();
    for (const crowd of this.#crowds.values()) crowd?.dispose();
    this.#crowds.clear();
  }

  #free(): void {
    for (const crowd of this.#left.splice(0)) crowd.dispose();
  }
}
