import type { Object3D, Scene } from 'three';
import type { IdList } from '../core/ids.js';
import type { Lazy } from '../core/Lazy.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneRenderer } from '../three/renderer.js';
import type { ActiveRender, ActiveRenders } from './ActiveRenders.js';
import type { PartHider, Pass, PassPart } from './Pass.js';
import type { Stage, Stages } from './Stages.js';

/** An option of `accelerate`, with the methods it needs; {@link Stages} says what an error in a method leads to. */
export interface PassStep {
  readonly stage: Exclude<Stage, 'update' | 'lists'>;
  /** True when the next picture would be cheaper, or different, though nothing changes. */
  readonly isPending?: boolean;
  /** Called for each entry of the index, including entries from before the scene was accelerated. */
  added?(record: ObjectRecord): void;
  /** Called for each object that is no longer followed. The object may still be drawn. */
  forget?(object: Object3D): void;
  /** Called after each update of the scene. Deferrable work is to take no longer than `budgetMs`. */
  update?(budgetMs: number): void;
  /** Called when the rule of a subtree in {@link StepScene.rules} has changed. */
  ruleChanged?(): void;
  beginRender?(render: ActiveRender): void;
  /** True when passes of a render need lists for this step, however few objects there are. */
  needsLists?(render: ActiveRender): boolean;
  /** The parts in which the new pass is drawn; null for a pass drawn in one part, by the methods below. */
  partsOf?(render: ActiveRender): readonly PassPart[] | null;
  /** Begins a pass; true when the step may leave objects out. */
  beginPass?(render: ActiveRender): boolean;
  /** Narrows the regions that objects are listed in: the views, as narrowed by earlier steps. */
  narrow?(regions: readonly Float64Array[], pass: Pass): readonly Float64Array[];
  /**
   * Removes ids from the list of all entries in the regions.
   * @param always Objects that have to be listed wherever they are.
   * @returns which parts of the other objects are hidden; null if that is not known.
   */
  leaveOut?(seen: IdList, always: ReadonlySet<ObjectRecord>, pass: Pass): PartHider | null;
  /** The object to draw in place of a listed one, usually the same. Further objects to draw are added to `more`. */
  draw?(object: Object3D, pass: Pass, more: Object3D[]): Object3D;
  /** True for a step whose `draw` is also called for objects without children and instances. */
  readonly drawsAll?: boolean;
  /** Ends a render, which may lie within another. */
  endRender?(): void;
  /** Promises whether the next picture is different, once a wait for the renderer is over; null without a wait. */
  waitFor?(renderer: SceneRenderer): Promise<boolean> | null;
  /** Leaves an object to three for good. */
  leave?(object: Object3D): void;
  /** Called before three draws all objects as they are. */
  catchUp?(): void;
  /** Ends the step; a picture in progress may continue to draw. */
  dispose?(): void;
}

export interface StepScene {
  readonly scene: Scene;
  readonly renders: ActiveRenders;
  readonly stages: Stages;
  /** Rules for subtrees; the rule nearest above an object, or at it, decides. */
  readonly rules: Readonly<Record<'batch' | 'levels' | 'occlusion', WeakMap<Object3D, boolean>>>;
  /** The code of a chunk; null until it has loaded. The first call loads it, and then has the page draw again. */
  want<T>(chunk: Lazy<T>): T | null;
  /** Has the page draw again, as the next picture would be cheaper or different. */
  redraw(): void;
}
