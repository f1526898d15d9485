import type { Object3D } from 'three';
import type { SceneBatches } from './SceneBatches.js';

/** What is drawn in batches of an accelerated scene. */
export interface BatchReport {
  /** Whether the scene as a whole is to be drawn in batches. */
  readonly isWhole: boolean;
  /** Batches that there are. */
  readonly count: number;
  /** True for an object that was drawn in a batch when a pass saw it last. */
  holds(object: Object3D): boolean;
  /** What draws them; null while nothing is drawn in batches. */
  readonly made: SceneBatches | null;
}

/** The reports of accelerated scenes. */
export const batchReports: WeakMap<Object3D, BatchReport> = new WeakMap();
