import type { Box3, Layers, Object3D } from 'three';
import { type Flags, isDrawable } from '../../three/kinds.js';

/** What an object with others below it hands down to them. */
export class Inheritance {
  // Of InheritedState.
  /** The round in which the rest was found out. */
  round = -1;
  /** How a walk from the top gets to what lies below. */
  reach = 0;
  /** In a pass: the order of the nearest group. */
  groupOrder = 0;
  /** In a pass: the topmost object, this one or one above it, that is in its list; null for none. */
  coveredBy: ObjectRecord | null = null;

  // Of StaticObjects.
  /** Number of static children, of an object that is not static. */
  staticChildren = 0;

  // Of Hierarchy.
  /** Number of children that are followed. */
  followed = 0;

  // Of Motion.
  /** Number of the last pass in which three would have forced the matrices below, where its flags do not show it. */
  forcedIn = -1;
}

/**
 * Tasks: bits of a record for what the next update is to do with its object, set by `Todo`.
 * Below them, bits for the kind and the state of the object; `Traits` has those above.
 */
export const QUEUED: number = 1 << 0;
/** It came since the last update, and has not gone. */
export const NEW: number = 1 << 1;
/** Its children, or its parent, were changed without an event. */
export const RELINK: number = 1 << 2;
/** It is to be examined with all below it, static or not. */
export const TOUCHED: number = 1 << 3;
/** It is static, and on the list of `Motion` until the end of the update. */
export const LISTED: number = 1 << 4;
/** Its matrices were left as they were: the next update that makes matrices lists it. */
export const LEFT: number = 1 << 5;
/** Its traits are to be found again: it moved, or something in it came, went or changed. */
export const RETRAIT: number = 1 << 6;
/** Its bounds may have changed since they were measured. */
export const REMEASURE: number = 1 << 7;
/** All of them but the first, which tells that the record is on the list. */
export const TASKS: number = NEW | RELINK | TOUCHED | LISTED | LEFT | RETRAIT | REMEASURE;

/** Updates skip it. */
export const STATIC: number = 1 << 8;
/** A method of its own, or of an object above, updates the matrices of all below it. */
export const MANAGED: number = 1 << 9;
const ENTRY = 1 << 10;
const PART = 1 << 11;
/** three's `static` flag was set when it was read last. */
export const FLAGGED: number = 1 << 12;
/** Others are, or were, below it. */
export const PARENT: number = 1 << 27;
/** It was measured, and waits for its entry. */
export const STAGED: number = 1 << 28;
/** It is an entry with a skinned mesh. */
export const SKINNED: number = 1 << 13;
export const SPRITE: number = 1 << 14;
export const BONE: number = 1 << 15;
/** Points or a sprite: its size on the screen may not depend on how far it is. */
export const POINTS: number = 1 << 16;
const INSTANCES = 1 << 17;

/** The knowledge of an index about one followed object. Groups, lights and bones have one too, as they move what is below. */
export class ObjectRecord {
  readonly object: Object3D;
  /** The record of the object's parent; null for the root, and for an object added from elsewhere. */
  readonly parent: ObjectRecord | null;
  /** Tasks, kind, state and traits. In one number, as engines keep eight bytes for each field. */
  bits: number;

  // Of RecordTable.
  /** Its place among all records, until they move up. */
  handle = 0;

  // Of Entries. What an update reads of each object that moves stands first, close together in memory.
  /** Id of the entry in the core index; -1 while there is none. */
  id = -1;
  /** Of Motion: place in its list; -1 for a static object. */
  slot = -1;
  /** The stamp of the shape with which its entry, or that of the LOD around it, was measured, or will be. */
  shapeStamp = 0;
  /** Bounds of the geometry of a plain mesh, line or points, as measured last; null for other kinds. */
  shape: { readonly shape: number; readonly box: Box3; readonly sides: Float64Array } | null = null;

  /** Null for objects with nothing below them, which most are. */
  #inheritance: Inheritance | null = null;

  // Of InheritedState.
  /** The pass for which it was nominated last; one more when it is in its list. */
  passMark = -1;

  // Of Motion.
  /** Number of the pass in which the world matrix changed last; batches place an object again by it. */
  changed = -1;

  // Of WalkOrder.
  /** Place in the order in which three visits the scene. */
  order = 0;

  constructor(object: Object3D, parent: ObjectRecord | null) {
    this.object = object;
    this.parent = parent;
    const isInLod = parent !== null && (parent.isPart || (parent.object as Flags).isLOD === true);
    this.bits = kindOf(object) | (isInLod ? PART : isDrawable(object) ? ENTRY : 0);
  }

  has(bit: number): boolean {
    return (this.bits & bit) !== 0;
  }

  set(bit: number, isSet: boolean): void {
    this.bits = isSet ? this.bits | bit : this.bits & ~bit;
  }

  /** True when the object is in a LOD, which stands for it in the index. */
  get isPart(): boolean {
    return (this.bits & PART) !== 0;
  }

  /**
   * The record with the entry that stands for this object: its own if it is drawn by itself, the LOD's for everything
   * in a LOD, null if it is not drawn.
   */
  get aggregate(): ObjectRecord | null {
    let record: ObjectRecord = this;
    while (record.isPart) record = record.parent as ObjectRecord;
    return record.isEntry ? record : null;
  }

  /** True for instanced and batched meshes. */
  get hasInstances(): boolean {
    return (this.bits & INSTANCES) !== 0;
  }

  get isStatic(): boolean {
    return (this.bits & STATIC) !== 0;
  }

  /** What the object hands down; only asked of objects that have, or had, others below them. */
  get inheritance(): Inheritance {
    this.#inheritance ??= new Inheritance();
    return this.#inheritance;
  }

  /** Number of children that are followed. */
  get followed(): number {
    return this.#inheritance?.followed ?? 0;
  }

  /** Number of static children, of an object that is not static. */
  get staticChildren(): number {
    return this.#inheritance?.staticChildren ?? 0;
  }

  get forcedIn(): number {
    return this.#inheritance?.forcedIn ?? -1;
  }

  /** True when the object has an entry of its own. */
  get isEntry(): boolean {
    return (this.bits & ENTRY) !== 0;
  }
}

function kindOf({ isSprite, isBone, isPoints, isInstancedMesh, isBatchedMesh }: Flags): number {
  return (
    (isSprite ? SPRITE : 0) |
    (isBone ? BONE : 0) |
    (isPoints || isSprite ? POINTS : 0) |
    (isInstancedMesh || isBatchedMesh ? INSTANCES : 0)
  );
}

/** True for an object with three's `static` flag, which older copies of three do not know. */
export function hasStaticFlag(object: Object3D): boolean {
  return object.static === true;
}

/** The mask of an object's layers, 0 without any. Does not call `layers.test`, which may be hooked to notice passes. */
export function maskOf(object: Object3D): number {
  return (object.layers as Layers | null | undefined)?.mask ?? 0;
}

/** True for an object that is drawn by a pass with these layers, once the pass comes to it: `visible`, and on one of them. */
export function isShownTo(object: Object3D, mask: number): boolean {
  return object.visible && (maskOf(object) & mask) !== 0;
}

/**
 * True for the same object, or for one and a proxy of it, as reactive state hands out (Vue's `reactive`). Both have the
 * same `id` and `uuid`, which three's copies and clones do not.
 */
export function isSame(a: Object3D | null | undefined, b: Object3D): boolean {
  return a === b || (a?.id === b.id && a.uuid === b.uuid);
}

/** True where a test holds for a record, or one above it. */
export function holdsUpwards(record: ObjectRecord | null, test: (above: ObjectRecord) => boolean): boolean {
  for (let r = record; r !== null; r = r.parent) if (test(r)) return true;
  return false;
}

/** True for an object that names another parent than the one among whose children it was found. */
export function hasOtherParent({ object, parent }: ObjectRecord): boolean {
  return parent !== null && !isSame(object.parent, parent.object);
}

/** True for an object that was taken from its parent by hand: three's walk does not come by it there. */
export function hasLeft(record: ObjectRecord): boolean {
  return hasOtherParent(record) && !record.parent?.object.children.includes(record.object);
}

/** True for an object that names the parent that it is followed below, and stands in the list of that. */
export function isAtHome(record: ObjectRecord): boolean {
  const { object, parent } = record;
  return parent !== null && !hasOtherParent(record) && parent.object.children.includes(object);
}

/** What one of Vue's proxies stands for, as Vue's `toRaw` finds it; any other object itself. */
export function rawOf<T extends Object3D>(object: T): T {
  const raw = (object as { __v_raw?: T }).__v_raw;
  return raw === undefined ? object : rawOf(raw);
}
