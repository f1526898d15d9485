import { type BufferGeometry, type Material, type Scene, Vector3 } from 'three';
import type { SceneRenderer } from '../passes/Pass.js';
import { type RenderItem, type RenderLists, whenSorted } from '../passes/sortedDraws.js';
import type { BatchGroup, DrawEntry } from './BatchGroup.js';
import { BatchRuns } from './BatchRuns.js';

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

/** Vertices that are looked at; what has more is no pane. */
const MOST = 1024;
/** How far a triangle may be turned, or lie off, in parts of its size. */
const SLACK = 1e-5;

const [a, b, c, normal, first] = Array.from({ length: 5 }, () => new Vector3());

/**
 * True for a geometry whose triangles lie in one plane and face the same way, as those of a pane or a label: whoever looks
 * at it sees the front of all of them, or the back.
 */
export function isFlat({ attributes: { position }, index }: BufferGeometry): boolean {
  if (position.count > MOST) return false;
  const count = index?.count ?? position.count;
  first.set(0, 0, 0);
  let height = 0;
  for (let i = 0; i + 2 < count; i += 3) {
    a.fromBufferAttribute(position, index?.getX(i) ?? i);
    b.fromBufferAttribute(position, index?.getX(i + 1) ?? i + 1);
    c.fromBufferAttribute(position, index?.getX(i + 2) ?? i + 2);
    normal.crossVectors(b.sub(a), c.sub(a));
    const size = Math.sqrt(normal.length());
    // Nothing is drawn of it.
    if (size === 0) continue;
    normal.normalize();
    if (first.lengthSq() === 0) {
      first.copy(normal);
      height = first.dot(a);
    }
    const isOff = Math.abs(first.dot(a) - height) > SLACK * size;
    if (isOff || normal.distanceTo(first) > SLACK) return false;
  }
  return first.lengthSq() > 0;
}
