import type { BufferGeometry, Object3D } from 'three';

/** What the index knows of one object of the scene; groups, lights and bones included, as they move what is below. */
export class ObjectRecord {
  readonly object: Object3D;
  /** The record of the object's parent; null for the root, and for an object added from elsewhere. */
  parent: ObjectRecord | null;
  // These come first, next to the two above, as culling reads them of every object in view.
  /** Round of `classify` in which it was last found in view. */
  seenIn = -1;
  /** Answer of the last visibility check, and its round. */
  shown = false;
  shownIn = -1;
  /** True for instanced and batched meshes. */
  readonly hasInstances: boolean;
  /**
   * The record whose one entry speaks for this object: itself for what is drawn by itself, the LOD for all that lies in
   * a LOD, null for what is not drawn.
   */
  aggregate: ObjectRecord | null;
  /** Id of the entry in the core index; -1 while there is none. */
  id = -1;
  /** Place in the list of moving objects; -1 for an object at rest. */
  slot = -1;
  /** Whether a renderer's pass gets to what lies below this object, and by which group's order; and in which pass. */
  isVisibleInHierarchy = false;
  groupOrder = 0;
  passedIn = -1;
  /** Its bounds may have changed since the last update. */
  isDirty = false;
  /** Declared at rest: not looked at by `update`. */
  isStatic = false;
  /** Direct children that are static below this one that is not. */
  staticChildren = 0;
  /** Number of the update in which the world matrix changed last. */
  changed = -1;
  /** Number of the update in which three would have forced the matrices below it last, where its flags do not tell. */
  forcedIn = -1;
  /** True when an `updateMatrixWorld` of its own, or of an object above, takes care of what lies below this object. */
  managed = false;
  /** What the traits were found by at the last look. */
  raycast: unknown = undefined;
  frustumCulled = true;
  /** What the bounds in the index were made of, and its revision: see `noteShape`. */
  geometry: BufferGeometry | null = null;
  shapeRevision = 0;
  /** What holds the matrices of instances, and their revision; only of objects that have some. */
  instances: unknown = null;
  revision = 0;
  /** Place in the order in which three visits the scene, as of the last numbering. */
  order = 0;

  constructor(object: Object3D, parent: ObjectRecord | null, unit: ObjectRecord | null) {
    this.object = object;
    this.hasInstances = Boolean((object as Flags).isInstancedMesh || (object as Flags).isBatchedMesh);
    this.parent = parent;
    this.aggregate = unit ?? (isDrawable(object) ? this : null);
  }

  /** True when the object has an entry of its own. */
  get isEntry(): boolean {
    return this.aggregate === this;
  }
}

/** The flags by which three's own code, of any copy of three, tells the kinds of objects apart. */
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

/** True for what renderers draw with all that lies below it, by rules of its own: there they go their own way. */
export function isAggregate(object: Flags): boolean {
  return Boolean(object.isLOD || object.isClippingGroup || object.isBundleGroup);
}

export function isDrawable(object: Flags): boolean {
  return Boolean(object.isMesh || object.isLine || object.isPoints || object.isSprite || object.isLOD);
}
