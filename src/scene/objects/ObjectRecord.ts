import type { Box3, BufferGeometry, Layers, Object3D } from 'three';

/**
 * What an index knows of one followed object; groups, lights and bones have a record too, as they move what is below.
 */
export class ObjectRecord {
  readonly object: Object3D;
  /** The record of the object's parent; null for the root, and for an object added from elsewhere. */
  readonly parent: ObjectRecord | null;
  /** Answer of the last visibility check, and its round. */
  shown = false;
  shownIn = -1;
  /** True for instanced and batched meshes. */
  readonly hasInstances: boolean;
  /**
   * The record with the entry that stands for this object: its own if it is drawn by itself, the LOD's for everything
   * in a LOD, null if it is not drawn.
   */
  aggregate: ObjectRecord | null;
  /** Id of the entry in the core index; -1 while there is none. */
  id = -1;
  /** Place in the list of moving objects; -1 for an object at rest. */
  slot = -1;
  // Of the last pass of a renderer, see InheritedState.
  /** Whether it gets to what lies below this object, with which group order, and in which pass that was found out. */
  isVisibleInHierarchy = false;
  groupOrder = 0;
  resolvedIn = -1;
  /** The topmost object at or above this one that is in the list of the pass; null for none. */
  coveredBy: ObjectRecord | null = null;
  /** The pass for which it was nominated last; one more when it is in its list. */
  passMark = -1;
  /** Declared at rest: not looked at by `update`. */
  isStatic = false;
  /** Direct children that are static below this one that is not. */
  staticChildren = 0;
  /** Number of the update in which the world matrix changed last. */
  changed = -1;
  /** Number of the last update in which three would have forced the matrices below, where its flags do not show it. */
  forcedIn = -1;
  /** True when an own `updateMatrixWorld`, of this object or one above, updates what lies below. */
  managed = false;
  /** What the traits depended on when they were found. */
  raycast: unknown = undefined;
  frustumCulled = true;
  /** The geometry that the bounds were made of, and the revision of its shape; see `noteShape`. */
  geometry: BufferGeometry | null = null;
  shapeRevision = 0;
  /** The shape of the geometry of a plain mesh, line or points, as it was measured last; null for other kinds. */
  shape: { readonly revision: number; readonly box: Box3 } | null = null;
  /** What holds the matrices of instances, and their revision; only for objects that have instances. */
  instances: unknown = null;
  revision = 0;
  /** Place in the order in which three visits the scene, as of the last numbering. */
  order = 0;

  constructor(object: Object3D, parent: ObjectRecord | null, aggregate: ObjectRecord | null) {
    this.object = object;
    this.hasInstances = Boolean((object as Flags).isInstancedMesh || (object as Flags).isBatchedMesh);
    this.parent = parent;
    this.aggregate = aggregate ?? (isDrawable(object) ? this : null);
  }

  /** True when the object has an entry of its own. */
  get isEntry(): boolean {
    return this.aggregate === this;
  }
}

/**
 * The flags by which three tells the kinds of objects apart; unlike classes they are the same for all copies of three.
 */
export type Flags = {
  readonly [flag in
    | 'isObject3D'
    | 'isMesh'
    | 'isSkinnedMesh'
    | 'isInstancedMesh'
    | 'isBatchedMesh'
    | 'isLine'
    | 'isPoints'
    | 'isSprite'
    | 'isLOD'
    | 'isBone'
    | 'isLight'
    | 'isGroup'
    | 'isClippingGroup'
    | 'isBundleGroup'
    | 'isSceneIndexHelper']?: boolean;
};

/** True for objects with rules of their own for what lies below them, which renderers handle with it as a whole. */
export function isAggregate(object: Flags): boolean {
  return Boolean(object.isLOD || object.isClippingGroup || object.isBundleGroup);
}

export function isDrawable(object: Flags): boolean {
  return Boolean(object.isMesh || object.isLine || object.isPoints || object.isSprite || object.isLOD);
}

/**
 * The mask of an object's layers, 0 without layers. Compared without `layers.test`, which may be hooked to notice
 * passes.
 */
export function maskOf(object: Object3D): number {
  return (object.layers as Layers | null | undefined)?.mask ?? 0;
}
