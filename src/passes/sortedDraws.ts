import type { BufferGeometry, Material, Object3D, Scene } from 'three';

/** What a `WebGLRenderer` is about to draw, one of a list. */
export interface RenderItem {
  object: Object3D;
  geometry: BufferGeometry;
  material: Material;
  /** Of the groups of the geometry. */
  group: object | null;
}

type Step = 'finish' | 'sort';

/** A list of a `WebGLRenderer`. It is filled, finished, sorted if the renderer sorts, and then drawn in its order. */
export interface RenderList {
  readonly opaque: RenderItem[];
  readonly transmissive: RenderItem[];
  readonly transparent: RenderItem[];
  finish(): void;
  sort(...comparisons: unknown[]): void;
}

/** Its lists of a scene: one for each render of several that lie in each other, of any scenes. */
export interface RenderLists {
  get(scene: Scene, depth: number): RenderList;
}

/** Renders in renders that are looked for. */
const DEPTHS = 4;

/** What three's methods were, of lists that wait for a renderer. */
const waiting = new WeakMap<RenderList, () => void>();

/**
 * Calls back once, with the transparent draws of a render in the order in which they will be drawn; they may be edited. To
 * be called as the render begins to fill its list, which is then empty. Renders do not say which list is theirs, but it is
 * the first of the empty ones to be finished, as no render begins while another fills its list.
 */
export function whenSorted(
  lists: RenderLists,
  scene: Scene,
  isSorting: boolean,
  callback: (draws: RenderItem[]) => void,
): void {
  const step: Step = isSorting ? 'sort' : 'finish';
  const empty: RenderList[] = [];
  for (let depth = 0; depth < DEPTHS; depth++) {
    const list = lists.get(scene, depth);
    // A render that threw has left it.
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
