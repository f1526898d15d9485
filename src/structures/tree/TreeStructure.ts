import { BOX, copyBox, isBounded, unite } from '../../core/box.js';
import type { Hits } from '../../core/lists/Hits.js';
import type { IdList } from '../../core/lists/IdList.js';
import type { PlanesVolume } from '../../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../../core/shapes/PointDistance.js';
import type { Ray } from '../../core/shapes/Ray.js';
import type { Volume } from '../../core/shapes/Volume.js';
import { ItemIds } from '../../core/storage/ItemIds.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { noteRuns } from '../../core/storage/noteRuns.js';
import type { Tree } from '../../core/storage/Tree.js';
import type { Counters } from '../../query/Counters.js';
import { nearest } from '../../query/nearest.js';
import { overlap } from '../../query/overlap.js';
import { raycast } from '../../query/raycast.js';
import { Walk } from '../../query/Walk.js';
import type { Structure, StructureOptions } from '../contract/Structure.js';
import type { StructureName } from '../contract/structureNames.js';
import { arrangeItems } from './arrangeItems.js';
import type { Layout } from './Layout.js';
import type { Maintenance } from './Maintenance.js';
import { moveItem } from './moveItem.js';
import { removeItem } from './removeItem.js';

/** A tree of nodes over rows, searched by walks. Where an item belongs in the tree is up to the layout. */
export class TreeStructure implements Structure {
  readonly layout: Layout;
  readonly tree: Tree;
  readonly ids: ItemIds = new ItemIds();
  readonly walk: Walk = new Walk();
  /** How often items have outgrown the tree, so that it was built anew. */
  rebuilds = 0;
  /** The state of maintenance; null from a build until it first runs. */
  maintenance: Maintenance | null = null;

  constructor(layout: Layout) {
    this.layout = layout;
    this.tree = layout.tree;
  }

  get name(): StructureName {
    return this.layout.structure;
  }

  get options(): StructureOptions {
    return this.layout.options;
  }

  get counters(): Counters {
    return this.walk;
  }

  get isBounded(): boolean {
    return isBounded(this.tree.nodes.box, BOX * ROOT);
  }

  place(id: number, box: Float64Array): void {
    if (this.layout.place(id, box, this.ids.size)) this.#rebuild();
  }

  move(id: number, box: Float64Array): void {
    if (moveItem(this.layout, id, box, this.ids.size)) this.#rebuild();
  }

  moveAll(ids: ArrayLike<number>, boxes: Float64Array): void {
    for (let i = 0, o = 0; i < ids.length; i++, o += BOX) {
      copyBox(boxes, o, moved, 0);
      this.move(ids[i], moved);
    }
  }

  /** Cells of a tree stay where they are, so it is built anew. */
  translate(_x: number, _y: number, _z: number, ids: Int32Array, boxes: Float64Array): void {
    this.clear();
    this.arrange(ids, boxes);
  }

  #rebuild(): void {
    this.rebuilds++;
    this.arrange(NO_IDS, NO_BOXES);
  }

  remove(id: number): void {
    removeItem(this.layout, id);
  }

  arrange(newIds: Int32Array, newBoxes: Float64Array): void {
    arrangeItems(this.layout, this.ids.size, newIds, newBoxes);
    noteRuns(this.tree);
    this.maintenance = null;
  }

  clear(): void {
    this.layout.reset(0);
    this.maintenance = null;
  }

  read(id: number, out: Float64Array): void {
    const { rows } = this.tree;
    rows.read(rows.firstSlot[id], out, 0);
  }

  uniteAll(out: Float64Array): void {
    const { rows } = this.tree;
    for (let row = 0; row < rows.count; row++) {
      if (rows.sizes[row] === 0) continue;
      rows.tighten(row, tight);
      unite(out, 0, tight, 0);
    }
  }

  overlap(volume: Volume, out: IdList): void {
    overlap(this.tree, volume, this.walk, out);
  }

  classify(planes: PlanesVolume, intersecting: IdList, inside: IdList): void {
    overlap(this.tree, planes, this.walk, intersecting, inside);
  }

  raycast(ray: Ray, out: Hits): void {
    raycast(this.tree, ray, this.walk, out);
  }

  raycastFirst(ray: Ray, out: Hits): void {
    nearest(this.tree, ray, 1, this.walk, out);
  }

  nearest(point: PointDistance, count: number, out: Hits): void {
    nearest(this.tree, point, count, this.walk, out);
  }
}

const NO_IDS = new Int32Array(0);
const NO_BOXES = new Float64Array(0);
const moved = new Float64Array(BOX);
const tight = new Float64Array(BOX);
