import { type Material, MeshDepthMaterial, MeshDistanceMaterial, type Object3D } from 'three';
import type { MeshBatching } from '../../batching/MeshBatching.js';
import { memoized } from '../../core/arrays.js';
import { IdList, IdSet } from '../../core/ids.js';
import { InheritedState, OPEN } from '../../scene/ask/InheritedState.js';
import { LastValues } from '../../scene/facts/LastValues.js';
import { describe } from '../../scene/objects/checks.js';
import type { ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../../scene/SceneParts.js';
import { CasterFacts } from './CasterFacts.js';

/** Number of looks without a change after which a caster rests. */
const LOOKS_AT_REST = 8;
/** Entries that may change in one look besides the share of all; if more do, three draws the maps whole. */
const FEW_CHANGED = 64;
/** Share of all entries that may change in one look. */
const SHARE_CHANGED = 1 / 4;
export const MUCH = 'more than a quarter of all objects changed';
/** Most numbers in the log of changes, two each, for maps that were not drawn or compared meanwhile. */
const MOST_LOGGED = 2 ** 16;

/**
 * The casters of a scene, and a log of the changed ones. A look compares only the entries that lie in a map, and the
 * entries that the index measured anew: no other entry can have entered a map.
 */
export class Casters {
  /** The reason why no map can be kept now; null when maps can be kept. */
  why: string | null = null;
  looks = 0;
  readonly #parts: SceneParts;
  readonly #batching: MeshBatching;
  readonly #state: InheritedState;
  readonly #facts: (CasterFacts | undefined)[] = [];
  readonly #origin = new LastValues();
  readonly #inMaps = new IdSet();
  readonly #measured = new IdSet();
  readonly #list = new IdList();
  /** Ids of changed entries, each followed by the union of its previous and present bits. */
  readonly #log: number[] = [];
  /** Number of changes dropped from the log. */
  #forgotten = 0;

  constructor(parts: SceneParts, batching: MeshBatching) {
    this.#parts = parts;
    this.#batching = batching;
    this.#state = new InheritedState(parts.follower.hierarchy.root);
    parts.entries.listeners.add(this.#measured);
  }

  dispose(): void {
    this.#parts.entries.listeners.delete(this.#measured);
  }

  get changes(): number {
    return this.#forgotten + this.#log.length / 2;
  }

  /** The changes after the first `seen`: ids, each followed by its old and new bits; null if the log dropped some. */
  changesAfter(seen: number): ArrayLike<number> | null {
    return seen < this.#forgotten ? null : this.#log.slice(2 * (seen - this.#forgotten));
  }

  factsOf(id: number): CasterFacts | undefined {
    return this.#facts[id];
  }

  isResting({ movedIn }: CasterFacts): boolean {
    return this.looks - movedIn >= LOOKS_AT_REST;
  }

  /** Compares casters with their known facts, and logs the changed ones. */
  look(): void {
    this.looks++;
    this.#state.beginRound();
    this.why = this.#whyNot();
    if (this.#log.length > MOST_LOGGED) this.#forgetLog();
    if (this.#takeOrigin()) this.#startOver();
    for (const { id } of this.#parts.entries.postponed.keys()) if (id >= 0) this.#measured.add(id);
    this.#measured.writeTo(this.#list);
    if (this.isMuch(this.#list.length)) {
      this.why ??= MUCH;
      this.#startOver();
      return;
    }
    this.#measured.union(this.#inMaps);
    this.#measured.drain(this.#list);
    const { ids, length } = this.#list;
    for (let i = 0; i < length; i++) this.#compare(ids[i]);
  }

  /** True when there are too many changes to be compared one by one. */
  isMuch(changes: number): boolean {
    return changes > FEW_CHANGED + SHARE_CHANGED * this.#parts.entries.measured.size;
  }

  /** True when batches have another origin than in the last look: all their depths are rounded differently then. */
  #takeOrigin(): boolean {
    const { elements } = this.#batching.batches?.groups.origin.plain ?? NO_ORIGIN;
    this.#origin.beginRow().compareAll(elements);
    return !this.#origin.takeSame();
  }

  #forgetLog(): void {
    // One more, so that a map that has seen all changes has to start over, too.
    this.#forgotten = this.changes + 1;
    this.#log.length = 0;
  }

  #startOver(): void {
    this.#forgetLog();
    this.#inMaps.clear();
    this.#measured.clear();
  }

  #compare(id: number): void {
    const record = this.#parts.entries.byId.records[id] ?? null;
    const known = this.#facts[id];
    if (record === null) this.#inMaps.remove(id);
    const before = known?.bits ?? 0;
    const facts = known?.record === record ? known : this.#renew(id, record);
    const isSame = facts !== undefined && this.#takeSame(facts);
    if (isSame) return;
    if (facts !== undefined && (facts === known || facts.unseen !== null)) facts.movedIn = this.looks;
    const bits = before | (facts?.bits ?? 0);
    if (bits !== 0) this.#log.push(id, bits);
  }

  #renew(id: number, record: ObjectRecord | null): CasterFacts | undefined {
    const { records } = this.#parts.follower.hierarchy;
    while (this.#facts.length <= id) this.#facts.push(undefined);
    this.#facts[id] =
      record === null ? undefined : new CasterFacts(record.object, record, (object) => records.get(object));
    return this.#facts[id];
  }

  #takeSame(facts: CasterFacts): boolean {
    const { parent, object, id } = facts.record as ObjectRecord;
    const { root } = this.#parts.follower.hierarchy;
    const isReached = parent === null ? object === root : this.#state.resolve(parent).reach === OPEN;
    const { batches } = this.#batching;
    return facts.takeSame(isReached, batches === null ? null : batches.groupOf(id));
  }

  /** Has looks compare an entry that lies in a map, starting from its present state. */
  include(id: number): void {
    if (this.#inMaps.has(id)) return;
    const record = this.#parts.entries.byId.records[id] ?? null;
    const facts = this.#facts[id]?.record === record ? this.#facts[id] : this.#renew(id, record);
    if (facts === undefined) return;
    this.#inMaps.add(id);
    this.#takeSame(facts);
  }

  /** The reason why a caster may change unseen, though entries are compared; null for none. */
  #whyNot(): string | null {
    if (DEPTH_KINDS.some(({ prototype }) => !isEmpty(prototype.onBeforeCompile)))
      return "three's own depth materials have an onBeforeCompile, which may change unseen";
    const { entries, follower } = this.#parts;
    const without: Object3D[] = [...follower.hierarchy.excluded];
    for (const { object } of entries.quarantined) without.push(object);
    for (const { object, id } of follower.traits.neverCulled) if (id < 0) without.push(object);
    const caster = without.find(mayCast);
    return caster === undefined ? null : `${describe(caster)} casts shadows, and the index has no bounds of it`;
  }
}

const DEPTH_KINDS = [MeshDepthMaterial, MeshDistanceMaterial];
const NO_ORIGIN: { readonly elements: readonly number[] } = { elements: [] };
/** True for a method with an empty body, as three's own has: pages may replace it before this code loads. */
const isEmpty = /* @__PURE__ */ memoized((method: Material['onBeforeCompile']) => /\{\s*\}$/.test(`${method}`));

function mayCast(object: Object3D): boolean {
  return object.visible && (object.castShadow || object.receiveShadow || object.children.some(mayCast));
}
