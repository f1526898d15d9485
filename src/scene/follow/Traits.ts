import type { LOD, Object3D } from 'three';
import { EMPTY_ARRAY, memoized } from '../../core/arrays.js';
import {
  countOwners,
  type Flags,
  hasStockRaycast,
  isAggregate,
  isDrawable,
  isWide,
  keepsSize,
} from '../../three/kinds.js';
import { isFaithful, stretchOf } from '../objects/distortion.js';
import { isSame, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { RecordTable } from '../objects/RecordTable.js';

/** Traits, as bits of a record, above those of `ObjectRecord`. */
const NEVER_CULLED = 1 << 18;
const ALWAYS_VISITED = 1 << 19;
const ALWAYS_PICKED = 1 << 20;
/** The object's world matrix is a reason to pick it always. */
const DISTORTED = 1 << 21;
/** Lines and points: a ray may hit them from a threshold away. */
export const THIN: number = 1 << 22;
const WIDE = 1 << 23;
const WITH_SPRITES = 1 << 24;
/** A sprite that keeps its size on the screen. */
const KEEPS_SIZE = 1 << 25;
const LEVELED = 1 << 26;
const ALL_TRAITS = 2 ** 27 - 2 ** 18;

/** Traits distinguish objects from plain meshes, which are culled and picked by their bounds. */
export class Traits {
  /** Entries drawn wherever they are: `frustumCulled` is false, an own method decides, or a LOD has lights. */
  readonly neverCulled: Set<ObjectRecord> = new Set();
  /** Objects that every pass must visit: lights, and possible parents of lights (bundle and clipping groups, LODs). */
  readonly alwaysVisited: Set<ObjectRecord> = new Set();
  /** Objects that every pick casts at, as a ray may hit them outside their bounds. Groups may be among them. */
  readonly alwaysPicked: Set<ObjectRecord> = new Set();
  /** Objects drawn wider than their vertices lie, such as lines and points, and LODs with such objects. */
  readonly wide: Set<ObjectRecord> = new Set();
  /** Sprites, and LODs with sprites: a ray's hits on them depend on a camera. */
  readonly sprites: Set<ObjectRecord> = new Set();
  /** LODs, also those within other LODs. */
  readonly levels: Set<ObjectRecord> = new Set();
  readonly #sets: readonly (readonly [bit: number, set: Set<ObjectRecord>])[] = [
    [NEVER_CULLED, this.neverCulled],
    [ALWAYS_VISITED, this.alwaysVisited],
    [ALWAYS_PICKED, this.alwaysPicked],
    [WIDE, this.wide],
    [WITH_SPRITES, this.sprites],
    [LEVELED, this.levels],
  ];
  /** The largest factors so far by which the threshold of lines, and of points, is multiplied. */
  lineStretch = 0;
  pointStretch = 0;
  /** Number of calls of {@link find}: while it stays the same, the traits of all followed objects do. */
  finds = 0;
  readonly #records: RecordTable;

  /** @param records The records of all followed objects. */
  constructor(records: RecordTable) {
    this.#records = records;
  }

  /** Finds the traits of an object. All objects in a LOD count as part of it. */
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
    const stack = (object as Flags).isLOD ? [...object.children] : [];
    while (stack.length > 0) {
      const part = stack.pop();
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
      // One by one, as there may be more children than one call takes arguments.
      for (const child of part.children ?? EMPTY_ARRAY) stack.push(child);
    }
    const { isEntry } = record;
    const isAlone = !isEntry && !record.isPart;
    const isVisited = isEntry ? isLit : isAlone && ((object as Flags).isLight === true || isAggregate(object));
    this.#set(
      record,
      (isVisited ? ALWAYS_VISITED : 0) |
        ((alwaysPicked || distorted) && (isAlone || isEntry) ? ALWAYS_PICKED : 0) |
        (isEntry && neverCulled ? NEVER_CULLED : 0) |
        (isEntry && distorted ? DISTORTED : 0) |
        (isEntry && thin ? THIN : 0) |
        (isEntry && wide ? WIDE : 0) |
        (isEntry && sprites ? WITH_SPRITES : 0) |
        (keepsSize(object) ? KEEPS_SIZE : 0) |
        ((object as Flags).isLOD ? LEVELED : 0),
    );
  }

  /** True when an entry's traits may differ from those found last, because the entry or a part of it moved. */
  isAltered(entry: ObjectRecord, part: Object3D): boolean {
    // The threshold of lines and points depends on the scale, which may have changed.
    return entry.has(THIN | DISTORTED) || isDistorted(part);
  }

  /** True for a sprite that began, or ceased, to keep its size on the screen since its traits were found. */
  isResized(record: ObjectRecord): boolean {
    return keepsSize(record.object) !== record.has(KEEPS_SIZE);
  }

  forget(record: ObjectRecord): void {
    this.#set(record, 0);
  }

  clear(): void {
    for (const [, set] of this.#sets) set.clear();
  }

  #set(record: ObjectRecord, traits: number): void {
    const changed = (record.bits & ALL_TRAITS) ^ traits;
    if (changed === 0) return;
    record.bits ^= changed;
    for (const [bit, set] of this.#sets) {
      if ((changed & bit) === 0) continue;
      if ((traits & bit) !== 0) set.add(record);
      else set.delete(record);
    }
  }

  /** Raises the stretch factors by a line or points; false for any other object. */
  #stretch(object: Object3D & Flags): boolean {
    if (!object.isLine && !object.isPoints) return false;
    // three measures the threshold in the object's space, by the mean of the object's own scale.
    const { x, y, z } = object.scale;
    const stretch = Math.abs(3 / (x + y + z)) * stretchOf(object.matrixWorld);
    const factor = Number.isFinite(stretch) ? stretch : Number.MAX_VALUE;
    if (object.isLine) this.lineStretch = Math.max(this.lineStretch, factor);
    else this.pointStretch = Math.max(this.pointStretch, factor);
    return true;
  }
}

function isDrawnAnywhere(object: Object3D & Flags): boolean {
  if (object.isLight) return true;
  return isDrawable(object) && (!object.frustumCulled || hasOwnTest(object));
}

function hasOwnTest(object: Object3D): boolean {
  return Object.hasOwn(object, 'intersectsFrustum') || !isPlainKind(Object.getPrototypeOf(object) as object);
}

/** True for a prototype with three's `intersectsFrustum`: defined by Object3D and the kind of drawable alone. */
const isPlainKind = /* @__PURE__ */ memoized((kind: object) => countOwners(kind, 'intersectsFrustum') <= 2);

/** True when a ray may hit an object outside its bounds, by a `raycast` that is not three's. */
function hasUnboundedRaycast(object: Object3D & Flags): boolean {
  // The camera decides how large a sprite is that keeps its size on the screen.
  return !hasStockRaycast(object) || keepsSize(object);
}

/** True for a LOD with levels that were removed from its children: its `raycast` casts at them all the same. */
function hasStrayLevels(object: Object3D & Flags): boolean {
  const { levels } = object as Partial<LOD>;
  return object.isLOD === true && levels?.some((level) => !isSame(level.object.parent, object)) === true;
}

/** True for a drawable whose world matrix lets a ray hit it outside its bounds. */
function isDistorted(object: Object3D & Flags): boolean {
  // A part that was set by hand may have no matrix.
  return isDrawable(object) && !object.isLOD && object.matrixWorld !== undefined && !isFaithful(object);
}
