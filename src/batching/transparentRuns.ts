import type { BatchedMesh, Scene } from 'three';
import type { RenderItem, RenderList, RenderLists } from '../three/renderer.js';
import type { BatchedMeshState } from './BatchedMeshState.js';
import type { Draw } from './BatchGroup.js';

/**
 * Replaces each run of transparent draws of one batch by one draw. A single draw is drawn by the batch as well, as
 * switching between shaders costs more.
 * @param draws The draws in drawing order; shortened.
 * @param list The list of the pass.
 * @param isShared See {@link BatchRuns.add}.
 * @param drawFor The draw in a batch for an item; null for an item that is drawn alone, and behind the last item.
 */
export function mergeRuns(
  draws: RenderItem[],
  list: number,
  isShared: boolean,
  drawFor: (item: RenderItem | undefined) => Draw | null,
): void {
  // The first item of each run, with the object that draws the run; null for an item that is drawn alone.
  const items: RenderItem[] = [];
  const objects: (BatchedMesh | null)[] = [];
  const slots: number[] = [];
  let draw = drawFor(draws[0]);
  for (let i = 0; i < draws.length; ) {
    const group = draw?.group ?? null;
    items.push(draws[i]);
    slots.length = 0;
    do {
      slots.push(draw?.slot ?? -1);
      draw = drawFor(draws[++i]);
    } while (draw !== null && draw.group === group);
    objects.push(group?.batch?.runs(list).add(slots, isShared) ?? null);
  }
  // Items are edited only after all runs are made.
  for (const [i, object] of objects.entries()) {
    draws[i] = items[i];
    if (object !== null) {
      Object.assign(draws[i], { object, geometry: object.geometry, material: object.material, group: null });
    }
  }
  draws.length = items.length;
}

/** The transparent draw of a mesh in a batch that stands for an item of a renderer. */
export function drawOf(state: BatchedMeshState, { geometry, material, group }: RenderItem): Draw | null {
  if (!state.isTransparent || state.joined?.geometry.geometry !== geometry) return null;
  for (let draw = state.first; draw !== null; draw = draw.next) {
    const isDrawn = draw.piece === group && draw.material === material;
    if (isDrawn && draw.slot >= 0 && draw.group.isTransparent) return draw;
  }
  return null;
}

/** Number of nested renders whose lists are found. */
const NESTED_RENDERS = 4;

/** Callbacks that restore the lists of a waiting renderer. */
const waiting = new WeakMap<RenderList, () => void>();

/**
 * Calls back once with the transparent draws of a render, in drawing order; the callback may edit them.
 *
 * To be called as the render starts to fill its list, which is then empty. Renders do not tell which list is theirs,
 * but none begins while another fills its list: the first of the empty lists to be finished is the right one.
 */
export function whenSorted(
  lists: RenderLists,
  scene: Scene,
  isSorting: boolean,
  callback: (draws: RenderItem[]) => void,
): void {
  const step = isSorting ? 'sort' : 'finish';
  const empty: RenderList[] = [];
  for (let depth = 0; depth < NESTED_RENDERS; depth++) {
    const list = lists.get(scene, depth);
    // A render that threw may have left its callback.
    waiting.get(list)?.();
    if (list.opaque.length + list.transmissive.length + list.transparent.length === 0) empty.push(list);
  }
  for (const list of empty) {
    const before = list[step];
    waiting.set(list, () => {
      waiting.delete(list);
      list[step] = before;
    });
    list[step] = (...args: unknown[]) => {
      for (const other of empty) waiting.get(other)?.();
      (before as (...args: unknown[]) => void).apply(list, args);
      callback(list.transparent);
    };
  }
}
