import type { Camera, Object3D } from 'three';
import type { WalkOrder } from '../follow/WalkOrder.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { BatchGroup, keyOf, type Part } from './BatchGroup.js';
import { BatchMemory } from './BatchMemory.js';
import type { KnownGeometry } from './KnownGeometry.js';
import type { KnownMaterial } from './KnownMaterial.js';
import { Looks } from './Looks.js';
import { Member } from './Member.js';
import type { CurrentList, MeshBatch } from './MeshBatch.js';
import { whyMeshAlone } from './whyNotBatched.js';

export { canBatch } from './canBatch.js';

/** A pass of a renderer, as far as batches go. */
export interface BatchedPass {
  /** The list that it fills. */
  readonly list: number;
  /** The camera by whose depths draws are sorted; null where their order does not count, or is that of the scene. */
  readonly camera: Camera | null;
  /** The mask of its layers. */
  readonly mask: number;
  /** Nothing that was listed before is still to be drawn: meshes may join batches and leave them. */
  readonly isFirst: boolean;
  /** Whether the renderer draws node materials in batches. */
  readonly drawsNodes: boolean;
  /** A number that changes when the world matrix of anything does. */
  readonly changes: number;
}

/** What the user decides. */
export interface BatchSettings {
  /** Whether materials that are equal in all but their colour are drawn as one. */
  readonly mergeColors: boolean;
  /** Bytes that buffers and textures may take. */
  readonly maxBytes: number;
  /** Objects with all below them, and whether they are drawn in batches; the nearest above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
}

/**
 * The meshes of a scene that are drawn in batches. A mesh is looked at once in each frame in which a pass sees it: then it
 * joins, leaves, or is put where it has moved to. What nobody sees costs nothing.
 */
export class SceneBatches {
  readonly #members = new Map<Object3D, Member>();
  /** By the id of the entry, or of one that had the id before. */
  readonly #byId: (Member | undefined)[] = [];
  readonly #groups = new Map<string, BatchGroup>();
  readonly #looks: Looks;
  readonly #currentList: CurrentList;
  readonly #memory: BatchMemory;
  readonly #rules: WeakMap<Object3D, boolean>;
  #rulesVersion = 0;
  #passes = 0;
  #hasTaken = false;
  #pass: BatchedPass | null = null;
  /** Batches in the list of the pass, each with the first object that is drawn in it. */
  readonly #listed: { readonly group: BatchGroup; readonly record: ObjectRecord; readonly groupOrder: number }[] = [];
  // What is to be done before the next frame, as pictures may be drawn of what is listed: meshes that have gone, and that are
  // to be looked at, and groups that some have left.
  readonly #left: Member[] = [];
  readonly #waiting = new Set<Member>();
  readonly #shrunk = new Set<BatchGroup>();

  constructor(currentList: CurrentList, { mergeColors, maxBytes, rules }: BatchSettings) {
    this.#currentList = currentList;
    this.#looks = new Looks(mergeColors);
    this.#memory = new BatchMemory(maxBytes);
    this.#rules = rules;
  }

  /** True when nothing has been drawn in batches in this frame, nor will be in the next. */
  get isIdle(): boolean {
    return !this.#hasTaken && this.#waiting.size === 0;
  }

  /** Begins the lists of a pass. */
  begin(pass: BatchedPass): void {
    this.#pass = pass;
    this.#passes++;
    this.#listed.length = 0;
    if (!pass.isFirst) return;
    this.#looks.frame++;
    this.#hasTaken = false;
    for (const member of this.#left.splice(0)) {
      this.#leave(member);
      member.release();
    }
    for (const group of this.#shrunk) {
      group.dissolve();
      if (group.parts.size === 0) this.#groups.delete(group.key);
    }
    this.#shrunk.clear();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const member of waiting) {
      if (this.#members.get(member.mesh) === member && this.#look(member, pass)) this.#seat(member);
    }
  }

  /**
   * Takes a mesh that the pass sees into the lists of its batches, unless it is hidden; false when it is to be drawn by
   * itself.
   */
  take(id: number, record: ObjectRecord, groupOrder: number): boolean {
    const pass = this.#pass as BatchedPass;
    const member = this.#memberAt(id, record, groupOrder);
    if (member === null) return false;
    const { others } = member;
    if (member.slot < 0 || (member.hasNodes && !pass.drawsNodes) || (others !== null && !others.every(isSeated)))
      return false;
    this.#hasTaken = true;
    if (!member.mesh.visible || (member.mask & pass.mask) === 0) return true;
    this.#list(member, pass, groupOrder);
    if (others !== null) for (const part of others) this.#list(part, pass, groupOrder);
    return true;
  }

  /** Has a mesh join that is drawn by itself in this pass. */
  prepare(id: number, record: ObjectRecord, groupOrder: number): void {
    this.#memberAt(id, record, groupOrder);
  }

  /**
   * Ends the lists of the pass: calls back with each batch in them, and the first of the objects that are drawn in it.
   * @param order That in which batches are to draw; null for by depth.
   */
  end(order: WalkOrder | null, put: (record: ObjectRecord, batch: MeshBatch, groupOrder: number) => void): void {
    const { list } = this.#pass as BatchedPass;
    for (const { group, record, groupOrder } of this.#listed) {
      if (order !== null) putInOrder(group, list, order);
      put(record, group.batch as MeshBatch, groupOrder);
    }
    this.#listed.length = 0;
  }

  /** Lets go of an object. It may go while it is drawn. */
  forget(object: Object3D): void {
    const member = this.#members.get(object);
    if (member === undefined) return;
    this.#members.delete(object);
    this.#left.push(member);
  }

  /** To be called when the rules have changed. */
  noteRules(): void {
    this.#rulesVersion++;
  }

  /** True for a mesh that was drawn in a batch when it was looked at last. */
  holds(record: ObjectRecord): boolean {
    const member = this.#members.get(record.object);
    return member !== undefined && member.record === record && member.slot >= 0;
  }

  /** A sentence that says how a mesh is drawn. */
  describe(object: Object3D): string {
    const member = this.#members.get(object);
    const reason = member === undefined ? 'no picture has shown it yet' : whyNotSeated(member);
    if (member === undefined || reason !== null) return `It is drawn by itself, not in a batch: ${reason}.`;
    const batches = partsOf(member).map(({ group }) => `${group?.batch?.size} draws`);
    return `It is drawn in ${batches.length === 1 ? 'a batch' : `${batches.length} batches`} of ${batches.join(' and ')}.`;
  }

  dispose(): void {
    for (const group of this.#groups.values()) group.dispose();
    for (const member of [...this.#members.values(), ...this.#left]) member.release();
    this.#groups.clear();
    this.#members.clear();
    this.#waiting.clear();
    this.#shrunk.clear();
    this.#byId.length = 0;
    this.#left.length = 0;
  }

  /** A mesh, looked at in this frame; null for one that has to be drawn by itself. */
  #memberAt(id: number, record: ObjectRecord, groupOrder: number): Member | null {
    let member = this.#byId[id];
    if (member === undefined || member.record !== record) {
      member = this.#memberOf(record);
      // Filled up one by one, so that the array stays dense.
      while (this.#byId.length < id) this.#byId.push(undefined);
      this.#byId[id] = member;
    }
    if (member.groupOrder !== groupOrder) {
      member.groupOrder = groupOrder;
      member.frame = -1;
      this.#leave(member);
    }
    return member.frame === this.#looks.frame || this.#look(member, this.#pass as BatchedPass) ? member : null;
  }

  #memberOf(record: ObjectRecord): Member {
    let member = this.#members.get(record.object);
    if (member?.record !== record) {
      this.forget(record.object);
      member = new Member(record);
      this.#members.set(record.object, member);
    }
    return member;
  }

  #list(part: Part, pass: BatchedPass, groupOrder: number): void {
    const group = part.group as BatchGroup;
    const batch = group.batch as MeshBatch;
    if (group.pass !== this.#passes) {
      group.pass = this.#passes;
      batch.begin(pass.list, pass.camera);
      this.#listed.push({ group, record: part.record, groupOrder });
    }
    batch.list(pass.list, part.slot);
  }

  /** Looks at a mesh, for the first time in a frame; false when it has to be drawn by itself for now. */
  #look(member: Member, { isFirst, changes }: BatchedPass): boolean {
    const hasMoved = member.changes !== changes && member.placed !== member.record.changed;
    const isAsNoted =
      this.#isAllowedAsBefore(member) && member.isAsNoted(this.#looks.frame) && !(hasMoved && member.hasOtherPose);
    if (!isAsNoted) {
      // What was listed before is drawn from the buffers as they are.
      if (!isFirst) {
        this.#waiting.add(member);
        return false;
      }
      this.#leave(member);
      member.note(this.#looks);
      this.#join(member);
    } else if (hasMoved || member.hasOtherLooks) followChanges(member);
    member.frame = this.#looks.frame;
    member.changes = changes;
    if (member.group === null) return false;
    // From the next frame on, as others like it: what is drawn at once keeps its order.
    if (isToBeSeated(member)) this.#waiting.add(member);
    return true;
  }

  #seat(member: Member): void {
    for (const part of partsOf(member)) part.group?.seat(part, member.geometry as KnownGeometry, member.mesh);
  }

  #join(member: Member): void {
    member.reason = this.#whyAlone(member);
    if (member.reason !== null) return;
    const [first, ...others] = member.draws();
    const { record } = member;
    member.range = first.range;
    member.known = first.known;
    member.group = this.#groupFor(member, first.known);
    if (others.length > 0) {
      member.others = others.map(({ known, range }) => {
        return { record, group: this.#groupFor(member, known), range, known, slot: -1 };
      });
    }
    for (const part of partsOf(member)) part.group?.add(part);
  }

  #groupFor(member: Member, material: KnownMaterial): BatchGroup {
    const key = keyOf(member, material, member.geometry as KnownGeometry);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = new BatchGroup(key, member, material, this.#currentList, this.#memory);
      this.#groups.set(key, group);
    }
    return group;
  }

  /** False when the user's rules have come to another decision. */
  #isAllowedAsBefore(member: Member): boolean {
    if (member.rules === this.#rulesVersion) return true;
    const isAllowed = this.#isAllowed(member.mesh);
    const isAsBefore = isAllowed === member.isAllowed;
    member.rules = this.#rulesVersion;
    member.isAllowed = isAllowed;
    return isAsBefore;
  }

  #isAllowed(mesh: Object3D): boolean {
    for (let o: Object3D | null = mesh; o !== null; o = o.parent) {
      const isBatched = this.#rules.get(o);
      if (isBatched !== undefined) return isBatched;
    }
    return false;
  }

  #whyAlone({ mesh, materials, geometry, isSheared, isAllowed }: Member): string | null {
    if (!isAllowed) return 'it, or an object above it, is not to be drawn in batches';
    if (isSheared) return 'its world matrix shears, and shaders of batches would bend its normals';
    const reason = whyMeshAlone(mesh) ?? geometry?.reason ?? null;
    return reason ?? materials.find((known) => known.reason !== null)?.reason ?? null;
  }

  #leave(member: Member): void {
    for (const part of partsOf(member)) this.#remove(part);
    member.others = null;
    member.known = null;
  }

  #remove(part: Part): void {
    const { group } = part;
    if (group === null) return;
    group.remove(part);
    part.group = null;
    this.#shrunk.add(group);
  }
}

function isSeated({ slot }: Part): boolean {
  return slot >= 0;
}

/** True when a batch that a mesh is to be drawn in has no place for it yet. */
function isToBeSeated({ slot, group }: Member): boolean {
  return slot < 0 && group !== null && group.batch !== null;
}

/** Why a mesh is in no batch; null where it is. */
function whyNotSeated(member: Member): string | null {
  if (member.reason !== null) return member.reason;
  const parts = partsOf(member);
  if (parts.every(isSeated)) return null;
  return parts.some(({ group }) => !group?.batch) ? 'too few others are like it' : 'batches may take no more memory';
}

function partsOf(member: Member): Part[] {
  return member.others === null ? [member] : [member, ...member.others];
}

/** Brings what batches have of a mesh up to date. */
function followChanges(member: Member): void {
  const geometry = member.geometry as KnownGeometry;
  const isTinted = member.tint !== member.tintNow;
  const isReshaped = member.revision !== geometry.revision;
  // A mesh of several draws joins anew instead.
  if (isReshaped) member.range = member.rangeOf();
  for (const part of partsOf(member)) {
    const { slot, group, range, known } = part;
    if (slot < 0 || !group?.batch) continue;
    if (isReshaped && !group.batch.follow(slot, geometry, range)) {
      group.unseat(part);
      continue;
    }
    group.batch.place(slot, member.mesh.matrixWorld);
    if (isTinted && known?.color) group.batch.tint(slot, known.color);
  }
  member.tint = member.tintNow;
  member.revision = geometry.revision;
  member.placed = member.record.changed;
}

function putInOrder({ parts, batch }: BatchGroup, list: number, order: WalkOrder): void {
  const bySlot = new Map<number, ObjectRecord>();
  for (const { record, slot } of parts) bySlot.set(slot, record);
  order.number([...bySlot.values()]);
  batch?.sortBy(list, (slot) => bySlot.get(slot)?.order ?? 0);
}
