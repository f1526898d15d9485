import {
  BatchedMesh,
  InstancedMesh,
  Line,
  LOD,
  type Matrix4,
  Mesh,
  Object3D,
  Points,
  SkinnedMesh,
  Sprite,
} from 'three';
import { isFaithful } from '../objects/isFaithful.js';
import { type Flags, isAggregate, isDrawable, type ObjectRecord } from '../objects/ObjectRecord.js';
import { raycastOf } from '../objects/raycastOf.js';

/** What sets entries apart from plain meshes, for all entries of a scene. */
export class Traits {
  /**
   * Drawn wherever they are: `frustumCulled` is false, they decide for themselves by a method of their own, or lights lie
   * in them.
   */
  readonly neverCulled: Set<ObjectRecord> = new Set();
  /**
   * What every pass of a renderer must meet, as it is a light or may hold one: lights, groups that are units, and LODs with
   * lights in them.
   */
  readonly alwaysVisited: Set<ObjectRecord> = new Set();
  /** Cast at by every pick: their bounds do not tell whether a ray can hit them. Groups may be among them. */
  readonly alwaysPicked: Set<ObjectRecord> = new Set();
  /** Those among them that are so by their world matrices. */
  readonly bent: Set<ObjectRecord> = new Set();
  /** Lines and points: a ray may hit them beyond their bounds. */
  readonly thin: Set<ObjectRecord> = new Set();
  /** Sprites, and LODs with sprites in them: how a ray hits them depends on a camera. */
  readonly sprites: Set<ObjectRecord> = new Set();
  /** LODs, those in others included. */
  readonly levels: Set<ObjectRecord> = new Set();
  /** The largest factor, among all there have been, by which a line threshold, or a point threshold, counts. */
  lineStretch = 0;
  pointStretch = 0;

  /** Looks at an object again. All that lies in a LOD counts as part of it. */
  look(record: ObjectRecord): void {
    const { object } = record;
    let neverCulled = isDrawnAnywhere(object);
    let alwaysPicked = hasUnboundedRaycast(object) || hasStrayLevels(object);
    let bent = isBent(object);
    let isLit = false;
    let thin = this.#stretch(object);
    let sprites = (object as Flags).isSprite === true;
    const pending = (object as Flags).isLOD ? [...object.children] : NONE;
    while (pending.length > 0) {
      const part = pending.pop();
      // Hand-made children may be anything.
      if (!part) continue;
      neverCulled ||= isDrawnAnywhere(part);
      isLit ||= (part as Flags).isLight === true;
      alwaysPicked ||= hasUnboundedRaycast(part);
      bent ||= isBent(part);
      if (this.#stretch(part)) thin = true;
      sprites ||= (part as Flags).isSprite === true;
      // One by one: there may be more than can be the arguments of one call.
      for (const child of part.children ?? NONE) pending.push(child);
    }
    put(
      this.alwaysVisited,
      record,
      (isLit && record.isEntry) || (!record.isEntry && record.aggregate === null && isAlwaysVisited(object)),
    );
    put(this.neverCulled, record, neverCulled && record.isEntry);
    put(this.alwaysPicked, record, (alwaysPicked || bent) && (record.aggregate === null || record.isEntry));
    put(this.bent, record, bent && record.isEntry);
    put(this.thin, record, thin && record.isEntry);
    put(this.sprites, record, sprites && record.isEntry);
    put(this.levels, record, (object as Flags).isLOD === true);
    record.raycast = raycastOf(object);
    record.frustumCulled = object.frustumCulled;
  }

  /** True when a look would find something else than the last one, for an object without parts. */
  isStale(record: ObjectRecord): boolean {
    return record.raycast !== raycastOf(record.object) || record.frustumCulled !== record.object.frustumCulled;
  }

  /** True when a look at an entry would find something else than the last one, as a part of it, or all of it, moved. */
  isAltered(entry: ObjectRecord, part: Object3D): boolean {
    // A threshold counts by the scale, which may have changed.
    return this.thin.has(entry) || isBent(part) || (this.bent.size > 0 && this.bent.has(entry));
  }

  forget(record: ObjectRecord): void {
    this.neverCulled.delete(record);
    this.alwaysVisited.delete(record);
    this.alwaysPicked.delete(record);
    this.bent.delete(record);
    this.thin.delete(record);
    this.sprites.delete(record);
    this.levels.delete(record);
  }

  clear(): void {
    const { neverCulled, alwaysVisited, alwaysPicked, bent, thin, sprites, levels } = this;
    for (const set of [neverCulled, alwaysVisited, alwaysPicked, bent, thin, sprites, levels]) set.clear();
  }

  /** Takes account of the threshold of a line or points; false for anything else. */
  #stretch(object: Object3D & Flags): boolean {
    if (!object.isLine && !object.isPoints) return false;
    // three measures the threshold in the object's space, by the mean of the object's own scale.
    const { x, y, z } = object.scale;
    const stretch = Math.abs(3 / (x + y + z)) * largestStretch(object.matrixWorld);
    const factor = Number.isFinite(stretch) ? stretch : Number.MAX_VALUE;
    if (object.isLine) this.lineStretch = Math.max(this.lineStretch, factor);
    else this.pointStretch = Math.max(this.pointStretch, factor);
    return true;
  }
}

const NONE: Object3D[] = [];

/**
 * At least the factor by which a matrix stretches most, and just that where its columns are at right angles: the square
 * is an eigenvalue of the columns' products with each other, none of which is larger than a row's sum (Gershgorin).
 */
function largestStretch({ elements: e }: Matrix4): number {
  const [ax, ay, az, , bx, by, bz, , cx, cy, cz] = e;
  const ab = Math.abs(ax * bx + ay * by + az * bz);
  const ac = Math.abs(ax * cx + ay * cy + az * cz);
  const bc = Math.abs(bx * cx + by * cy + bz * cz);
  const a = ax * ax + ay * ay + az * az + ab + ac;
  const b = bx * bx + by * by + bz * bz + ab + bc;
  return Math.sqrt(Math.max(a, b, cx * cx + cy * cy + cz * cz + ac + bc));
}

function put(set: Set<ObjectRecord>, record: ObjectRecord, belongs: boolean): void {
  if (belongs) set.add(record);
  else if (set.size > 0) set.delete(record);
}

function isAlwaysVisited(object: Flags): boolean {
  return object.isLight === true || isAggregate(object);
}

function isDrawnAnywhere(object: Object3D & Flags): boolean {
  if (object.isLight) return true;
  return isDrawable(object) && (!object.frustumCulled || hasOwnTest(object));
}

/** By prototype, whether `intersectsFrustum` is three's: defined by Object3D and by the kind of drawable, and by no other. */
const plainKinds = new WeakMap<object, boolean>();

function hasOwnTest(object: Object3D): boolean {
  if (Object.hasOwn(object, 'intersectsFrustum')) return true;
  const kind: object = Object.getPrototypeOf(object);
  let isPlain = plainKinds.get(kind);
  if (isPlain === undefined) {
    let definitions = 0;
    for (let p: object | null = kind; p !== null; p = Object.getPrototypeOf(p)) {
      if (Object.hasOwn(p, 'intersectsFrustum')) definitions++;
    }
    isPlain = definitions <= 2;
    plainKinds.set(kind, isPlain);
  }
  return !isPlain;
}

/** True when the bounds of an object do not tell whether a ray can hit it. */
function hasUnboundedRaycast(object: Object3D & Flags): boolean {
  if (!isKnown(raycastOf(object))) return true;
  // A sprite that keeps its size on screen is hit at a size that depends on the camera.
  return object.isSprite === true && (object as Partial<Sprite>).material?.sizeAttenuation === false;
}

/** True for a LOD with levels that lie below it no more: it goes on to have them cast. */
function hasStrayLevels(object: Object3D & Flags): boolean {
  const { levels } = object as Partial<LOD>;
  return object.isLOD === true && levels?.some((level) => level.object.parent !== object) === true;
}

/** True for what is drawn by a world matrix by which a ray may hit it beyond its bounds. */
function isBent(object: Object3D & Flags): boolean {
  // A part that was made by hand may have no matrix.
  return isDrawable(object) && !object.isLOD && object.matrixWorld !== undefined && !isFaithful(object);
}

/** The methods of three, as they are now: a library may have put its own in their place, for all objects alike. */
function isKnown(method: unknown): boolean {
  return (
    method === Mesh.prototype.raycast ||
    method === Object3D.prototype.raycast ||
    method === InstancedMesh.prototype.raycast ||
    method === SkinnedMesh.prototype.raycast ||
    method === BatchedMesh.prototype.raycast ||
    method === Line.prototype.raycast ||
    method === Points.prototype.raycast ||
    method === Sprite.prototype.raycast ||
    method === LOD.prototype.raycast
  );
}
