import type { LOD, Matrix4, Object3D } from 'three';
import { memoized } from '../../core/arrays.js';
import {
  countOwners,
  type Flags,
  hasStockRaycast,
  isAggregate,
  isDrawable,
  isWide,
  keepsSize,
} from '../../three/kinds.js';
import { isFaithful } from '../objects/distortion.js';
import { isSame, type ObjectRecord } from '../objects/ObjectRecord.js';
import { RecordSets } from './RecordSets.js';

/** Traits that set objects apart from plain meshes, which are culled and picked by their bounds: a set of records each. */
export class Traits extends RecordSets {
  /** Entries that are drawn wherever they are: `frustumCulled` is false, an own method decides, or a LOD has lights. */
  readonly neverCulled: Set<ObjectRecord> = this.makeSet();
  /** Objects that every pass must visit: lights, and what may hold some (bundle and clipping groups, LODs). */
  readonly alwaysVisited: Set<ObjectRecord> = this.makeSet();
  /** Objects that every pick casts at, as a ray may hit them outside their bounds. Groups may be among them. */
  readonly alwaysPicked: Set<ObjectRecord> = this.makeSet();
  /** Those of them whose world matrix is the reason. */
  readonly distorted: Set<ObjectRecord> = this.makeSet();
  /** Lines and points: a ray may hit them from a threshold away. */
  readonly thin: Set<ObjectRecord> = this.makeSet();
  /** What is drawn wider than its vertices reach, and LODs with such things. */
  readonly wide: Set<ObjectRecord> = this.makeSet();
  /** Sprites, and LODs with sprites: how a ray hits them depends on a camera. */
  readonly sprites: Set<ObjectRecord> = this.makeSet();
  /** Sprites that keep their size on the screen, also those in LODs. */
  readonly keepingSize: Set<ObjectRecord> = this.makeSet();
  /** LODs, also those within others. */
  readonly levels: Set<ObjectRecord> = this.makeSet();
  /** The largest factor, among all there have been, by which a line threshold, or a point threshold, counts. */
  lineStretch = 0;
  pointStretch = 0;
  /** How often traits were found: equal numbers mean equal traits. */
  finds = 0;
  readonly #records: ReadonlyMap<Object3D, ObjectRecord>;

  /** @param records All objects that are followed. */
  constructor(records: ReadonlyMap<Object3D, ObjectRecord>) {
    super();
    this.#records = records;
  }

  /** Finds the traits of an object. Everything in a LOD counts as part of it. */
  find(record: ObjectRecord): void {
    this.finds++;
    const { object } = record;
    let neverCulled = isDrawnAnywhere(object);
    let alwaysPicked = hasUnboundedRaycast(object) || hasStrayLevels(object);
    let distorted = isDistorted(object);
    let isLit = false;
    let thin = this.#stretch(object);
    let wide = isWide(object);
    let sprites = (object as Flags).isSprite === true;
    const pending = (object as Flags).isLOD ? [...object.children] : NONE;
    while (pending.length > 0) {
      const part = pending.pop();
      // Children that were set by hand may be anything.
      if (!part) continue;
      neverCulled ||= isDrawnAnywhere(part);
      isLit ||= (part as Flags).isLight === true;
      // The bounds of a part that is not followed are unknown.
      alwaysPicked ||= hasUnboundedRaycast(part) || !this.#records.has(part);
      distorted ||= isDistorted(part);
      if (this.#stretch(part)) thin = true;
      wide ||= isWide(part);
      sprites ||= (part as Flags).isSprite === true;
      // One by one, as there may be more than one call takes arguments.
      for (const child of part.children ?? NONE) pending.push(child);
    }
    const { isEntry } = record;
    const isAlone = !isEntry && !record.isPart;
    const isVisited = isEntry ? isLit : isAlone && ((object as Flags).isLight === true || isAggregate(object));
    put(this.alwaysVisited, record, isVisited);
    put(this.neverCulled, record, neverCulled && isEntry);
    put(this.alwaysPicked, record, (alwaysPicked || distorted) && (isAlone || isEntry));
    put(this.distorted, record, distorted && isEntry);
    put(this.thin, record, thin && isEntry);
    put(this.wide, record, wide && isEntry);
    put(this.sprites, record, sprites && isEntry);
    put(this.keepingSize, record, keepsSize(object));
    put(this.levels, record, (object as Flags).isLOD === true);
  }

  /** True when an entry may have other traits than were found last, as a part of it, or all of it, moved. */
  isAltered(entry: ObjectRecord, part: Object3D): boolean {
    // The threshold of lines and points depends on the scale, which may have changed.
    return this.thin.has(entry) || isDistorted(part) || (this.distorted.size > 0 && this.distorted.has(entry));
  }

  /** Takes account of the scale of a line or points; false for anything else. */
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
 * A bound of the factor by which a matrix stretches most, exact where its columns are at right angles: the square of
 * the factor is an eigenvalue of the columns' products with each other, which is at most the largest sum of a row
 * (Gershgorin).
 */
function largestStretch({ elements: e }: Matrix4): number {
  const ab = Math.abs(e[0] * e[4] + e[1] * e[5] + e[2] * e[6]);
  const ac = Math.abs(e[0] * e[8] + e[1] * e[9] + e[2] * e[10]);
  const bc = Math.abs(e[4] * e[8] + e[5] * e[9] + e[6] * e[10]);
  const a = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + ab + ac;
  const b = e[4] * e[4] + e[5] * e[5] + e[6] * e[6] + ab + bc;
  const c = e[8] * e[8] + e[9] * e[9] + e[10] * e[10] + ac + bc;
  return Math.sqrt(Math.max(a, b, c));
}

function put(set: Set<ObjectRecord>, record: ObjectRecord, belongs: boolean): void {
  if (belongs) set.add(record);
  else if (set.size > 0) set.delete(record);
}

function isDrawnAnywhere(object: Object3D & Flags): boolean {
  if (object.isLight) return true;
  return isDrawable(object) && (!object.frustumCulled || hasOwnTest(object));
}

function hasOwnTest(object: Object3D): boolean {
  return Object.hasOwn(object, 'intersectsFrustum') || !isPlainKind(Object.getPrototypeOf(object) as object);
}

/** By prototype, whether `intersectsFrustum` is three's: defined by Object3D and the kind of drawable alone. */
const isPlainKind = /* @__PURE__ */ memoized((kind: object) => countOwners(kind, 'intersectsFrustum') <= 2);

/** True when a ray may hit an object outside its bounds, by a `raycast` that is not three's. */
function hasUnboundedRaycast(object: Object3D & Flags): boolean {
  // A sprite that keeps its size on screen is hit at a size that depends on the camera.
  return !hasStockRaycast(object) || keepsSize(object);
}

/** True for a LOD with levels that were taken out of it: its `raycast` casts at them all the same. */
function hasStrayLevels(object: Object3D & Flags): boolean {
  const { levels } = object as Partial<LOD>;
  return object.isLOD === true && levels?.some((level) => !isSame(level.object.parent, object)) === true;
}

/** True for a drawable whose world matrix lets a ray hit it outside its bounds. */
function isDistorted(object: Object3D & Flags): boolean {
  // A part that was set by hand may have no matrix.
  return isDrawable(object) && !object.isLOD && object.matrixWorld !== undefined && !isFaithful(object);
}
