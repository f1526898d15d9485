import { type BatchContext, BatchGroup, keyOf, type Part } from './BatchGroup.js';
import type { KnownGeometry } from './looks/KnownGeometry.js';
import type { KnownMaterial } from './looks/KnownMaterial.js';
import type { Member } from './Member.js';

/** The groups of draws of a scene, by what their draws have in common. */
export class Groups {
  readonly #byKey = new Map<string, BatchGroup>();
  /** Those that draws have left. */
  readonly #shrunk = new Set<BatchGroup>();
  readonly #context: BatchContext;

  constructor(context: BatchContext) {
    this.#context = context;
  }

  /** Groups with draws enough to be a batch. */
  get batchCount(): number {
    let count = 0;
    for (const { batch } of this.#byKey.values()) if (batch !== null) count++;
    return count;
  }

  /** The group that a draw of a mesh belongs to. */
  of(member: Member, material: KnownMaterial): BatchGroup {
    const key = keyOf(member, material, member.geometry as KnownGeometry);
    let group = this.#byKey.get(key);
    if (group === undefined) {
      group = new BatchGroup(key, member, material, this.#context);
      this.#byKey.set(key, group);
    }
    return group;
  }

  /** Takes a draw out of its group. */
  leave(part: Part): void {
    const { group } = part;
    if (group === null) return;
    group.remove(part);
    part.group = null;
    this.#shrunk.add(group);
  }

  /** Gives up batches that have become too small. Not while a picture may be drawn of them. */
  tidy(): void {
    for (const group of this.#shrunk) {
      group.dissolve();
      if (group.parts.size === 0) this.#byKey.delete(group.key);
    }
    this.#shrunk.clear();
  }

  dispose(): void {
    for (const group of this.#byKey.values()) group.dispose();
    this.#byKey.clear();
    this.#shrunk.clear();
  }
}
