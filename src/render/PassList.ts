import { Group, type Object3D } from 'three';
import type { WalkOrder } from '../scene/follow/WalkOrder.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { OffscreenLods } from './OffscreenLods.js';
import { ALL_LAYERS } from './PassProxy.js';

/**
 * What a pass of a renderer walks in place of the children of the root.
 *
 * Objects whose nearest group has an order of its own lie in a group of ours with that order, as renderers take the
 * order on their way down.
 */
export class PassList {
  readonly objects: Object3D[] = [];
  readonly offscreenLods: OffscreenLods;
  readonly #groups: Group[] = [];
  readonly #byOrder = new Map<number, Group>();
  #groupsUsed = 0;
  /** For each addition the record, and what is drawn for it: one record may be added several times. */
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

  /**
   * Adds an object, with all below it, that the order of a group counts for.
   * @param object That of the record, or what is to be drawn in its place.
   */
  add(record: ObjectRecord, object: Object3D, groupOrder: number): void {
    this.#records.push(record);
    this.#drawn.push(object);
    this.#push(object, groupOrder);
  }

  /** Adds an object of which there is no record. */
  addUnknown(object: Object3D, groupOrder: number): void {
    this.#push(object, groupOrder);
    this.#hasUnknown = true;
  }

  /** Has what is added from now on come behind all there is, whatever the orders of groups. */
  closeGroups(): void {
    this.#byOrder.clear();
  }

  /**
   * Puts all that was added in the order in which three visits it, for a renderer that does not sort, so that orders of
   * groups do not matter; false when the order is not known.
   */
  putInOrder(order: WalkOrder): boolean {
    if (this.#hasUnknown) return false;
    const records = this.#records;
    order.number(records);
    const places = [...records.keys()].sort((a, b) => records[a].order - records[b].order);
    this.objects.length = 0;
    for (const place of places) this.objects.push(this.#drawn[place]);
    return true;
  }

  /** Puts what stands for the LODs that are not in the list behind all that was added. */
  end(): void {
    if (this.offscreenLods.size > 0) this.objects.push(this.offscreenLods);
  }

  #push(object: Object3D, order: number): void {
    (order === 0 ? this.objects : this.#groupOf(order).children).push(object);
  }

  #groupOf(order: number): Group {
    let group = this.#byOrder.get(order);
    if (group === undefined) {
      const used = this.#groupsUsed++;
      group = this.#groups[used] ?? new Group();
      this.#groups[used] = group;
      group.layers = ALL_LAYERS;
      group.renderOrder = order;
      this.#byOrder.set(order, group);
      this.objects.push(group);
    }
    return group;
  }
}
