import type { BatchedMesh, BufferGeometry, Camera, Material } from 'three';
import { replaceMethod } from '../../scene/objects/methods.js';
import type { IndexedInstances } from '../table/IndexedInstances.js';
import { type BatchedSource, type BatchInternals, isDisposed, isKnownBatch } from '../table/InstanceSource.js';
import { BatchLevels } from './BatchLevels.js';
import { DrawListMaker } from './DrawListMaker.js';
import { type DrawFormat, type DrawLists, multiplierOf, sizeOf, writeMerged, writeMulti } from './drawLists.js';

type Batch = BatchedMesh & BatchInternals & DrawLists & { _visibilityChanged: boolean };
type UpdateDraws = (camera: Camera, geometry: BufferGeometry, material: Material, format?: DrawFormat) => void;
type MethodName = typeof SINCE_187 | typeof BEFORE;
type Methods = Record<MethodName, (...args: unknown[]) => void>;

/** The name of the method by which three makes the draw lists of a batch: since r187, and before. */
const SINCE_187 = '_updateDrawParameters';
const BEFORE = 'onBeforeRender';

/** Who wants the draw lists of a batch to be made by an index. */
export interface DrawingClient {
  /** Levels of detail, if there are any. */
  readonly levels: BatchLevels | null;
  /**
   * The index of its instances, up to date; null where three is to make the lists.
   * @param mayHaveOtherShapes Whether instances may have come, gone, been hidden or got other shapes.
   */
  ask(mayHaveOtherShapes: boolean): IndexedInstances | null;
}

const drawings = new WeakMap<BatchedMesh, BatchDrawing>();

/**
 * Makes the draw lists of a batch by an index of its instances: in each pass the same lists, element for element, that
 * three makes by testing each instance and sorting all that are seen.
 *
 * A batch has one drawing, whoever wants it: the last client with levels of detail decides, or the last of all.
 */
export class BatchDrawing {
  readonly #mesh: Batch;
  readonly #clients: DrawingClient[] = [];
  readonly #lists: DrawListMaker;
  /** The method by which three makes the lists, the prototype that has it, and what is in its place. */
  readonly #kind: Methods;
  readonly #name: MethodName;
  readonly #stock: unknown;
  readonly #own: unknown;
  readonly #undo: () => void;
  /** `clearFlag` has cleared three's flag, and no lists were made since. */
  #isFlagTaken = false;

  /** @param mesh One for which `canDrawByIndex` holds. */
  static of(mesh: BatchedMesh, client: DrawingClient): BatchDrawing {
    const drawing = drawings.get(mesh) ?? new BatchDrawing(mesh);
    drawings.set(mesh, drawing);
    drawing.#clients.push(client);
    return drawing;
  }

  private constructor(mesh: BatchedMesh) {
    this.#mesh = mesh as Batch;
    this.#lists = new DrawListMaker(this.#mesh);
    this.#kind = kindOf(mesh) as Methods;
    this.#name = nameOf(mesh);
    this.#stock = this.#kind[this.#name];
    const update: UpdateDraws = (camera, geometry, material, format = 'multiDraw') => {
      if (!this.#update(camera, geometry, material, format)) this.#updateByThree(camera, geometry, material, format);
    };
    const draw: BatchedMesh['onBeforeRender'] = (_renderer, _scene, camera, geometry, material) => {
      update(camera, geometry, material);
    };
    // Before r187 shadows call it as well, and it uses neither renderer nor scene.
    this.#own = this.#name === BEFORE ? draw : update;
    this.#undo = replaceMethod(mesh as never, this.#name as never, this.#own as never);
  }

  /** Whether instances may have come, gone, been hidden or got other shapes since lists were made by an index. */
  get mayHaveOtherShapes(): boolean {
    // Whoever draws resets the flag, before others may have seen it.
    return this.#mesh._visibilityChanged || !this.#isInCharge || this.#clients.length > 1;
  }

  /**
   * Clears three's flag once an index has dealt with it. three clears it only when it draws, so each cast at a batch out
   * of view would look at all shapes again.
   */
  clearFlag(): void {
    const mesh = this.#mesh;
    if (!mesh._visibilityChanged || !this.#isInCharge || this.#clients.length > 1) return;
    // WebGPURenderer asks for lists where the texture has changed; three marks it by the flag.
    this.#raiseFlag();
    mesh._visibilityChanged = false;
    this.#isFlagTaken = true;
  }

  /** Leaves the batch to its other clients, or to three. */
  release(client: DrawingClient): void {
    const at = this.#clients.indexOf(client);
    if (at < 0) return;
    this.#clients.splice(at, 1);
    // Others have not seen what this client saw, and lists are to be made without its levels.
    if (this.#clients.length > 0 || client.levels !== null) this.#raiseFlag();
    if (this.#clients.length > 0) return;
    drawings.delete(this.#mesh);
    this.#giveBackFlag();
    this.#undo();
  }

  get #client(): DrawingClient | undefined {
    const withLevels = this.#clients.filter(({ levels }) => levels !== null);
    return withLevels.at(-1) ?? this.#clients.at(-1);
  }

  get #isInCharge(): boolean {
    return (this.#mesh as unknown as Methods)[this.#name] === this.#own && this.#isStock;
  }

  get #isStock(): boolean {
    return this.#kind[this.#name] === this.#stock;
  }

  /** Makes the lists; false when that is to be left to the class. */
  #update(camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): boolean {
    const mesh = this.#mesh;
    const client = this.#client;
    if (!this.#isStock || client === undefined) return false;
    const { levels } = client;
    const isChanged = mesh._visibilityChanged || this.#isFlagTaken;
    if (!isChanged && !mesh.perObjectFrustumCulled && !mesh.sortObjects && levels === null) return true;
    const instances = client.ask(this.mayHaveOtherShapes);
    if (instances === null) return false;
    const draws = this.#lists.make(instances, camera, material, levels);
    const write = format === 'merged' ? writeMerged : writeMulti;
    write(mesh, draws, sizeOf(geometry, material), multiplierOf(material));
    mesh._visibilityChanged = this.#isFlagTaken = false;
    return true;
  }

  #updateByThree(camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): void {
    this.#giveBackFlag();
    const method = this.#kind[this.#name];
    if (this.#name === BEFORE) method.call(this.#mesh, null, null, camera, geometry, material, null);
    else method.call(this.#mesh, camera, geometry, material, format);
  }

  #raiseFlag(): void {
    this.#mesh._visibilityChanged = true;
    const { _indirectTexture: texture } = this.#mesh as Partial<Batch>;
    // A batch that was disposed has none.
    if (texture) texture.needsUpdate = true;
  }

  #giveBackFlag(): void {
    this.#mesh._visibilityChanged ||= this.#isFlagTaken;
    this.#isFlagTaken = false;
  }
}

/** Draws a batch by levels of detail, until it is disposed of. */
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
        'InstanceIndex: the drawing methods of this BatchedMesh were replaced, or are not those of three r186 or r187',
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

/** True for a batch that makes its draw lists as three r186 or r187 does, by methods that nobody has replaced. */
export function canDrawByIndex(mesh: BatchedMesh): boolean {
  if (drawings.has(mesh)) return true;
  const kind = kindOf(mesh);
  if (!isKnownBatch(mesh) || kind === null || !Object.isExtensible(mesh)) return false;
  const methods = mesh as unknown as Methods;
  const name = nameOf(mesh);
  if (methods[BEFORE] !== kind[BEFORE] || methods[name] !== kind[name]) return false;
  const lists = mesh as unknown as Partial<Batch>;
  return (
    typeof lists._visibilityChanged === 'boolean' &&
    lists._multiDrawStarts instanceof Int32Array &&
    lists._multiDrawCounts instanceof Int32Array &&
    lists._indirectTexture?.image?.data instanceof Uint32Array &&
    (name === BEFORE || lists._mergedDrawStarts instanceof Int32Array)
  );
}

function nameOf(mesh: BatchedMesh): MethodName {
  return SINCE_187 in mesh ? SINCE_187 : BEFORE;
}

/** The prototype that is `BatchedMesh.prototype` of the copy of three that made a batch, whatever class it is of. */
function kindOf(mesh: BatchedMesh): Methods | null {
  let kind: object | null = Object.getPrototypeOf(mesh);
  while (kind !== null && !Object.hasOwn(kind, 'validateInstanceId')) kind = Object.getPrototypeOf(kind);
  return kind as Methods | null;
}
