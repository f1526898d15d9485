import type { RenderItem } from '../passes/sortedDraws.js';
import type { BatchGroup, Part } from './BatchGroup.js';

/**
 * Has draws that follow each other, and are of one batch, drawn by one call, in the same order. One alone is drawn by the
 * batch, too, as renderers take long to go over to another shader.
 * @param draws In the order in which they are drawn; shortened.
 * @param list That of the pass.
 * @param isShared See {@link BatchRuns.add}.
 * @param partOf Returns what of a batch a draw is; null for one that is drawn by itself.
 * @returns true when there are any.
 */
export function mergeRuns(
  draws: RenderItem[],
  list: number,
  isShared: boolean,
  partOf: (draw: RenderItem) => Part | null,
): boolean {
  const slots: number[] = [];
  let group: BatchGroup | null = null;
  let kept = 0;
  let hasMerged = false;
  // Draws [0, kept) are done but for the last, whose run is `slots`.
  for (let i = 0; i <= draws.length; i++) {
    const part = i < draws.length ? partOf(draws[i]) : null;
    if (part !== null && part.group === group) {
      slots.push(part.slot);
      continue;
    }
    if (group !== null) {
      draw(draws[kept - 1], group, list, slots, isShared);
      hasMerged ||= slots.length > 1;
    }
    slots.length = 0;
    group = part?.group ?? null;
    if (part !== null) slots.push(part.slot);
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
  item.object = batch.addRun(list, slots, isShared);
  item.geometry = batch.mesh.geometry;
  item.material = batch.runMaterial;
  item.group = null;
}
