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

/** Bits of a record. */
const NEW = 1;
const STATIC = 2;
const MANAGED = 4;
const ENTRY = 8;
const PART = 16;

/** The knowledge of an index about one followed object. Groups, lights and bones have one too, as they move what is below. */
export class ObjectRecord {
  readonly object: Object3D;
  /** The record of the object's parent; null for the root, and for an object added from elsewhere. */
  readonly parent: ObjectRecord | null;

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

  /** In one number, as engines keep eight bytes for each field. */
  #bits: number;

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
    this.#bits = NEW | (isInLod ? PART : isDrawable(object) ? ENTRY : 0);
  }

  /** True when the object is in a LOD, which stands for it in the index. */
  get isPart(): boolean {
    return (this.#bits & PART) !== 0;
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
    return Boolean((this.object as Flags).isInstancedMesh || (this.object as Flags).isBatchedMesh);
  }

  /** Of SceneFollower: it came since the last update, and has not gone. */
  get isNew(): boolean {
    return (this.#bits & NEW) !== 0;
  }

  set isNew(isNew: boolean) {
    this.#set(NEW, isNew);
  }

  /** Of StaticObjects: skipped by updates. */
  get isStatic(): boolean {
    return (this.#bits & STATIC) !== 0;
  }

  set isStatic(isStatic: boolean) {
    this.#set(STATIC, isStatic);
  }

  /** Of Motion: true when an own `updateMatrixWorld`, of this object or one above, updates what lies below. */
  get managed(): boolean {
    return (this.#bits & MANAGED) !== 0;
  }

  set managed(managed: boolean) {
    this.#set(MANAGED, managed);
  }

  #set(bit: number, isSet: boolean): void {
    this.#bits = isSet ? this.#bits | bit : this.#bits & ~bit;
  }

  /** What the object hands down; only asked of objects that have, or had, others below them. */
  get inheritance(): Inheritance {
    this.#inheritance ??= new Inheritance();
    return this.#inheritance;
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
    return (this.#bits & ENTRY) !== 0;
  }
}

/** True for an object with three's `static` flag, which older copies of three do not know. */
export function hasStaticFlag(object: Object3D): boolean {
  return object.static === true;
}

/** The mask of an object's layers, 0 without any. Does not call `layers.test`, which may be hooked to notice passes. */
export function maskOf(object: Object3D): number {
  return (object.layers as Layers | null | undefined)?.mask ?? 0;
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

/** What one of Vue's proxies stands for, as Vue's `toRaw` finds it; any other object itself. */
export function rawOf<T extends Object3D>(object: T): T {
  const raw = (object as { __v_raw?: T }).__v_raw;
  return raw === undefined ? object : rawOf(raw);
}
