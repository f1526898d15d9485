import type { Material, Scene } from 'three';
import type { SceneRenderer } from '../passes/ActiveRenders.js';
import { type RenderItem, type RenderLists, whenSorted } from '../passes/sortedDraws.js';
import type { BatchGroup, DrawEntry } from './BatchGroup.js';
import { BatchRuns } from './BatchRuns.js';

export { isFlat } from './isFlat.js';

/** A pass of a renderer, as far as its transparent draws go. */
interface SortedPass {
  /** The list of the pass. */
  readonly list: number;
  /** True while its picture is being made. */
  isCurrent(): boolean;
  /** What of a batch a draw is; null for one that is drawn by itself. */
  entryOf(draw: RenderItem): DrawEntry | null;
  /** Called when several draws have become one. */
  onMerged(): void;
}

/**
 * Has transparent draws of a batch that follow each other, once a renderer has sorted them among all others, drawn by one
 * call. To be called as it begins to fill its list.
 */
export function mergeWhenSorted(scene: Scene, renderer: SceneRenderer, pass: SortedPass): void {
  const { renderLists, sortObjects, extensions } = renderer;
  whenSorted(renderLists as RenderLists, scene, sortObjects, (draws) => {
    if (!pass.isCurrent()) return;
    if (mergeRuns(draws, pass, extensions?.has('WEBGL_multi_draw') === true)) pass.onMerged();
  });
}

/**
 * Has draws that follow each other, and are of one batch, drawn by one call, in the same order. One alone is drawn by the
 * batch, too, as renderers take long to go over to another shader.
 * @param draws In the order in which they are drawn; shortened.
 * @param isShared See {@link BatchRuns.add}.
 * @returns true when there are any.
 */
function mergeRuns(draws: RenderItem[], pass: SortedPass, isShared: boolean): boolean {
  const slots: number[] = [];
  let group: BatchGroup | null = null;
  let kept = 0;
  let hasMerged = false;
  // Draws [0, kept) are done but for the last, whose run is `slots`.
  for (let i = 0; i <= draws.length; i++) {
    const entry = i < draws.length ? pass.entryOf(draws[i]) : null;
    if (entry !== null && entry.group === group) {
      slots.push(entry.slot);
      continue;
    }
    if (group !== null) {
      draw(draws[kept - 1], group, pass.list, slots, isShared);
      hasMerged ||= slots.length > 1;
    }
    slots.length = 0;
    group = entry?.group ?? null;
    if (entry !== null) slots.push(entry.slot);
    if (i < draws.length) draws[kept++] = draws[i];
  }
  draws.length = kept;
  return hasMerged;
}

/** Has a renderer draw slots of a group in place of what it would draw. */
function draw(
  item: RenderItem,
  { batch }: BatchGroup,
  list: number,
  slots: readonly number[],
  isShared: boolean,
): void {
  if (batch === null) return;
  const run = batch.runs(list, BatchRuns).add(slots, isShared);
  item.object = run;
  item.geometry = run.geometry;
  item.material = run.material as Material;
  item.group = null;
}
