import type { Camera, Object3D, Scene } from 'three';
import type { WalkOrder } from '../follow/WalkOrder.js';
import { isAggregate, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { SceneRenderer } from '../passes/ActiveRenders.js';
import type { RenderItem } from '../passes/sortedDraws.js';
import type { BatchGroup, Part } from './BatchGroup.js';
import { BatchMemory } from './buffers/BatchMemory.js';
import type { CurrentList, MeshBatch } from './buffers/MeshBatch.js';
import { Groups } from './Groups.js';
import { type Accept, isAccepted } from './isAccepted.js';
import type { KnownGeometry } from './looks/KnownGeometry.js';
import { Looks } from './looks/Looks.js';
import type { Member } from './Member.js';
import { Members } from './Members.js';
import { transparentCode } from './transparentCode.js';
import { withoutChildren } from './withoutChildren.js';

export { knowsBatches } from './buffers/knowsBatches.js';
export { canBatch } from './looks/canBatch.js';

/** A pass of a renderer, as far as batches go. */
export interface BatchedPass {
  /** The list that it fills. */
  readonly list: number;
  /** The camera of the picture. */
  readonly eye: Camera;
  /** The camera by whose depths draws are sorted; null where their order does not count, or is that of the scene. */
  readonly camera: Camera | null;
  /** The mask of its layers. */
  readonly mask: number;
  /** It is that of the camera of a picture, not of a shadow. */
  readonly isMain: boolean;
  /** Nothing that was listed before is still to be drawn: meshes may join batches and leave them. */
  readonly isFirst: boolean;
  /** Whether the renderer draws node materials in batches. */
  readonly drawsNodes: boolean;
  /** A number that changes when the world matrix of anything does. */
  readonly changes: number;
  /** The renderer has lists in which transparent draws can become one; elsewhere they are drawn by themselves. */
  readonly mergesTransparent: boolean;
}

/** What the user decides. */
export interface BatchSettings {
  /** Whether materials that are equal in all but their colour are drawn as one. */
  readonly mergeColors: boolean;
  /** Bytes that buffers and textures may take. */
  readonly maxBytes: number;
  /** Similar draws that make a batch. */
  readonly atLeast: number;
  /** Whether a material of which only its author knows that it is safe in batches is one. */
  readonly accept: Accept;
  /** Objects with all below them, and whether they are drawn in batches; the nearest above a mesh decides. */
  readonly rules: WeakMap<Object3D, boolean>;
}

/**
 * The meshes of a scene that are drawn in batches. A mesh is looked at once in each frame in which a pass sees it: then it
 * joins, leaves, or is put where it has moved to. What nobody sees costs nothing.
 */
export class SceneBatches {
  readonly #members = new Members((member) => this.#left.push(member));
  readonly #groups: Groups;
  readonly #looks: Looks;
  readonly #accept: Accept;
  readonly #rules: WeakMap<Object3D, boolean>;
  #rulesVersion = 0;
  #passes = 0;
  #hasTaken = false;
  /** The pass sees transparent meshes that have places in batches. */
  #hasTransparent = false;
  #pass: BatchedPass | null = null;
  /** Batches in the list of the pass, each with the first object that is drawn in it. */
  readonly #listed: { readonly group: BatchGroup; readonly record: ObjectRecord; readonly groupOrder: number }[] = [];
  // What is to be done before the next frame, as pictures may be drawn of what is listed: meshes that have gone, and that are
  // to be looked at.
  readonly #left: Member[] = [];
  readonly #waiting = new Set<Member>();

  constructor(currentList: CurrentList, { mergeColors, maxBytes, atLeast, accept, rules }: BatchSettings) {
    this.#accept = accept;
    this.#looks = new Looks(mergeColors);
    this.#groups = new Groups({ currentList, memory: new BatchMemory(maxBytes), atLeast });
    this.#rules = rules;
  }

  /** True when nothing had a place in a batch in this frame, nor will have in the next. */
  get isIdle(): boolean {
    return !this.#hasTaken && ![...this.#waiting].some(isToBeSeated);
  }

  /** Batches that there are. */
  get count(): number {
    return this.#groups.batchCount;
  }

  /** Begins the lists of a pass. */
  begin(pass: BatchedPass): void {
    this.#pass = pass;
    this.#passes++;
    this.#listed.length = 0;
    this.#hasTransparent = false;
    // Between the pictures within a picture anything may have changed.
    if (pass.isMain) this.#looks.nextFrame();
    if (!pass.isFirst) return;
    this.#hasTaken = false;
    for (const member of this.#left.splice(0)) {
      this.#leave(member);
      member.release();
    }
    this.#groups.tidy();
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
    // What is not drawn is not uploaded either: renderers have not seen its numbers, whatever they are by now.
    if (!record.object.visible || (record.object.layers.mask & pass.mask) === 0) return true;
    const member = this.#memberAt(id, record, groupOrder);
    if (member === null) return false;
    const { others } = member;
    const isUploaded = member.geometry?.endUpload() === true;
    if (member.slot < 0 || (others !== null && !others.every(isSeated))) return false;
    if (isUploaded || (pass.drawsNodes ? member.geometry?.isDynamic : member.hasNodes)) {
      this.#hasTaken ||= isUploaded;
      return false;
    }
    if (member.isTransparent && (pass.isMain || !pass.mergesTransparent)) {
      this.#listTransparent(member, pass, groupOrder);
      return false;
    }
    this.#hasTaken = true;
    this.#list(member, pass, groupOrder);
    if (others !== null) for (const part of others) this.#list(part, pass, groupOrder);
    return true;
  }

  /** Lists the transparent draws of a mesh, for the renderer to sort them among all others first. */
  #listTransparent(member: Member, pass: BatchedPass, groupOrder: number): void {
    if (!pass.mergesTransparent || transparentCode() === null) return;
    this.#hasTransparent = true;
    for (const part of member.parts) if (part.group?.isTransparent) this.#list(part, pass, groupOrder);
  }

  /** Has a mesh join that is drawn by itself in this pass. */
  prepare(id: number, record: ObjectRecord, groupOrder: number): void {
    this.#memberAt(id, record, groupOrder)?.geometry?.endUpload();
  }

  /**
   * Ends the lists of the pass: calls back with each batch in them, and the first of the objects that are drawn in it.
   * @param order That in which batches are to draw; null for by depth.
   */
  end(order: WalkOrder | null, put: (record: ObjectRecord, drawn: Object3D, groupOrder: number) => void): void {
    const { list, eye, isFirst, isMain } = this.#pass as BatchedPass;
    for (const { group, record, groupOrder } of this.#listed) {
      if (order !== null) putInOrder(group, list, order);
      const batch = group.batch as MeshBatch;
      // Pictures around this one may still be drawn from the matrices as they are.
      if (isFirst) batch.recenter(list, eye);
      // For sort functions of the user's.
      batch.mesh.userData = record.object.userData;
      put(record, group.isTransparent && isMain ? batch.carrier : batch.mesh, groupOrder);
    }
    this.#listed.length = 0;
  }

  /**
   * To be called when a renderer is about to fill its list with what it was told to draw: has transparent draws that
   * follow each other, once they are sorted, drawn as one where they are of one batch.
   */
  mergeSorted(scene: Scene, renderer: SceneRenderer): void {
    if (!this.#hasTransparent) return;
    const pass = this.#passes;
    transparentCode()?.mergeWhenSorted(scene, renderer, {
      list: (this.#pass as BatchedPass).list,
      isCurrent: () => pass === this.#passes,
      partOf: this.#partOf,
      onMerged: () => {
        this.#hasTaken = true;
      },
    });
  }

  /** Lets go of an object. It may go while it is drawn. */
  forget(object: Object3D): void {
    this.#members.remove(object);
  }

  /** To be called when the rules have changed. */
  noteRules(): void {
    this.#rulesVersion++;
  }

  /**
   * True for an object that leaves what is below it to itself: it is drawn in a batch, or was looked at and is not. What is
   * new is drawn with all below it, as it may join.
   */
  isSolitary(record: ObjectRecord): boolean {
    if (record.hasInstances || isAggregate(record.object)) return false;
    const member = this.#members.get(record.object);
    return member?.record === record && (member.group !== null || member.reason !== null);
  }

  /** What draws an object without what is below it. */
  withoutChildren(object: Object3D): Object3D {
    return withoutChildren(object);
  }

  /** True for a mesh that was drawn in a batch when it was looked at last. */
  draws(object: Object3D): boolean {
    const member = this.#members.get(object);
    return member !== undefined && member.slot >= 0;
  }

  /** All meshes that passes have seen. */
  get members(): Iterable<Member> {
    return this.#members.all;
  }

  /** What is known of a mesh. */
  memberOf(object: Object3D): Member | undefined {
    return this.#members.get(object);
  }

  dispose(): void {
    this.#passes++;
    this.#members.clear();
    for (const member of this.#left.splice(0)) member.release();
    this.#groups.dispose();
    this.#waiting.clear();
  }

  /** A mesh, looked at in this frame; null for one that has to be drawn by itself. */
  #memberAt(id: number, record: ObjectRecord, groupOrder: number): Member | null {
    const member = this.#members.at(id, record);
    if (member.groupOrder !== groupOrder) {
      if (this.#pass?.isFirst !== true) {
        this.#waiting.add(member);
        return null;
      }
      member.groupOrder = groupOrder;
      member.forgetLook();
    }
    return member.frame === this.#looks.frame || this.#look(member, this.#pass as BatchedPass) ? member : null;
  }

  /** The transparent draw of a mesh that a renderer draws now; null for what is no such draw, or was not looked at. */
  readonly #partOf = ({ object, geometry, material, group }: RenderItem): Part | null => {
    // What is drawn without its children has it as its prototype.
    const member = this.#members.get(object) ?? this.#members.get(Object.getPrototypeOf(object));
    if (member === undefined || !member.isTransparent || member.frame !== this.#looks.frame) return null;
    if (member.slot < 0 || member.geometry?.geometry !== geometry) return null;
    for (let part: Part = member, i = 0; ; i++) {
      const isDrawn = part.piece === group && part.known?.material === material;
      if (isDrawn && part.slot >= 0 && part.group?.isTransparent) return part;
      if (member.others === null || i === member.others.length) return null;
      part = member.others[i];
    }
  };

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
  #look(member: Member, { isFirst, isMain, changes }: BatchedPass): boolean {
    if (member.isAway(this.#looks.frame)) {
      this.#hasTaken = true;
      return false;
    }
    const hasMoved = member.changes !== changes && member.placed !== member.record.changed;
    const isAsNoted =
      this.#isAllowedAsBefore(member) && member.isAsNoted(this.#looks.frame) && !(hasMoved && member.hasOtherPose);
    const isChanged = hasMoved || member.tint !== member.tintNow;
    // What was listed before is drawn from the buffers as they are; what only shadow passes see is in no such list.
    if (!isFirst && (!isAsNoted || member.isReshaped || (isMain && isChanged))) {
      this.#waiting.add(member);
      return false;
    }
    if (!isAsNoted) {
      this.#leave(member);
      member.note(this.#looks);
      this.#join(member);
    } else if (member.group !== null && (isChanged || member.isReshaped)) member.followChanges();
    member.frame = this.#looks.frame;
    member.changes = changes;
    if (member.group === null) return false;
    // From the next frame on, as others like it: what is drawn at once keeps its order.
    if (member.slot < 0) this.#waiting.add(member);
    return true;
  }

  #seat(member: Member): void {
    for (const part of member.parts) part.group?.seat(part, member.geometry as KnownGeometry, member.mesh);
  }

  #join(member: Member): void {
    member.rules = this.#rulesVersion;
    member.isAllowed = this.#isAllowed(member.mesh);
    member.reason = this.#whyAlone(member);
    if (member.reason !== null) return;
    const [first, ...others] = member.draws();
    if (first === undefined) {
      member.reason = 'no group of its geometry is drawn with a material of its list';
      return;
    }
    const { record } = member;
    member.range = first.range;
    member.piece = first.piece;
    member.known = first.known;
    member.group = this.#groups.of(member, first.known);
    if (others.length > 0) {
      member.others = others.map(({ known, range, piece }) => {
        return { record, group: this.#groups.of(member, known), range, known, slot: -1, isRefused: false, piece };
      });
    }
    member.isTransparent = false;
    for (const part of member.parts) {
      part.group?.add(part);
      member.isTransparent ||= part.group?.isTransparent === true;
    }
  }

  /** False when the user's rules have come to another decision. */
  #isAllowedAsBefore(member: Member): boolean {
    if (member.rules === this.#rulesVersion) return true;
    if (this.#isAllowed(member.mesh) !== member.isAllowed) return false;
    member.rules = this.#rulesVersion;
    return true;
  }

  #isAllowed(mesh: Object3D): boolean {
    for (let o: Object3D | null = mesh; o !== null; o = o.parent) {
      const isBatched = this.#rules.get(o);
      if (isBatched !== undefined) return isBatched;
    }
    return false;
  }

  #whyAlone({ mesh, reason, materials, geometry, isSheared, isAllowed, isDrawnTwice, isFlat }: Member): string | null {
    if (!isAllowed) return 'it, or an object above it, is not to be drawn in batches';
    if (isSheared) return 'its world matrix shears';
    const known = reason ?? geometry?.reason;
    if (known) return known;
    for (const { reason, material } of materials) {
      if (reason !== null && !isAccepted(this.#accept, mesh, material)) return reason;
    }
    // With a flat geometry one of the two draws is empty.
    return isDrawnTwice && !isFlat ? 'forceSinglePass' : null;
  }

  #leave(member: Member): void {
    for (const part of member.parts) this.#groups.leave(part);
    member.others = null;
    member.known = null;
  }
}

function isSeated({ slot }: Part): boolean {
  return slot >= 0;
}

/** True when a batch that a mesh is to be drawn in has no place for it yet. */
function isToBeSeated({ slot, group }: Member): boolean {
  return slot < 0 && group !== null && group.batch !== null;
}

function putInOrder({ parts, batch }: BatchGroup, list: number, order: WalkOrder): void {
  const bySlot = new Map<number, ObjectRecord>();
  for (const { record, slot } of parts) bySlot.set(slot, record);
  order.number([...bySlot.values()]);
  batch?.sortBy(list, (slot) => bySlot.get(slot)?.order ?? 0);
}
