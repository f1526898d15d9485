import type { BufferGeometry, Material, Object3D, Scene } from 'three';

/** One entry in a list of a `WebGLRenderer`. */
export interface RenderItem {
  object: Object3D;
  geometry: BufferGeometry;
  material: Material;
  /** A group of the geometry. */
  group: object | null;
}

/** A list of a `WebGLRenderer`: it is filled, finished, sorted if the renderer sorts, and drawn in its order. */
export interface RenderList {
  readonly opaque: RenderItem[];
  readonly transmissive: RenderItem[];
  readonly transparent: RenderItem[];
  finish(): void;
  sort(...comparisons: unknown[]): void;
}

/** All lists of a renderer: for each scene, one for each depth of renders within renders. */
export interface RenderLists {
  get(scene: Scene, depth: number): RenderList;
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
export function whenSorted(
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
