import { BufferAttribute, type Material } from 'three';
import { keepArray } from '../scene/objects/drawnAttributes.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import type { Levels } from './levels/makeLevels.js';

/** Parts with fewer triangles are never drawn in cells. */
export const CUT = 16_000;
/** A mesh without similar ones gets batches if levels can spare so many triangles of it; half as many keep them. */
export const TRIANGLES = 2000;

/** Draws of one material that may be drawn by levels. */
export interface LeveledGroup {
  readonly drawn: Material;
  /** Whether the draws use levels as soon as there are some; else only if levels spare many triangles of one draw. */
  readonly isLeveled: boolean;
  /** How often each draw is drawn. */
  readonly instances: number;
  /** Called when the levels of a part of these draws have come. */
  takeLevels(part: LeveledPart): void;
}

/** All of a geometry, or one geometry group, with the levels of detail of that part, or of its cells. */
export class LeveledPart {
  readonly known: KnownGeometry;
  readonly range: DrawRange;
  readonly inCells: boolean;
  /** The same part in cells, once cells are wanted. */
  cells: LeveledPart | null = null;
  /** The revision of the geometry for which the part was made. */
  readonly revision: number;
  /** How many draws may have levels, by their groups. */
  readonly users: Map<LeveledGroup, number>;
  levels: Levels | null = null;
  hasFailed = false;
  /** The sets of texture coordinates that the levels have been made for; see `setsFor`. */
  weighed = 0;
  /** The sets that levels are being made for; -1 for none. */
  making = -1;
  /** The list of the queue in which the part waits for its levels. */
  waiting: Set<LeveledPart> | null = null;
  /** The levels, each as an index of its own. */
  #indices: BufferAttribute[] = [];
  #indicesOf: Levels | null = null;

  /** @param whole The whole part, for a part in cells: both have the same draws. */
  constructor(known: KnownGeometry, range: DrawRange, whole: LeveledPart | null = null) {
    this.known = known;
    this.range = range;
    this.revision = known.revision;
    this.inCells = whole !== null;
    this.users = whole?.users ?? new Map();
  }

  get isOld(): boolean {
    return this.revision !== this.known.revision;
  }

  get triangles(): number {
    return this.range.count / 3;
  }

  /** True if there are levels that do not tear textures in these sets of coordinates. */
  hasLevels(sets: number): boolean {
    return this.levels !== null && (sets & ~this.weighed) === 0;
  }

  isMaking(sets: number): boolean {
    return this.making >= 0 && (sets & ~this.making) === 0;
  }

  /** How many triangles fewer the coarsest level has than the part. */
  get spared(): number {
    return this.triangles - (this.levels?.counts.at(-1) ?? this.range.count) / 3;
  }

  /** The levels from fine to coarse, each as the index of a geometry; geometries share one copy on a graphics card. */
  get indices(): readonly BufferAttribute[] {
    const { levels } = this;
    if (levels !== this.#indicesOf) {
      this.#indicesOf = levels;
      let start = 0;
      this.#indices = (levels?.counts ?? []).map((count) => {
        start += count;
        return keepArray(new BufferAttribute((levels as Levels).index.subarray(start - count, start), 1));
      });
    }
    return this.#indices;
  }

  /** @param change 1 for a draw that has come, -1 for a draw that has gone. */
  count(group: LeveledGroup, change: 1 | -1): void {
    const users = (this.users.get(group) ?? 0) + change;
    if (users > 0) this.users.set(group, users);
    else this.users.delete(group);
  }
}

/** A draw that may have levels, as its batch knows it. */
export interface LeveledDraw {
  readonly owner: { readonly isLeveled: boolean; readonly first: LeveledDraw | null };
  readonly next: LeveledDraw | null;
  readonly group: LeveledGroup;
  readonly joined: { readonly geometry: KnownGeometry };
  readonly range: DrawRange;
  part: LeveledPart | null;
}
