import type { Material } from 'three';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import type { Levels } from './levels/makeLevels.js';

/** Draws of one material, which have a batch or may get one. */
export interface LeveledGroup {
  readonly drawn: Material;
  readonly batch: object | null;
}

/** All of a geometry, or one of its groups, and the levels of detail of that. */
export class LeveledPart {
  readonly known: KnownGeometry;
  readonly range: DrawRange;
  /** The revision of the geometry that it is a part of. */
  readonly revision: number;
  /** How many draws may have levels, by the groups that they lie in. */
  readonly users: Map<LeveledGroup, number> = new Map();
  /** Null while there are none. */
  levels: Levels | null = null;
  hasFailed = false;
  /** The sets of texture coordinates that its levels have been made for; see `setsFor`. */
  weighed = 0;
  /** The sets that levels are being made for; -1 for none. */
  making = -1;
  /** Where it waits for that. */
  waiting: Set<LeveledPart> | null = null;

  constructor(known: KnownGeometry, range: DrawRange) {
    this.known = known;
    this.range = range;
    this.revision = known.revision;
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

  /** @param change 1 for a draw that has come, -1 for one that has gone. */
  count(group: LeveledGroup, change: 1 | -1): void {
    const users = (this.users.get(group) ?? 0) + change;
    if (users > 0) this.users.set(group, users);
    else this.users.delete(group);
  }
}
