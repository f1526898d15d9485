import type { Material, Mesh, Object3D } from 'three';
import type { Flags } from '../scene/objects/ObjectRecord.js';
import type { BatchedMeshState } from './BatchedMeshState.js';
import type { BatchGroup, DrawEntry, PassOrder } from './BatchGroup.js';
import type { MaterialGeometryCache } from './MaterialGeometryCache.js';
import { SameTriangles } from './SameTriangles.js';
import { type ApartReason, dependsOnOrder } from './whyNotBatched.js';

/** The camera's pass, once it has listed everything but batches. */
interface ListedPass {
  readonly pass: number;
  readonly order: PassOrder;
  readonly list: number;
  readonly groups: readonly BatchGroup[];
  /** What the renderer is to walk. */
  readonly objects: readonly Object3D[];
  /** True for an object whose draws become draws of batches once the renderer has sorted them. */
  isMerged(object: Object3D): boolean;
  /** Single precision shows batches as they are seen from here. */
  readonly isNear: boolean;
}

/**
 * Finds what has a place in a batch, but has to be drawn alone in a pass, because of other draws in it:
 *
 * - what draws the same triangles as something that is drawn alone ({@link SameTriangles});
 * - a batch that would be drawn on the wrong side of something whose draw depends on order, as a mask or a backdrop.
 */
export class DrawnApart {
  readonly #cache: MaterialGeometryCache;
  readonly #triangles = new SameTriangles();
  #listed: ListedPass | null = null;
  #found: BatchedMeshState[] = [];

  constructor(cache: MaterialGeometryCache) {
    this.#cache = cache;
  }

  /** Takes what is to be drawn alone out of the lists of batches; returns the meshes. */
  find(listed: ListedPass): readonly BatchedMeshState[] {
    this.#found = [];
    if (listed.groups.length === 0) return this.#found;
    this.#listed = listed;
    this.#triangles.begin(listed.groups, listed.order);
    if (!listed.isNear) for (const group of listed.groups) this.#takeAll(group, 'farView');
    for (const object of listed.objects) this.#visit(object, 0);
    this.#triangles.find(listed.list, (entry) => this.#takeOut(entry, 'sameTriangles'));
    this.#listed = null;
    if (this.#found.length > 0) for (const group of listed.groups) group.batch?.dropApart(listed.list, listed.pass);
    return this.#found;
  }

  #takeAll(group: BatchGroup, reason: ApartReason): void {
    const { ids, length } = group.seen((this.#listed as ListedPass).list).ids;
    for (let i = 0; i < length; i++) this.#takeOut(group.entryAt(ids[i]), reason);
  }

  #visit(object: Object3D, orderAbove: number): void {
    const { material, children, renderOrder, isGroup, isInstancedMesh } = object as Mesh & Flags;
    const groupOrder = isGroup ? renderOrder : orderAbove;
    if (material) {
      if (!Array.isArray(material)) this.#visitMaterial(material, object, groupOrder);
      else for (const one of material) if (one) this.#visitMaterial(one, object, groupOrder);
      if (!isInstancedMesh) this.#triangles.add(object, (this.#listed as ListedPass).isMerged);
    }
    for (let i = 0; i < children.length; i++) this.#visit(children[i], groupOrder);
  }

  #visitMaterial(material: Material, { renderOrder }: Object3D, groupOrder: number): void {
    if (!dependsOnOrder(material)) return;
    const { id } = material;
    const { order, groups } = this.#listed as ListedPass;
    if (order === 'material' && !this.#cache.families?.divideAt(id)) return;
    for (const group of groups) {
      if (group.isTransparent) continue;
      if (order === 'material' && !(group.firstId < id && id < group.lastId)) continue;
      if (order === 'depth' && !group.hasOrders(groupOrder, renderOrder)) continue;
      this.#takeAll(group, 'drawOrder');
    }
  }

  #takeOut({ owner }: DrawEntry, reason: ApartReason): void {
    const state = owner as BatchedMeshState;
    const { pass } = this.#listed as ListedPass;
    if (state.apartIn === pass) return;
    state.drawApart(pass, reason);
    this.#found.push(state);
  }
}
