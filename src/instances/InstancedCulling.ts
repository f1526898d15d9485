import { BatchedMesh, InstancedMesh, type Object3D } from 'three';
import { Lazy } from '../core/Lazy.js';
import type { Pass } from '../passes/Pass.js';
import type { PassStep, StepScene } from '../passes/PassStep.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { CulledMesh } from './CulledMesh.js';
import type { LeveledMesh } from './drawn/InstanceLevels.js';

/** three's methods, read before other libraries can replace them: libraries do so when they are loaded. */
const STOCK = { batched: BatchedMesh.prototype.raycast, instanced: InstancedMesh.prototype.raycast };

const instancesCode = /* @__PURE__ */ new Lazy(() => import('./CulledMesh.js'));

/**
 * The meshes with instances in an accelerated scene. Passes and casts go through indices of instances, whose code is
 * loaded when the first mesh comes; until then, and if loading fails, three does everything.
 */
export class InstancedCulling implements PassStep {
  readonly stage = 'instances';
  readonly #given: StepScene;
  readonly #levelsOf: (record: ObjectRecord) => LeveledMesh | null;
  /** Meshes by object; null for meshes that wait for the code or are left to three. */
  readonly #meshes = new Map<Object3D, CulledMesh | null>();
  readonly #left: CulledMesh[] = [];
  /** Meshes that wait for the code. */
  readonly #waiting = new Map<Object3D, ObjectRecord>();
  /** Whether passes may draw other objects than the scene contains. */
  #canSubstitute = false;

  /** @param levelsOf Finds the levels of detail of a mesh with instances; null while there are none. */
  constructor(given: StepScene, levelsOf: (record: ObjectRecord) => LeveledMesh | null) {
    this.#given = given;
    this.#levelsOf = levelsOf;
  }

  needsLists(): boolean {
    return this.#canSubstitute;
  }

  added(record: ObjectRecord): void {
    const { object, hasInstances } = record;
    if (!hasInstances || this.#meshes.has(object)) return;
    this.#meshes.set(object, null);
    const loaded = this.#given.want(instancesCode);
    if (loaded === null) this.#waiting.set(object, record);
    else this.#beginCulling(record, loaded);
  }

  leave(object: Object3D): void {
    this.forget(object);
  }

  forget(object: Object3D): void {
    const mesh = this.#meshes.get(object);
    this.#meshes.delete(object);
    this.#waiting.delete(object);
    if (!mesh) return;
    // A picture in progress may still draw the mesh, so it is freed by the next update.
    mesh.release();
    this.#left.push(mesh);
  }

  #beginCulling(record: ObjectRecord, { CulledMesh, hasKnownInstances }: typeof import('./CulledMesh.js')): void {
    const { object } = record;
    const mesh = object as InstancedMesh | BatchedMesh;
    const failed = (error: unknown): void => this.#given.stages.fail(error, 'instances', object);
    try {
      if (hasKnownInstances(mesh))
        this.#meshes.set(object, new CulledMesh(mesh, STOCK, failed, () => this.#levelsOf(record)));
    } catch (error) {
      failed(error);
    }
  }

  /** The object that a pass draws for an object with instances: mostly the same object. */
  draw(object: Object3D, pass: Pass, more: Object3D[]): Object3D {
    try {
      return this.#meshes.get(object)?.objectFor(pass, more) ?? object;
    } catch (error) {
      this.#given.stages.fail(error, 'instances', object);
      return object;
    }
  }

  get isPending(): boolean {
    for (const mesh of this.#meshes.values()) if (mesh?.isPending) return true;
    return false;
  }

  /** To be called before three draws all meshes as they are. */
  catchUp(): void {
    for (const mesh of this.#meshes.values()) mesh?.catchUp();
  }

  /** Builds indices of instances, and frees meshes that have left. */
  update(budgetMs: number): void {
    if (this.#meshes.size + this.#left.length === 0) return;
    this.#canSubstitute = false;
    this.#free();
    const loaded = this.#waiting.size > 0 ? instancesCode.get() : null;
    if (loaded !== null) {
      for (const record of this.#waiting.values()) this.#beginCulling(record, loaded);
      this.#waiting.clear();
    }
    const end = performance.now() + budgetMs;
    for (const [object, mesh] of this.#meshes) {
      try {
        const left = end - performance.now();
        if (left > 0) mesh?.build(left);
        this.#canSubstitute ||= mesh?.canSubstitute === true;
      } catch (error) {
        this.#given.stages.fail(error, 'instances', object);
      }
    }
  }

  dispose(): void {
    for (const object of [...this.#meshes.keys()]) this.forget(object);
    // A picture in progress draws the objects that it has listed.
    if (this.#given.renders.depth > 0) queueMicrotask(() => this.#free());
    else this.#free();
  }

  #free(): void {
    for (const mesh of this.#left.splice(0)) mesh.dispose();
  }
}
