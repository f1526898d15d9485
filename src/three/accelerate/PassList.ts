import { Group, Layers, Object3D } from 'three';
import type { WalkOrder } from '../follow/WalkOrder.js';
import { type Flags, isAggregate, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { Cloak } from './Cloak.js';
import type { Cloaks } from './Cloaks.js';
import type { InheritedState } from './InheritedState.js';
import { OffscreenLods } from './OffscreenLods.js';

/** Layers that every camera sees. */
export const ALL_LAYERS: Layers = new Layers();
ALL_LAYERS.test = () => true;

/**
 * What one pass of a renderer walks in place of the children of the root: the objects it is to meet, and at the end a
 * mark that tells when it is done with them.
 *
 * Objects whose nearest group has an order of its own lie in a group of ours with that order, as renderers take the order
 * on their way down.
 */
export class PassList {
  readonly objects: Object3D[] = [];
  readonly #groups: Group[] = [];
  readonly #byOrder = new Map<number, Group>();
  #groupsUsed = 0;
  readonly #end = new Object3D();
  /** All LODs, those in this list, and what stands for the others. */
  readonly #levels: ReadonlySet<ObjectRecord>;
  readonly #listed = new Set<ObjectRecord>();
  readonly #absent: OffscreenLods;
  readonly #cloaks: Cloaks;
  readonly #donned: Cloak[] = [];
  readonly #records: ObjectRecord[] = [];
  #hasWhole = false;

  /**
   * @param levels All LODs below the root.
   * @param released Called when a renderer has walked the list to its end.
   */
  constructor(root: Object3D, levels: ReadonlySet<ObjectRecord>, cloaks: Cloaks, released: (list: PassList) => void) {
    this.#cloaks = cloaks;
    this.#levels = levels;
    this.#absent = new OffscreenLods(root, levels, this.#listed);
    this.#absent.layers = ALL_LAYERS;
    this.#end.layers = new Layers();
    this.#end.layers.test = () => {
      released(this);
      return false;
    };
  }

  /** Empties the list. */
  begin(): void {
    this.objects.length = 0;
    this.#donned.length = 0;
    this.#listed.clear();
    this.#records.length = 0;
    this.#hasWhole = false;
    this.#byOrder.clear();
    this.#groupsUsed = 0;
    for (const group of this.#groups) group.children.length = 0;
  }

  /** Adds an object whose parent the passage has looked at. */
  add(record: ObjectRecord, passage: InheritedState): void {
    const { object, parent } = record;
    this.addLeaf(record, object, parent === null ? passage.rootOrder : parent.groupOrder, passage);
    if ((object as Flags).isLOD) this.#listed.add(record);
    else if (object.children.length > 0 && !isAggregate(object)) this.#donned.push(this.#cloaks.don(object));
  }

  /** Adds an object with nothing below it without a look at it or its record. */
  addLeaf(record: ObjectRecord, object: Object3D, order: number, passage: InheritedState): void {
    this.#records.push(record);
    this.#push(object, order, passage);
  }

  /** Has what is added from now on come behind all there is, whatever the orders of groups. */
  closeGroups(): void {
    this.#byOrder.clear();
  }

  /** Adds an object as it is, with all below it. */
  addWhole(object: Object3D, order: number, passage: InheritedState): void {
    this.#push(object, order, passage);
    this.#hasWhole = true;
  }

  /**
   * Puts all that was added in the order in which three visits it, for a renderer that does not sort, so that orders of
   * groups do not matter; false when the order is not known, as something was added as it is.
   */
  putInOrder(order: WalkOrder): boolean {
    if (this.#hasWhole) return false;
    order.sort(this.#records);
    this.objects.length = 0;
    for (const { object } of this.#records) this.objects.push(object);
    this.end();
    return true;
  }

  /**
   * Takes back what no renderer asked for: what was hidden meanwhile, or came behind an exception. The list is empty after
   * that, to keep nothing alive until it is used again.
   */
  doff(): void {
    for (const cloak of this.#donned) cloak.doff();
    this.begin();
  }

  /** Puts the mark behind all that was added, and what stands for the LODs that were not. */
  end(): void {
    if (this.#levels.size > this.#listed.size) this.objects.push(this.#absent);
    this.objects.push(this.#end);
  }

  #push(object: Object3D, order: number, passage: InheritedState): void {
    (order === passage.rootOrder ? this.objects : this.#groupOf(order).children).push(object);
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
