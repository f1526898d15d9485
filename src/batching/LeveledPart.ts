import { BufferAttribute, type Material } from 'three';
import { keepArray } from '../scene/objects/drawnAttributes.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import type { Levels } from './levels/makeLevels.js';

/** Parts with fewer triangles are drawn whole, however near. */
export const CUT = 16_000;
/** A mesh that has no mates gets batches if levels can spare so many of its triangles, and keeps them at half as many. */
export const TRIANGLES = 2000;

/** Draws of one material that may be drawn by levels. */
export interface LeveledGroup {
  readonly drawn: Material;
  /** Whether they are, once there are levels; else only if levels spare much of one. */
  readonly isLeveled: boolean;
  /** How often each is drawn. */
  readonly instances: number;
  /** Called when the levels of a part of theirs have come. */
  takeLevels(part: LeveledPart): void;
}

/** All of a geometry, or one of its groups, and the levels of detail of that, or of its cells. */
export class LeveledPart {
  readonly known: KnownGeometry;
  readonly range: DrawRange;
  readonly inCells: boolean;
  /** The same in cells, once it is wanted. */
  cells: LeveledPart | null = null;
  /** The revision of the geometry that it is a part of. */
  readonly revision: number;
  /** How many draws may have levels, by the groups that they lie in. */
  readonly users: Map<LeveledGroup, number>;
  /** Null while there are none. */
  levels: Levels | null = null;
  hasFailed = false;
  /** The sets of texture coordinates that its levels have been made for; see `setsFor`. */
  weighed = 0;
  /** The sets that levels are being made for; -1 for none. */
  making = -1;
  /** Where it waits for that. */
  waiting: Set<LeveledPart> | null = null;
  /** The levels, each as an index of its own. */
  #indices: BufferAttribute[] = [];
  #indicesOf: Levels | null = null;

  /** @param whole Given for its cells, which the same draws have. */
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

  /** True where it has levels that tear no texture which is looked up in some sets of coordinates. */
  hasLevels(sets: number): boolean {
    return this.levels !== null && (sets & ~this.weighed) === 0;
  }

  isMaking(sets: number): boolean {
    return this.making >= 0 && (sets & ~this.making) === 0;
  }

  /** How many triangles its coarsest level has less than it. */
  get spared(): number {
    return this.triangles - (this.levels?.counts.at(-1) ?? this.range.count) / 3;
  }

  /** Its levels from fine to coarse, each as the index of a geometry, which share one copy on a graphics card. */
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

  /** @param change 1 for a draw that has come, -1 for one that has gone. */
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
