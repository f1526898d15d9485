import type { Object3D } from 'three';
import { Graph } from 'three/addons/inspector/ui/Graph.js';
import type { Item } from 'three/addons/inspector/ui/Item.js';
import { batchReports } from '../batching/MeshBatching.js';
import { partsOf, type SceneIndex } from '../scene/SceneIndex.js';
import { inCount, inPercent, Readings, wide } from './widgets.js';

/** Points of the graph: a minute, with four a second. */
const POINTS = 240;
const COLORS = { seen: 'var(--color-accent)', culled: 'var(--text-secondary)', batched: 'var(--color-green)' };

const ROWS = [
  'Objects',
  'Seen',
  'In batches',
  'By themselves',
  'Culled',
  'Batches',
  'Draw calls of the frame',
  'Boxes tested to cull',
];

/** Rows without a share of all objects. */
const ABSOLUTE = ['Objects', 'Batches', 'Draw calls of the frame'];

/** Of the objects in an index: how many the camera sees, how many of these are drawn in batches. */
export class SeenSection {
  readonly item: Item;
  readonly #index: SceneIndex;
  readonly #readings = new Readings('Seen', 2);
  readonly #graph = new Graph(POINTS);

  constructor(index: SceneIndex) {
    this.#index = index;
    this.item = this.#readings.item;
    for (const [name, color] of Object.entries(COLORS)) this.#graph.addLine(name, color);
    const frame = document.createElement('div');
    frame.className = 'graph-container';
    frame.setAttribute('role', 'img');
    frame.setAttribute('aria-label', 'Objects seen, culled and drawn in batches, over the last minute');
    frame.append(this.#graph.domElement);
    this.item.add(wide(frame));
    this.#readings.add(ROWS, { Seen: COLORS.seen, 'In batches': COLORS.batched, Culled: COLORS.culled });
  }

  /**
   * Shows what a query has just found.
   * @param seen What the camera sees.
   * @param draws Draw calls of the last frame.
   */
  show(seen: readonly Object3D[], draws: number): void {
    const { size, counters, root } = this.#index;
    const report = batchReports.get(root);
    const batches = report?.count ?? 0;
    const { records } = partsOf(this.#index, 'SceneIndexTab').follower.hierarchy;
    let batched = 0;
    // Objects without bounds are not counted in `size`, and may be seen all the same.
    let culled = size;
    for (const object of seen) {
      if (batches > 0 && report?.holds(object)) batched++;
      if ((records.get(object)?.id ?? -1) >= 0) culled--;
    }
    const alone = seen.length - batched;
    const boxes = counters.nodesVisited + counters.itemsTested;
    for (const [i, count] of [size, seen.length, batched, alone, culled, batches, draws, boxes].entries()) {
      this.#readings.set(ROWS[i], inCount(count), ABSOLUTE.includes(ROWS[i]) ? '' : inPercent(count, size));
    }
    this.#graph.addPoint('seen', seen.length);
    this.#graph.addPoint('culled', culled);
    this.#graph.addPoint('batched', batched);
    // Without objects nothing sets it.
    if (this.#graph.limit === 0) this.#graph.limit = 1;
    this.#graph.update();
  }
}
