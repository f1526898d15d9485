import type { BatchedMesh, BufferGeometry, Camera, Material } from 'three';
import * as BATCH from '../../three/batches.js';
import { replaceMethod } from '../../three/methods.js';
import type { IndexedInstances } from '../table/IndexedInstances.js';
import { DrawListMaker, type LevelChooser } from './DrawListMaker.js';

type Batch = BatchedMesh & BATCH.Internals;
type UpdateDraws = (camera: Camera, geometry: BufferGeometry, material: Material, format?: BATCH.DrawFormat) => void;

/** A user of the drawing of a batch, with the index that makes its draw lists. */
export interface DrawingClient {
  readonly levels: LevelChooser | null;
  /** Returns the up-to-date index of the instances; null if three is to make the lists. */
  ask(): IndexedInstances | null;
  /** Called with an error thrown by the drawing: from then on three makes the lists. */
  readonly failed: (error: unknown) => void;
}

const drawings = new WeakMap<BatchedMesh, BatchDrawing>();
/** Counts changes of all batches, so that a later drawing of a batch continues the numbers of an earlier one. */
let changeCount = 0;

/**
 * Makes the draw lists of a batch by an index of its instances: in each pass the same lists, element for element, that
 * three makes by testing each instance and sorting the visible ones.
 *
 * A batch has one drawing for all clients: the last client with levels of detail decides, or else the last of all.
 */
export class BatchDrawing {
  readonly #mesh: Batch;
  readonly #clients: DrawingClient[] = [];
  readonly #lists: DrawListMaker;
  /** The prototype with three's method that makes the lists. */
  readonly #kind: BATCH.Methods;
  /** The name of the method that makes the lists. */
  readonly #name: BATCH.MethodName;
  readonly #stock: unknown;
  readonly #undo: () => void;
  /** Grows when three is told that instances came, went, were hidden or got other shapes. */
  changes: number = ++changeCount;

  static of(mesh: BatchedMesh, client: DrawingClient): BatchDrawing {
    const drawing = drawings.get(mesh) ?? new BatchDrawing(mesh);
    drawings.set(mesh, drawing);
    drawing.#clients.push(client);
    return drawing;
  }

  private constructor(mesh: BatchedMesh) {
    this.#mesh = mesh as Batch;
    this.#lists = new DrawListMaker(this.#mesh);
    this.#kind = BATCH.prototypeOf(mesh) as BATCH.Methods;
    this.#name = BATCH.drawingMethodOf(mesh);
    this.#stock = this.#kind[this.#name];
    const update: UpdateDraws = (camera, geometry, material, format = 'multiDraw') => {
      if (this.#update(camera, geometry, material, format)) return;
      const method = this.#kind[this.#name];
      if (this.#name === BATCH.BEFORE) method.call(mesh, null, null, camera, geometry, material, null);
      else method.call(mesh, camera, geometry, material, format);
    };
    const draw: BatchedMesh['onBeforeRender'] = (_renderer, _scene, camera, geometry, material) => {
      update(camera, geometry, material);
    };
    // Before r187 shadows call the method as well, and it uses neither renderer nor scene.
    const own = this.#name === BATCH.BEFORE ? draw : update;
    this.#undo = replaceMethod(mesh as never, this.#name as never, own as never);
    this.#countChanges();
  }

  /** Leaves the batch to its other clients, or to three. */
  release(client: DrawingClient): void {
    const at = this.#clients.indexOf(client);
    if (at < 0) return;
    this.#clients.splice(at, 1);
    if (this.#clients.length > 0) return;
    drawings.delete(this.#mesh);
    const value = this.#mesh[BATCH.CHANGED];
    Reflect.defineProperty(this.#mesh, BATCH.CHANGED, { configurable: true, enumerable: true, writable: true, value });
    this.#undo();
  }

  /** Counts how often three's flag is set. Drawing clears the flag; it stays set while the batch is only cast at. */
  #countChanges(): void {
    let isSet = this.#mesh[BATCH.CHANGED];
    Object.defineProperty(this.#mesh, BATCH.CHANGED, {
      configurable: true,
      enumerable: true,
      get: () => isSet,
      set: (value: boolean) => {
        if (value) this.changes = ++changeCount;
        isSet = value;
      },
    });
  }

  get #client(): DrawingClient | undefined {
    const withLevels = this.#clients.filter(({ levels }) => levels !== null);
    return withLevels.at(-1) ?? this.#clients.at(-1);
  }

  /** Makes the lists; false when they are left to the method of the class. */
  #update(camera: Camera, geometry: BufferGeometry, material: Material, format: BATCH.DrawFormat): boolean {
    const mesh = this.#mesh;
    const client = this.#client;
    // Another library may have replaced the method of the class.
    if (client === undefined || this.#kind[this.#name] !== this.#stock) return false;
    try {
      const { levels } = client;
      if (!mesh[BATCH.CHANGED] && !mesh.perObjectFrustumCulled && !mesh.sortObjects && levels === null) return true;
      const instances = client.ask();
      if (instances === null) return false;
      BATCH.writeDraws(mesh, this.#lists.make(instances, camera, material, levels), geometry, material, format);
      mesh[BATCH.CHANGED] = false;
      return true;
    } catch (error) {
      // An error of the page's sort function is left to three, which calls the function again.
      if (this.#lists.isSorting) return false;
      client.failed(error);
      this.release(client);
      return false;
    }
  }
}

/** True for a batch that makes its draw lists in a known way, by methods that were not replaced. */
export function canDrawByIndex(mesh: BatchedMesh): boolean {
  return drawings.has(mesh) || BATCH.makesKnownLists(mesh);
}
