import type { Object3D, Scene } from 'three';
import type { IdList } from '../core/ids.js';
import type { Lazy } from '../core/Lazy.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneRenderer } from '../three/renderer.js';
import type { ActiveRender, ActiveRenders } from './ActiveRenders.js';
import type { PartHider, Pass, PassPart } from './Pass.js';
import type { Stage, Stages } from './Stages.js';

/**
 * An option of `accelerate` in the passes of a scene. A step leaves out the methods that it has no use for. An error in one of
 * them ends the step, see {@link Stages}.
 */
export interface PassStep {
  readonly stage: Exclude<Stage, 'update' | 'lists'>;
  /** The next picture would be cheaper, or another, though nothing changes. */
  readonly isPending?: boolean;
  /** Called for each entry of the index, also for those from before the scene was accelerated. */
  added?(record: ObjectRecord): void;
  /** Called for each object that is followed no more. It may still be drawn. */
  forget?(object: Object3D): void;
  /** Called after each update of the scene. Work that may wait is to take no longer than this. */
  update?(budgetMs: number): void;
  /** Called when the rule of a subtree in {@link StepScene.rules} has changed. */
  ruleChanged?(): void;
  /** Begins a render. */
  beginRender?(render: ActiveRender): void;
  /** True when passes of a render need lists for this step, however few objects there are. */
  needsLists?(render: ActiveRender): boolean;
  /** The parts in which the pass that begins is drawn; null for a pass that is drawn at once, by the methods below. */
  partsOf?(render: ActiveRender): readonly PassPart[] | null;
  /** Begins a pass; true when the step has something to leave out. */
  begin?(render: ActiveRender): boolean;
  /** Regions outside of which nothing is listed, from those that other steps have left of the views. */
  narrow?(regions: readonly Float64Array[], pass: Pass): readonly Float64Array[];
  /**
   * Takes ids off the list of everything in the regions.
   * @param always Objects that have to be listed wherever they are.
   * @returns an answer for parts of the objects that are left.
   */
  leaveOut?(seen: IdList, always: ReadonlySet<ObjectRecord>, pass: Pass): PartHider | null;
  /** The object to be drawn in the place of a listed one, as a rule the same. Others to be drawn besides are added to `more`. */
  draw?(object: Object3D, pass: Pass, more: Object3D[]): Object3D;
  /** True for a step whose `draw` is to be asked about objects without children and instances, too. */
  readonly drawsAll?: boolean;
  /** Ends a render, which may lie within another. */
  endRender?(): void;
  /** A promise that is kept when a wait for the renderer is over, with whether the next picture is another; null for no wait. */
  waitFor?(renderer: SceneRenderer): Promise<boolean> | null;
  /** Leaves an object to three for good. */
  leave?(object: Object3D): void;
  /** To be called before three draws everything as it is. */
  catchUp?(): void;
  /** Ends the step; a picture in progress may draw on. */
  dispose?(): void;
}

/** An accelerated scene, as steps know it. */
export interface StepScene {
  readonly scene: Scene;
  readonly renders: ActiveRenders;
  readonly stages: Stages;
  /** Rules for subtrees; the nearest one at or above an object decides. */
  readonly rules: Readonly<Record<'batch' | 'levels' | 'occlusion', WeakMap<Object3D, boolean>>>;
  /** The code of a chunk; null until it has loaded. The first call begins to load it, and has the page draw when it is there. */
  want<T>(chunk: Lazy<T>): T | null;
  /** Has the page draw again, as the next picture would be cheaper or another. */
  redraw(): void;
}
