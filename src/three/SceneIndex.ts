import type { Box3, Object3D } from 'three';
import { inWords } from '../core/inWords.js';
import { bringSimdWalks } from '../query/enableSimd.js';
import type { NodeView } from '../structures/contract/NodeView.js';
import type { QueryCounters } from '../structures/contract/SpatialIndex.js';
import type { StructureName } from '../structures/contract/structureNames.js';
import type { IndexOptions } from '../structures/createIndex.js';
import { forEachNode } from '../structures/forEachNode.js';
import { maintain } from '../structures/maintain.js';
import { type IndexStats, stats } from '../structures/stats.js';
import { validate } from '../structures/validate.js';
import { CameraQueries } from './CameraQueries.js';
import { Entries } from './follow/Entries.js';
import { checkBox3Target, checkObject } from './objects/checks.js';

/** Milliseconds of upkeep in a frame where nothing else is asked for. */
export const MAINTENANCE_MS = 0.5;

/** Options of a {@link SceneIndex}. */
export interface SceneIndexOptions extends IndexOptions {
  /** The structure of the index. Default 'looseOctree'. */
  structure?: StructureName;
}

/** Size and shape of a {@link SceneIndex}. */
export interface SceneIndexStats extends IndexStats {
  /** Objects followed, groups and other things that are not drawn included. */
  tracked: number;
  /** Objects looked at by each `update`. */
  dynamic: number;
  /** Objects in no result because their bounds are NaN. */
  quarantined: number;
}

/**
 * A spatial index over all that is drawn below an object, the scene as a rule.
 *
 * Meshes, lines, points, sprites and LODs each have one entry with their world bounds, instanced and batched meshes and
 * LODs as a whole. What is added, removed or moved to another parent anywhere below the root is noticed by itself; what
 * moves is noticed by {@link update}. Queries answer for the scene as of the last update, less what was removed since.
 *
 * Nothing of the scene is changed but for listeners, and the matrices that three itself would update.
 */
export class SceneIndex extends CameraQueries {
  readonly root: Object3D;
  #structure: StructureName;

  /**
   * @param root The object whose subtree is indexed; it is part of it.
   * @throws TypeError or RangeError for a root or options that are not legal, for an object below the root that is not
   * extensible, or one that lies below itself. Whatever is thrown, by objects' own methods too: nothing is followed then.
   */
  constructor(root: Object3D, options: SceneIndexOptions = {}) {
    checkObject(root, 'SceneIndex.root');
    if (options === null || typeof options !== 'object') {
      throw new TypeError(`SceneIndex.options: must be an object, got ${inWords(options)}`);
    }
    // A copy has own properties only.
    const { structure = 'looseOctree', ...rest } = { ...options };
    bringSimdWalks();
    super(root, new Entries(structure, rest));
    this.root = root;
    this.#structure = structure;
    try {
      this.update();
    } catch (error) {
      // Nobody has it in hand, to dispose it.
      this.#letGo();
      throw error;
    }
  }

  /** Name of the structure in use. */
  get structure(): StructureName {
    return this.#structure;
  }

  /** Number of objects with an entry: those that are drawn and have bounds. */
  get size(): number {
    return this.entries.index.size;
  }

  /** Changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.entries.version;
  }

  /** Cost of the last query. */
  get counters(): QueryCounters {
    return this.entries.measured.counters;
  }

  /**
   * Puts all entries into another structure, or the same with other options; what is left out takes its default.
   * @throws RangeError or TypeError, with everything as it was, for a name or options that are not legal.
   */
  setStructure(structure: StructureName, options: IndexOptions = {}): void {
    this.check('setStructure');
    this.entries.replace(structure, options);
    this.#structure = structure;
  }

  /**
   * Brings the index up to date with the scene: what came since the last time, and what moved or changed its shape among
   * the objects that are not static. World matrices are updated on the way, as `updateMatrixWorld` would. Call it once a
   * frame, before queries; right after construction it has been called.
   */
  update(): void {
    this.check('update');
    const { parent } = this.root;
    parent?.updateWorldMatrix(true, false);
    this.follower.update(parent !== null);
  }

  /**
   * Works for some time on what motion leaves behind in the structure, so that queries stay as fast as they are after it
   * was built; no answer changes. An accelerated scene does so by itself.
   * @param budgetMs Milliseconds, from 0; Infinity to go on to the end. Default 0.5, a good measure for each frame.
   * @returns true when nothing was left to do.
   */
  maintain(budgetMs: number = MAINTENANCE_MS): boolean {
    this.check('maintain');
    return maintain(this.entries.measured, budgetMs);
  }

  /** True for an object that is followed, drawn or not; a disposed index follows none. */
  has(object: Object3D): boolean {
    return this.follower.hierarchy.records.has(object);
  }

  /**
   * Takes in an object and all below it, or looks at them again when they are followed already. Needed only after
   * {@link remove}, and for objects that are not below the root. Shows in queries after the next update.
   * @returns true when the object was new.
   */
  add(object: Object3D): boolean {
    this.check('add');
    checkObject(object, 'SceneIndex.add');
    const { hierarchy } = this.follower;
    const record = hierarchy.records.get(object);
    if (record) this.follower.touch(record);
    else hierarchy.track(object);
    return record === undefined;
  }

  /**
   * Leaves out an object and all below it, from now on and until {@link add}, whether it stays in the scene or not.
   * @returns false when it was not followed.
   */
  remove(object: Object3D): boolean {
    this.check('remove');
    checkObject(object, 'SceneIndex.remove');
    return this.follower.hierarchy.untrack(object);
  }

  /**
   * Has the next update look again at an object and all below it, static or not. For what cannot be noticed: a static
   * object that moved after all, bounds declared anew, a sprite whose centre changed.
   * @returns false when the object is not followed.
   */
  touch(object: Object3D): boolean {
    this.check('touch');
    checkObject(object, 'SceneIndex.touch');
    const record = this.follower.hierarchy.records.get(object);
    if (record) this.follower.touch(record);
    return record !== undefined;
  }

  /**
   * Declares an object and all that is below it to be at rest: it costs nothing per update. It follows when something
   * above it moves, or after {@link touch}. Objects with three's `static` flag set are at rest from the start, and so is
   * what is added below an object at rest.
   * @returns false when the object is not followed.
   */
  setStatic(object: Object3D, isStatic = true): boolean {
    this.check('static');
    checkObject(object, 'SceneIndex.setStatic');
    if (typeof isStatic !== 'boolean') {
      throw new TypeError(`SceneIndex.setStatic.isStatic: must be a boolean, got ${inWords(isStatic)}`);
    }
    const record = this.follower.hierarchy.records.get(object);
    if (record) this.follower.setStatic(record, isStatic);
    return record !== undefined;
  }

  /** Copies the world bounds in the index of an object; null for one without an entry. */
  getBox(object: Object3D, target: Box3): Box3 | null {
    this.check('getBox');
    checkBox3Target(target, 'SceneIndex.getBox.target');
    const { index } = this.entries;
    const record = this.follower.hierarchy.records.get(object);
    if (record === undefined || record.id < 0) return null;
    const [minX, minY, minZ, maxX, maxY, maxZ] = index.getBox(record.id);
    target.min.set(minX, minY, minZ);
    target.max.set(maxX, maxY, maxZ);
    return target;
  }

  /** Calls `visit` for every node of the structure, parents before children; for drawing. */
  forEachNode(visit: (node: NodeView) => void): void {
    this.check('forEachNode');
    if (typeof visit !== 'function') {
      throw new TypeError(`SceneIndex.forEachNode.visit: must be a function, got ${inWords(visit)}`);
    }
    forEachNode(this.entries.index, visit);
  }

  /** Size and shape, counted anew at each call. */
  stats(): SceneIndexStats {
    this.check('stats');
    return {
      ...stats(this.entries.index),
      tracked: this.follower.hierarchy.records.size,
      dynamic: this.follower.dynamicCount,
      quarantined: this.entries.quarantined.size,
    };
  }

  /** Problems found in the inner state, in words; empty when healthy. Slow: for tests. */
  validate(): string[] {
    this.check('validate');
    return [...validate(this.entries.measured), ...this.entries.validate(this.follower.hierarchy)];
  }

  /**
   * Lets go of the scene, which is as it was before. Any other call after this throws, but for {@link has}; a second
   * `dispose` does nothing.
   */
  dispose(): void {
    this.#letGo();
  }

  #letGo(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.follower.dispose();
    this.entries.clear();
  }
}
