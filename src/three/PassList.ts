import { Group, Layers, Object3D } from 'three';
import type { Cloak } from './Cloak.js';
import type { Cloaks } from './Cloaks.js';
import type { Passage } from './Passage.js';
import { isUnit, type Tracked } from './Tracked.js';

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
  readonly #end = new Object3D();
  readonly #cloaks: Cloaks;
  readonly #donned: Cloak[] = [];

  /** @param released Called when a renderer has walked the list to its end. */
  constructor(cloaks: Cloaks, released: (list: PassList) => void) {
    this.#cloaks = cloaks;
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
    this.#byOrder.clear();
    for (const group of this.#groups) group.children.length = 0;
  }

  /** Adds an object whose parent the passage has looked at. */
  add(record: Tracked, passage: Passage): void {
    const { object, parent } = record;
    const order = parent === null ? passage.rootOrder : parent.groupOrder;
    (order === passage.rootOrder ? this.objects : this.#groupOf(order).children).push(object);
    if (object.children.length > 0 && !isUnit(object)) this.#donned.push(this.#cloaks.don(object));
  }

  /** Adds an object as it is, with all below it. */
  addWhole(object: Object3D): void {
    this.objects.push(object);
  }

  /** Takes back what no renderer asked for: what was hidden meanwhile, or came behind an exception. */
  doff(): void {
    for (const cloak of this.#donned) cloak.doff();
  }

  /** Puts the mark behind all that was added. */
  end(): void {
    this.objects.push(this.#end);
  }

  #groupOf(order: number): Group {
    let group = this.#byOrder.get(order);
    if (group === undefined) {
      const used = this.#byOrder.size;
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
