import { BatchedMesh, InstancedMesh, type Object3D } from 'three';
import { warnOfChunk } from '../../core/warnOfChunk.js';
import type { Flags } from '../objects/ObjectRecord.js';
import type { RenderPass } from '../packing/InstancedDrawing.js';
import type { Crowd } from './Crowd.js';

type Code = typeof import('./Crowd.js');

/** Taken now: libraries that put their own in the place of these do so once they are loaded themselves. */
const STOCK = { batched: BatchedMesh.prototype.raycast, instanced: InstancedMesh.prototype.raycast };

/** The code that indexes instances, a chunk of its own; null until it is there. */
let code: Code | null = null;
let isRequested = false;
/** Those that wait for it. */
const waiting = new Set<Crowds>();

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
  /** True when passes may have to be given something else to draw than what is in the scene. */
  mayStandAside = false;

  take(object: Object3D): void {
    const { isBatchedMesh, isInstancedMesh } = object as Flags;
    if (!isBatchedMesh && !isInstancedMesh) return;
    this.#crowds.set(object, null);
    load();
    if (code === null) waiting.add(this);
    else this.#begin(object, code);
  }

  forget(object: Object3D): void {
    const crowd = this.#crowds.get(object);
    this.#crowds.delete(object);
    if (!crowd) return;
    // It may go while it is drawn.
    crowd.release();
    this.#left.push(crowd);
  }

  /** Begins with all that waited for the code. */
  beginAll(loaded: Code): void {
    waiting.delete(this);
    for (const object of this.#crowds.keys()) this.#begin(object, loaded);
  }

  #begin(object: Object3D, { Crowd, isCrowd }: Code): void {
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
    waiting.delete(this);
    this.#free();
    for (const crowd of this.#crowds.values()) crowd?.dispose();
    this.#crowds.clear();
  }

  #free(): void {
    for (const crowd of this.#left.splice(0)) crowd.dispose();
  }
}

function load(): void {
  if (isRequested) return;
  isRequested = true;
  import('./Crowd.js').then((loaded) => {
    code = loaded;
    for (const crowds of waiting) crowds.beginAll(loaded);
  }, warnOfChunk);
}
