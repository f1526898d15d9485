import type { LevelOptions, StructureName } from '../../../src/index.js';
import type { ActName } from './acts.js';

/**
 * One act. `a` and `b` name objects, geometries and the like by their position among those there are, modulo their number,
 * so that any part of a script is a script as well; `v` holds whatever else the act needs, and may be cut short.
 */
export interface Step {
  do: ActName;
  a: number;
  b: number;
  v: number[];
  /** Seed of the questions of the frame that follows; 0: no frame follows, the next act comes in the same one. */
  probe: number;
}

/** How a scene is indexed. */
export interface Setting {
  structure: StructureName;
  /** `accelerate(scene)`, or a `SceneIndex` that is asked by itself. */
  mode: 'accelerate' | 'index';
  /** Small, so that few objects make deep trees. */
  capacity: number;
  planar: boolean;
  /** Whether all query speed is restored after each update. */
  isMaintained: boolean;
  cullCasters: boolean;
  /** Whether meshes that are alike are drawn at once, or how many make a batch; only of scenes that are accelerated. */
  batch?: boolean | number;
  /** Makes levels of detail of what batches draw. */
  levels?: LevelOptions['make'];
  /** Whether what lies behind others is left out; only of scenes that are accelerated. */
  occlusion?: boolean;
  /** Scenes side by side, each with an index of its own. */
  scenes: number;
}

/** A setting and what happens in it. */
export interface SceneScript {
  setting: Setting;
  steps: Step[];
}
