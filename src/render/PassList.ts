import { type Camera, type Frustum, type FrustumArray, Group, Layers, type LOD, Mesh, Object3D } from 'three';
import { getOrMake } from '../core/arrays.js';
import { IN_LOD, InheritedState } from '../scene/ask/InheritedState.js';
import type { WalkOrder } from '../scene/follow/WalkOrder.js';
import { isShownTo, type ObjectRecord } from '../scene/objects/ObjectRecord.js';

/**
 * The objects that a pass of a renderer walks in place of the root's children.
 *
 * Renderers take `renderOrder` from each `Group` on their way down. So objects in a `Group` with an order are put in a
 * `Group` of the library with the same order.
 */
export class PassList {
  readonly objects: Object3D[] = [];
  readonly offscreenLods: OffscreenLods;
  readonly #groups: Group[] = [];
  readonly #byOrder = new Map<number, Group>();
  #groupsUsed = 0;
  /** The record of each addition, which may be added several times; `#drawn` has the object drawn for each. */
  readonly #records: ObjectRecord[] = [];
  readonly #drawn: Object3D[] = [];
  #hasUnknown = false;

  constructor(root: Object3D) {
    this.offscreenLods = new OffscreenLods(root);
  }

  /** Empties the list, so that it keeps nothing alive. */
  clear(): void {
    this.objects.length = 0;
    this.#records.length = 0;
    this.#drawn.length = 0;
    this.#hasUnknown = false;
    this.#byOrder.clear();
    this.#groupsUsed = 0;
    for (const group of this.#groups) group.children.length = 0;
    this.offscreenLods.clear();
  }

  /** Adds the object of a record, or its replacement, to the `Group` of an order. */
  add(record: ObjectRecord, object: Object3D, groupOrder: number): void {
    this.#records.push(record);
    this.#drawn.push(object);
    this.#push(object, groupOrder);
  }

  addUnknown(object: Object3D, groupOrder: number): void {
    this.#push(object, groupOrder);
    this.#hasUnknown = true;
  }

  /** Makes further additions come after all present ones, even in a `Group` of the same order. */
  closeGroups(): void {
    this.#byOrder.clear();
  }

  /**
   * Sorts all additions as three visits them, for a renderer that does not sort, and so ignores orders of a `Group`.
   * @returns false when the order is unknown.
   */
  putInOrder(order: WalkOrder): boolean {
    if (this.#hasUnknown) return false;
    const records = this.#records;
    order.assignOrder(records);
    const sorted = [...records.keys()].sort((a, b) => records[a].order - records[b].order);
    this.objects.length = 0;
    for (const i of sorted) this.objects.push(this.#drawn[i]);
    return true;
  }

  #push(object: Object3D, order: number): void {
    (order === 0 ? this.objects : this.#groupOf(order).children).push(object);
  }

  #groupOf(order: number): Group {
    return getOrMake(this.#byOrder, order, () => {
      const used = this.#groupsUsed++;
      this.#groups[used] ??= new Group();
      const group = this.#groups[used];
      group.layers = ALL_LAYERS;
      group.renderOrder = order;
      this.objects.push(group);
      return group;
    });
  }
}

/** Layers that every camera sees. */
export const ALL_LAYERS: Layers = new Layers();
ALL_LAYERS.test = () => true;

/**
 * The first object that a pass finds among the root's children: a mesh that casts shadows, so the renderer tests it
 * against the frustum of the camera or light. The answer is always no, but by then the proxy has the children to walk.
 */
export class PassProxy extends Mesh {
  readonly #listFor: (frustum: Frustum | FrustumArray) => Object3D[];

  constructor(listFor: (frustum: Frustum | FrustumArray) => Object3D[]) {
    super();
    this.#listFor = listFor;
    this.layers = ALL_LAYERS;
    this.castShadow = true;
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    this.children = this.#listFor(frustum);
    return false;
  }
}

/** Calls `reached` when a pass comes to it, and has the returned objects walked. */
export class PassStop extends Object3D {
  reached: () => Object3D[];

  constructor(reached: () => Object3D[]) {
    super();
    this.reached = reached;
    this.layers = new Layers();
    this.layers.test = () => {
      this.children = this.reached();
      return false;
    };
  }
}

/**
 * Stands for the LODs that are not in the list. three updates every LOD it walks past, in view or not: a LOD out of
 * view may cast the shadow of its level, and with hysteresis the next level depends on the present one. Renderers take
 * this object for a LOD, and its update updates the unlisted LODs.
 */
export class OffscreenLods extends Object3D {
  readonly isLOD = true;
  readonly autoUpdate = true;
  /** A drawing pipeline that chooses levels itself finds none here. */
  readonly levels: readonly never[] = [];
  readonly #state: InheritedState;
  /** LODs to update, parents before children. */
  readonly records: ObjectRecord[] = [];

  constructor(root: Object3D) {
    super();
    this.#state = new InheritedState(root);
    this.layers = ALL_LAYERS;
  }

  override clear(): this {
    this.records.length = 0;
    return this;
  }

  update(camera: Camera): void {
    for (const { object, parent } of this.records) {
      const lod = object as LOD;
      if (!lod.autoUpdate || !isShownTo(lod, camera.layers.mask)) continue;
      // Aggregates other than LODs are always listed, and walked with all their parts, unless they are in a LOD.
      if (this.#state.findReach(parent) >= IN_LOD) lod.update(camera);
    }
  }
}
