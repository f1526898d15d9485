import type { DataTexture, Frustum, FrustumArray, InstancedBufferAttribute, InstancedMesh } from 'three';
import type { IdList } from '../../core/IdList.js';
import type { InstanceTable } from '../table/InstanceTable.js';
import { AttributeRows } from './AttributeRows.js';
import { MorphRows } from './MorphRows.js';
import type { Numbers } from './RowCopy.js';

/**
 * What a pass draws in place of an `InstancedMesh`: the same but for the instances, which are those that the pass sees,
 * in ascending order.
 *
 * An object of its own, as `WebGLRenderer` uploads the matrices of each object once a frame, however many passes draw it.
 * Whatever it has not of its own it has from the mesh, its prototype, as it is at any time; `id` too, so that sorting
 * puts it where the mesh would be.
 */
export class StandIn {
  readonly object: InstancedMesh;
  /** What is known of the instances: matrices as they were when three was told of them last. */
  table: InstanceTable | null = null;
  readonly #mesh: InstancedMesh;
  readonly #seen: IdList;
  readonly #matrices: AttributeRows;
  readonly #colors: AttributeRows | null;
  readonly #weights: MorphRows | null;

  /**
   * @param seen The instances to be drawn, as they are when a renderer comes.
   * @param capacity Room for so many of them.
   */
  constructor(mesh: InstancedMesh, seen: IdList, capacity: number) {
    this.#mesh = mesh;
    this.#seen = seen;
    this.#matrices = new AttributeRows(mesh.instanceMatrix, capacity);
    this.#colors = mesh.instanceColor === null ? null : new AttributeRows(mesh.instanceColor, capacity);
    this.#weights = mesh.morphTexture === null ? null : new MorphRows(mesh.morphTexture, capacity);
    const own: Partial<Record<keyof InstancedMesh | '_listeners', unknown>> = {
      instanceMatrix: this.#matrices.attribute,
      instanceColor: this.#colors?.attribute ?? null,
      morphTexture: this.#weights?.texture ?? null,
      count: 0,
      intersectsFrustum: (frustum: Frustum | FrustumArray) => this.#meets(frustum),
      // Renderers listen to what they have uploaded for.
      _listeners: {},
    };
    this.object = Object.create(mesh);
    for (const [name, value] of Object.entries(own)) {
      Object.defineProperty(this.object, name, { configurable: true, enumerable: true, writable: true, value });
    }
  }

  /** True when it has room for so many instances of the mesh as it is now. */
  fits(count: number): boolean {
    const { instanceMatrix, instanceColor, morphTexture } = this.#mesh;
    if (!this.#matrices.fits(instanceMatrix, count)) return false;
    if (morphTexture === null ? this.#weights !== null : !this.#weights?.fits(morphTexture, count)) return false;
    return instanceColor === null ? this.#colors === null : this.#colors?.fits(instanceColor, count) === true;
  }

  /** Has renderers free what they have made for it. */
  dispose(): void {
    this.object.dispatchEvent({ type: 'dispose' });
    for (const rows of [this.#matrices, this.#colors]) (rows?.attribute as Partial<Disposable>)?.dispose?.();
    this.#weights?.texture.dispose();
  }

  /** Asked by renderers before they upload anything, and not where the object is not to be drawn anyway. */
  #meets(frustum: Frustum | FrustumArray): boolean {
    const mesh = this.#mesh;
    if (this.#seen.length === 0 || !mesh.intersectsFrustum(frustum)) return false;
    const { matrices, revision } = this.table as InstanceTable;
    this.#matrices.copy(mesh.instanceMatrix, matrices, revision, this.#seen);
    const color = mesh.instanceColor as InstancedBufferAttribute;
    this.#colors?.copy(color, color.array as Numbers, color.version, this.#seen);
    this.#weights?.copy(mesh.morphTexture as DataTexture, this.#seen);
    this.object.count = this.#seen.length;
    return true;
  }
}

/** Since r187 attributes are. */
interface Disposable {
  dispose(): void;
}
