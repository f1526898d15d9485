import type { BatchedMesh, Object3D, Scene } from 'three';
import type { RenderItem, RenderList, RenderLists, SceneRenderer } from '../passes/Pass.js';
import type { BatchedMeshState } from './BatchedMeshState.js';
import type { DrawEntry } from './BatchGroup.js';

/** The transparent draws of a pass. */
interface SortedPass {
  readonly list: number;
  /** The frame in which its meshes were refreshed. */
  readonly frame: number;
  /** True while its picture is being made. */
  isCurrent(): boolean;
  stateOf(object: Object3D): BatchedMeshState | undefined;
  /** Called with what is thrown; draws are as they were then. */
  failed(error: unknown): void;
}

/**
 * Merges consecutive transparent draws of a batch into one call, once the renderer has sorted them. Call it when the
 * renderer begins to fill its list.
 */
export function mergeWhenSorted(scene: Scene, { renderLists, sortObjects }: SceneRenderer, pass: SortedPass): void {
  whenSorted(renderLists as RenderLists, scene, sortObjects, (draws) => {
    if (!pass.isCurrent()) return;
    try {
      mergeRuns(draws, pass);
    } catch (error) {
      pass.failed(error);
    }
  });
}

/**
 * Puts one draw in the place of each run of draws of one batch. A run of one is drawn by the batch as well, as
 * switching between shaders costs more.
 * @param draws In the order in which they are drawn; shortened.
 */
function mergeRuns(draws: RenderItem[], pass: SortedPass): void {
  // Each item that is kept, with what draws the run that it begins; null for what is drawn alone.
  const items: RenderItem[] = [];
  const objects: (BatchedMesh | null)[] = [];
  const slots: number[] = [];
  let entry = entryOf(draws[0], pass);
  for (let i = 0; i < draws.length; ) {
    const group = entry?.group ?? null;
    items.push(draws[i]);
    slots.length = 0;
    do {
      slots.push(entry?.slot ?? -1);
      entry = entryOf(draws[++i], pass);
    } while (entry !== null && entry.group === group);
    objects.push(group?.batch?.runs(pass.list).add(slots) ?? null);
  }
  // Nothing is edited before all runs are made.
  for (const [i, object] of objects.entries()) {
    draws[i] = items[i];
    if (object !== null) {
      Object.assign(draws[i], { object, geometry: object.geometry, material: object.material, group: null });
    }
  }
  draws.length = items.length;
}

/** The draw in a batch that stands for an item of a renderer; null for one that is drawn alone, and behind the last. */
function entryOf(item: RenderItem | undefined, { frame, stateOf }: SortedPass): DrawEntry | null {
  const state = item && stateOf(item.object);
  if (!state?.isTransparent || state.frame !== frame || state.geometry?.geometry !== item?.geometry) return null;
  for (let entry: DrawEntry | undefined = state, i = 0; entry !== undefined; entry = state.others?.[i++]) {
    const isDrawn = entry.piece === item?.group && entry.known?.material === item?.material;
    if (isDrawn && entry.slot >= 0 && entry.group?.isTransparent) return entry;
  }
  return null;
}

/** Renders within renders that are looked for. */
const DEPTHS = 4;

/** What restores the lists that wait for a renderer. */
const waiting = new WeakMap<RenderList, () => void>();

/**
 * Calls back once with the transparent draws of a render, in the order in which they will be drawn; they may be edited.
 *
 * To be called as the render starts to fill its list, which is then empty. Renders do not tell which list is theirs, but
 * none begins while another fills its list, so it is the first of the empty ones to be finished.
 */
function whenSorted(
  lists: RenderLists,
  scene: Scene,
  isSorting: boolean,
  callback: (draws: RenderItem[]) => void,
): void {
  const step = isSorting ? 'sort' : 'finish';
  const empty: RenderList[] = [];
  for (let depth = 0; depth < DEPTHS; depth++) {
    const list = lists.get(scene, depth);
    // Left behind by a render that threw.
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
