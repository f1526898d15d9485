import type { Material, Object3D } from 'three';
import { grow } from '../../core/arrays.js';
import { BOX } from '../../core/box.js';
import type { IdList, IdSet } from '../../core/ids.js';
import { allOf, firstBroken } from '../../scene/facts/factRules.js';
import { type MaterialFacts, materialFacts } from '../../scene/facts/MaterialFacts.js';
import type { Entries } from '../../scene/follow/Entries.js';
import { triangleCount } from '../../scene/objects/drawnAttributes.js';
import type { ObjectRecord } from '../../scene/objects/ObjectRecord.js';
import type { Flags } from '../../three/kinds.js';
import * as FACTS from '../../three/materialBits.js';
import { COVERED, HIDDEN_RULES, isQuiet, type OcclusionMesh, PEACEFUL, whyNeverHidden } from './rules.js';

/** Flag of an entry that may be hidden. */
export const MAY_HIDE = 1;
/** Flag of an entry that keeps all other entries from being hidden. */
export const DISTURBS = 2;
/** Flag of an entry that transmits light. */
export const TRANSMITS = 4;
/** Flag of an entry that writes depths untested, with some renderers. */
export const UNTESTED = 8;

/** Flag of an entry whose world position (of instances, bones, or vertices) programs add up in single precision. */
export const WORLD_SUMS = 16;

/** Most terms of a vertex: so many sides of its box, plus `POSITION_TERMS` times its position; see `ITEM_TERMS`. */
const SIDE_TERMS = 4;
const POSITION_TERMS = 2;
/** Room for the rounding of sums of sides. */
const ROUNDED = 1 + 1e-6;

/**
 * Tells by id whether an entry may be hidden. Each picture asks about every entry in the frustum, so unchanged entries
 * are passed with a few comparisons, and a material is compared once in a look.
 */
export class HiddenState {
  readonly #entries: Entries;
  /** False for an object that is excepted by a mark, on itself or above. */
  readonly #isAllowed: (object: Object3D) => boolean;
  /** The material of an entry at its last check; null to check it anew, as always with a list of materials. */
  readonly #materials: (MaterialFacts | null)[] = [];
  /** {@link MAY_HIDE} when the object itself may be hidden, whatever its material; and {@link WORLD_SUMS}. */
  #mayHide = new Uint8Array(64);
  /** Flags by id, valid for the entries that the last {@link sort} has put in its list `others`. */
  flags: Uint8Array = new Uint8Array(64);
  triangles: Int32Array = new Int32Array(64);

  constructor(entries: Entries, isAllowed: (object: Object3D) => boolean) {
    this.#entries = entries;
    this.#isAllowed = isAllowed;
  }

  /** Has an entry checked anew, after it came, moved, or changed its shape. */
  forget(id: number): void {
    if (id < this.#materials.length) this.#materials[id] = null;
  }

  forgetAll(): void {
    this.#materials.fill(null);
  }

  /**
   * Adds the entries of a picture's list that may be hidden to a set, and lists entries with other flags.
   *
   * Most of the time goes into waiting for memory, for objects that lie anywhere in it: so little is done for each that
   * processors fetch several at a time.
   */
  sort({ ids, length }: IdList, mayHide: IdSet, others: IdList): void {
    const { objects, records } = this.#entries.byId;
    while (this.#materials.length < objects.length) this.#materials.push(null);
    if (this.#mayHide.length < objects.length) {
      this.#mayHide = grow(this.#mayHide, objects.length);
      this.flags = grow(this.flags, this.#mayHide.length);
      this.triangles = grow(this.triangles, this.#mayHide.length);
    }
    const materials = this.#materials;
    others.length = 0;
    others.reserve(length);
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const facts = materials[id];
      const object = objects[id] as OcclusionMesh;
      const isKnown = facts !== null && facts.material === object.material && isQuiet(object) && !object.occlusionTest;
      const flags = isKnown ? this.#of(id, flagsFor(facts.look())) : this.#look(id, records[id] as ObjectRecord);
      if ((flags & MAY_HIDE) !== 0) mayHide.add(id);
      if ((flags & ~MAY_HIDE) === 0) continue;
      others.ids[others.length++] = id;
      this.flags[id] = flags;
    }
  }

  #look(id: number, record: ObjectRecord): number {
    const { object } = record;
    this.#materials[id] = null;
    // The parts of a LOD are checked each time.
    if ((object as Flags).isLOD) return this.#lookAtLod(id, object);
    const { geometry, isInstancedMesh, count = 1, material } = object as OcclusionMesh;
    this.triangles[id] = triangleCount(geometry) * (isInstancedMesh ? count : 1);
    if (!isQuiet(object)) return DISTURBS;
    if (!material) return 0;
    const may = firstBroken(HIDDEN_RULES, object as OcclusionMesh) === null && this.#isAllowed(object);
    this.#mayHide[id] = may ? flagsOfPosition(record, this.#entries.measured.getBox(id, box)) : 0;
    // Levels of detail of a batch may come and go: the batch is checked each time.
    if (!Array.isArray(material) && !(object as Flags).isBatchedMesh) this.#materials[id] = materialFacts(material);
    return this.#of(id, flagsOfAll(material));
  }

  #of(id: number, flags: number): number {
    const own = this.#mayHide[id];
    return (flags & (~MAY_HIDE | own)) | (own & WORLD_SUMS);
  }

  #lookAtLod(id: number, lod: Object3D): number {
    let flags = whyNeverHidden(lod) === null && this.#isAllowed(lod) ? MAY_HIDE | WORLD_SUMS : 0;
    this.triangles[id] = 0;
    lod.traverse((part) => {
      if (part.visible) flags |= flagsOf(part);
    });
    return flags;
  }
}

const box = new Float64Array(BOX);

/** The flags of an object without an entry of its own, in a pass that draws it. */
export function flagsOf(object: Object3D): number {
  let flags = isQuiet(object) ? 0 : DISTURBS;
  const { material } = object as OcclusionMesh;
  if (material) flags |= flagsOfAll(material) & ~MAY_HIDE;
  return flags;
}

/** The flags of a material, or of a list of materials together. */
function flagsOfAll(material: Material | Material[]): number {
  if (!Array.isArray(material)) return flagsFor(materialFacts(material));
  const all = material.filter(Boolean).map((one) => flagsFor(materialFacts(one)));
  return all.reduce((a, b) => (a & b & MAY_HIDE) | ((a | b) & ~MAY_HIDE), MAY_HIDE);
}

const UNCOVERED = allOf(COVERED);
const DISTURBING = allOf(PEACEFUL);

function flagsFor({ bits }: MaterialFacts): number {
  const isUntested = (bits & (FACTS.noDepthTest | FACTS.noDepthWrite)) === FACTS.noDepthTest;
  const may = (bits & UNCOVERED) === 0 ? MAY_HIDE : 0;
  const disturbs = (bits & DISTURBING) === 0 ? 0 : DISTURBS;
  return may | disturbs | ((bits & FACTS.transmits) === 0 ? 0 : TRANSMITS) | (isUntested ? UNTESTED : 0);
}

/**
 * {@link MAY_HIDE} unless the coordinates of an object's vertices, as its matrix scales them, are far larger than its
 * bounds and their position: the difference is then lost in single precision, and the object drawn beside its bounds.
 *
 * With {@link WORLD_SUMS} unless the coordinates are no larger than the bounds: the origin lies in the bounds then, and
 * the terms of a vertex in view coordinates are the products by the matrix, at most the sides, or twice the reach of
 * the box; and the position of the origin, at most the reach. Their sum is less than `ITEM_TERMS` times the reach.
 */
function flagsOfPosition({ object, shape }: ObjectRecord, box: Float64Array): number {
  const e = object.matrixWorld.elements;
  let terms = 0;
  let sides = 0;
  let positions = 0;
  for (let axis = 0; axis < 3; axis++) {
    sides += box[axis + 3] - box[axis];
    positions += Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]));
    for (let c = 0; c < 3; c++) {
      const reach =
        shape === null ? 0 : Math.max(Math.abs(shape.box.min.getComponent(c)), Math.abs(shape.box.max.getComponent(c)));
      terms += Math.abs(e[4 * c + axis]) * reach;
    }
    // Instances and bones are placed by matrices of their own.
    if (shape === null) terms += Math.abs(e[12 + axis]);
  }
  if (!(terms <= SIDE_TERMS * sides + POSITION_TERMS * positions)) return 0;
  return shape !== null && terms <= ROUNDED * sides ? MAY_HIDE : MAY_HIDE | WORLD_SUMS;
}
