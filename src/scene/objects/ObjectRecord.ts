import type { Box3, Layers, Object3D } from 'three';
import { type Flags, isDrawable } from '../../three/kinds.js';

/** State that an object with children hands down to its descendants. */
export class Inheritance {
  // Used by InheritedState.
  /** The round (see InheritedState) in which `reach`, `groupOrder` and `coveredBy` were computed. */
  round = -1;
  /** How far a traversal gets below the object: HIDDEN to OPEN of InheritedState. */
  reach = 0;
  /** In a pass: the `renderOrder` of the nearest `Group` among the object and its ancestors. */
  groupOrder = 0;
  /** In a pass: the topmost listed object among the object and its ancestors; null for none. */
  coveredBy: ObjectRecord | null = null;

  // Used by StaticObjects.
  /** Number of static children; counted only while the object itself is not static. */
  staticChildren = 0;

  // Used by Hierarchy.
  /** Number of children that are followed. */
  followed = 0;

  // Used by Motion.
  /** Number of the last walk in which three would make all matrices below the object anew, though no flag shows it. */
  forcedIn = -1;
}

/**
 * The record is on the list of `Todo`. The bits from NEW to REMEASURE are tasks: the work that the next update has to
 * do with the object. Further bits tell the object's kind and state; those from 18 to 26 belong to `Traits`.
 */
export const QUEUED: number = 1 << 0;
/** The object came since the last update, and is still followed. */
export const NEW: number = 1 << 1;
/** The object's children, or its parent, were changed without an event. */
export const RELINK: number = 1 << 2;
/** The object is to be examined with all its descendants, static or not. */
export const TOUCHED: number = 1 << 3;
/** The object is static, and stays on the list of `Motion` until the end of the update. */
export const LISTED: number = 1 << 4;
/** The object's matrices were left as they were: the next update that makes matrices lists the object. */
export const LEFT: number = 1 << 5;
/** The object's traits are to be found again: it moved, or an object in it came, went or changed. */
export const RETRAIT: number = 1 << 6;
/** The object's bounds may have changed since they were measured. */
export const REMEASURE: number = 1 << 7;
/** The bits of all tasks. */
export const TASKS: number = NEW | RELINK | TOUCHED | LISTED | LEFT | RETRAIT | REMEASURE;

/** Updates skip the object. */
export const STATIC: number = 1 << 8;
/** The object or an ancestor has an own method that updates the matrices of all descendants. */
export const MANAGED: number = 1 << 9;
const ENTRY = 1 << 10;
const PART = 1 << 11;
/** three's `static` flag was set when the library last read it. */
export const FLAGGED: number = 1 << 12;
/** The object has, or had, children. */
export const PARENT: number = 1 << 27;
/** The object was measured and waits for its entry. */
export const STAGED: number = 1 << 28;
/** The object's entry holds a skinned mesh: the object itself, or a part of a LOD. */
export const SKINNED: number = 1 << 13;
export const SPRITE: number = 1 << 14;
export const BONE: number = 1 << 15;
/** Points or a sprite: the object's size on the screen may not depend on its distance. */
export const POINTS: number = 1 << 16;
const HAS_INSTANCES = 1 << 17;

/** An index's knowledge of one followed object. Groups, lights and bones have records too, as they move descendants. */
export class ObjectRecord {
  readonly object: Object3D;
  /** The record of the object's parent; null for the root, and for an added object that is not below the root. */
  readonly parent: ObjectRecord | null;
  /** Tasks, kind, state and traits as bits of one number, as engines keep eight bytes for each field. */
  bits: number;

  // Used by RecordTable.
  /** Number of the record among all records, until records are renumbered. */
  handle = 0;

  // Used by Entries. An update reads the next fields of each moving object, so they lie close together in memory.
  /** Id of the entry in the core index; -1 while there is none. */
  id = -1;
  /** Used by Motion: the walk index, the object's number in Motion's list; -1 for a static object. */
  walkIndex = -1;
  /** Stamp of the object's shape as last seen: its entry, or its LOD's, was measured with it, or is postponed. */
  shapeStamp = 0;
  /** Bounds of the geometry of a plain mesh, line or points, as last measured; null for other kinds. */
  shape: { readonly shape: number; readonly box: Box3; readonly sides: Float64Array } | null = null;

  /** Null for objects without children, as most are. */
  #inheritance: Inheritance | null = null;

  // Used by InheritedState.
  /** An even number for the last pass that marked the object to be listed; one more once the pass has listed it. */
  passMark = -1;

  // Used by Motion.
  /** Number of the last walk that changed the world matrix: batches compare it before they write the matrix anew. */
  changed = -1;

  // Used by WalkOrder.
  /** Number of the object in the order in which three visits the scene. */
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

  /** True when the object is part of a LOD, whose entry stands for it in the index. */
  get isPart(): boolean {
    return (this.bits & PART) !== 0;
  }

  /** The record with this object's entry: its own, the LOD's for a part of a LOD, null for an object not drawn. */
  get aggregate(): ObjectRecord | null {
    let record: ObjectRecord = this;
    while (record.isPart) record = record.parent as ObjectRecord;
    return record.isEntry ? record : null;
  }

  /** True for instanced and batched meshes. */
  get hasInstances(): boolean {
    return (this.bits & HAS_INSTANCES) !== 0;
  }

  get isStatic(): boolean {
    return (this.bits & STATIC) !== 0;
  }

  /** The inherited state. Read it only for objects with children, or former children, as reading allocates. */
  get inheritance(): Inheritance {
    this.#inheritance ??= new Inheritance();
    return this.#inheritance;
  }

  get followed(): number {
    return this.#inheritance?.followed ?? 0;
  }

  /** Number of static children; counted only while the object itself is not static. */
  get staticChildren(): number {
    return this.#inheritance?.staticChildren ?? 0;
  }

  get forcedIn(): number {
    return this.#inheritance?.forcedIn ?? -1;
  }

  get isEntry(): boolean {
    return (this.bits & ENTRY) !== 0;
  }
}

function kindOf({ isSprite, isBone, isPoints, isInstancedMesh, isBatchedMesh }: Flags): number {
  return (
    (isSprite ? SPRITE : 0) |
    (isBone ? BONE : 0) |
    (isPoints || isSprite ? POINTS : 0) |
    (isInstancedMesh || isBatchedMesh ? HAS_INSTANCES : 0)
  );
}

/** True for an object with three's `static` flag, which older copies of three do not know. */
export function hasStaticFlag(object: Object3D): boolean {
  return object.static === true;
}

/** The mask of an object's layers, 0 without any. `layers.test` is not called, as it may be hooked to notice passes. */
export function maskOf(object: Object3D): number {
  return (object.layers as Layers | null | undefined)?.mask ?? 0;
}

/** True for an object that is `visible` and on a layer of the mask, whatever its ancestors are. */
export function isShownTo(object: Object3D, mask: number): boolean {
  return object.visible && (maskOf(object) & mask) !== 0;
}

/** True for an object and itself, or a proxy of it (Vue's `reactive`): proxies share `id` and `uuid`, clones do not. */
export function isSame(a: Object3D | null | undefined, b: Object3D): boolean {
  return a === b || (a?.id === b.id && a.uuid === b.uuid);
}

/** True when a test holds for a record or one of its ancestors. */
export function holdsUpwards(record: ObjectRecord | null, test: (above: ObjectRecord) => boolean): boolean {
  for (let r = record; r !== null; r = r.parent) if (test(r)) return true;
  return false;
}

/** True for an object with another `parent` than the object it is followed below. */
export function hasOtherParent({ object, parent }: ObjectRecord): boolean {
  return parent !== null && !isSame(object.parent, parent.object);
}

/** True for an object with another `parent` than the object it is followed below, and not among that one's children. */
export function hasLeft(record: ObjectRecord): boolean {
  return hasOtherParent(record) && !record.parent?.object.children.includes(record.object);
}

/** True for an object listed among the children of the object it is followed below, with that object as `parent`. */
export function isAtHome(record: ObjectRecord): boolean {
  const { object, parent } = record;
  return parent !== null && !hasOtherParent(record) && parent.object.children.includes(object);
}

/** The object behind a Vue proxy, as Vue's `toRaw` finds it; any other object itself. */
export function rawOf<T extends Object3D>(object: T): T {
  const raw = (object as { __v_raw?: T }).__v_raw;
  return raw === undefined ? object : rawOf(raw);
}
