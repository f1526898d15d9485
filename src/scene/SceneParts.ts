import type { Object3D } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { BoundsQueries } from './ask/BoundsQueries.js';
import { Picker } from './ask/Picker.js';
import { Visibility } from './ask/Visibility.js';
import { Entries } from './follow/Entries.js';
import { SceneFollower } from './follow/SceneFollower.js';

/** What a `SceneIndex` is made of, for it and for all else in the package that works on one. */
export class SceneParts {
  readonly entries: Entries;
  readonly follower: SceneFollower;
  readonly picker: Picker;
  readonly bounds: BoundsQueries;
  readonly visibility: Visibility = new Visibility();
  #isDisposed = false;
  readonly #steps: (() => void)[] = [];

  /**
   * @throws what is wrong with the index, the root, or what lies below it; nothing is followed then, and the index is
   * free.
   */
  constructor(root: Object3D, index: SpatialIndex) {
    this.entries = new Entries(index);
    this.follower = new SceneFollower(root, this.entries);
    this.picker = new Picker(this.follower.hierarchy, this.follower.traits, this.entries);
    this.bounds = new BoundsQueries(this.entries);
    try {
      this.follower.hierarchy.track(root);
      this.update();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Has a step run when the index is disposed, before the scene is let go: in the order of these calls. */
  onDispose(step: () => void): void {
    this.#steps.push(step);
  }

  /** Brings matrices and entries up to date, and the matrices of what is above the root. */
  update(): void {
    const { parent } = this.follower.hierarchy.root;
    parent?.updateWorldMatrix(true, false);
    this.follower.update(parent !== null);
  }

  /** The entries at once, so that all boxes are where the objects are found then, one by one. */
  translate(x: number, y: number, z: number): void {
    this.entries.index.translate(x, y, z);
    for (const record of this.follower.hierarchy.records.values()) {
      if (record.parent === null) this.follower.touch(record);
    }
    this.update();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const step of this.#steps) step();
    this.follower.dispose();
    this.entries.dispose();
  }
}

/** Milliseconds that maintenance takes by default: a good measure for each frame. */
export const MAINTENANCE_MS = 0.5;
