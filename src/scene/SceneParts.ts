import type { Object3D } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { readVector } from '../core/shapes/vectors.js';
import { Picker } from './ask/Picker.js';
import { SceneLimits } from './ask/SceneLimits.js';
import { Visibility } from './ask/Visibility.js';
import { Entries } from './follow/Entries.js';
import { SceneFollower } from './follow/SceneFollower.js';

/** The parts of a `SceneIndex`, shared by all functions of the package that work on one. */
export class SceneParts {
  readonly entries: Entries;
  readonly follower: SceneFollower;
  readonly picker: Picker;
  readonly visibility: Visibility = new Visibility();
  readonly limits: SceneLimits;
  /** The time of the disposal, in words; null while the index is in use. */
  #end: string | null = null;
  readonly #steps: (() => void)[] = [];

  /**
   * @param asIs Whether the world matrices of the root and its descendants are left as they are.
   * @throws when the index or the root is invalid, or an object lies below itself; nothing is followed then, and the
   * index is free.
   */
  constructor(root: Object3D, index: SpatialIndex, asIs = false) {
    this.entries = new Entries(index);
    this.limits = new SceneLimits(this.entries);
    this.follower = new SceneFollower(root, this.entries);
    this.picker = new Picker(this.follower, this.entries);
    try {
      this.follower.hierarchy.track(root);
      this.update(asIs);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get isDisposed(): boolean {
    return this.#end !== null;
  }

  /** Returns the parts themselves, for a call on the index; throws an Error once the index is disposed. */
  open(where: string): SceneParts {
    if (this.isDisposed) throw new Error(`${where}: the index was disposed${this.#end}`);
    return this;
  }

  /** Calls a function when the index is disposed, before it detaches from the scene; in the order they were given. */
  onDispose(step: () => void): void {
    this.#steps.push(step);
  }

  /** Brings matrices and entries up to date, and the matrices of the root's ancestors. */
  update(asIs = false): void {
    const { parent } = this.follower.hierarchy.root;
    parent?.updateWorldMatrix(true, false);
    this.follower.update(parent !== null, asIs);
  }

  /** Shifts all boxes first, so that the update finds the objects where their boxes are. */
  translate(x: number, y: number, z: number): void {
    readVector([x, y, z], new Float64Array(3), 'SceneIndex', 'translate');
    this.entries.index.translate(x, y, z);
    for (const record of this.follower.hierarchy.records.all()) {
      if (record.parent === null) this.follower.touch(record);
      if (record.id >= 0) this.entries.noteChange(record.id);
    }
    this.update();
  }

  /** @param when The time of the disposal in words, for the error of a later call. */
  dispose(when = ''): void {
    if (this.isDisposed) return;
    this.#end = when;
    for (const step of this.#steps) step();
    this.follower.dispose();
    this.entries.dispose();
  }
}
