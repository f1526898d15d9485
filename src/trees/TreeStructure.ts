import type { Counters } from '../contract/Counters.js';
import type { Structure, StructureOptions } from '../contract/Structure.js';
import type { StructureName } from '../contract/structureNames.js';
import { BOX, copyBox, isBounded, unite } from '../core/box.js';
import type { Hits } from '../core/Hits.js';
import type { IdList } from '../core/IdList.js';
import { ItemIds } from '../core/ItemIds.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import { arrangeItems } from './arrangeItems.js';
import type { Layout } from './Layout.js';
import { moveItem } from './moveItem.js';
import { ROOT } from './Nodes.js';
import { nearest } from './nearest.js';
import { noteRuns } from './noteRuns.js';
import { overlap } from './overlap.js';
import { ROW } from './Rows.js';
import { raycast } from './raycast.js';
import { removeItem } from './removeItem.js';
import type { Tree } from './Tree.js';
import { Walk } from './Walk.js';

/** A rebuild takes as long as this many tests of boxes for each item. */
const REBUILD = 32;
/** No rebuild before one in this many entries has changed. */
const CHANGED = 8;

/** A tree of nodes over rows, searched by walks. Where an item belongs in the tree is up to the layout. */
export class TreeStructure implements Structure {
  readonly layout: Layout;
  readonly tree: Tree;
  readonly ids: ItemIds = new ItemIds();
  readonly walk: Walk = new Walk();
  /** How often items have outgrown the tree, so that it was built anew. */
  rebuilds = 0;
  /** Boxes that queries have tested, and items they have found, since `maintain` last counted them. */
  #tests = 0;
  #finds = 0;
  /** Tests for each item found just after the last build; 0 until enough were counted. */
  #rate = 0;
  /** Boxes tested since then beyond that rate. */
  #wasted = 0;

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
    this.#forget();
  }

  clear(): void {
    this.layout.reset(0);
    this.#forget();
  }

  maintain(budget: number): boolean {
    const { changes, nodes } = this.tree;
    const items = this.ids.size;
    if (this.#rate > 0) this.#wasted = Math.max(0, this.#wasted + this.#tests - this.#finds * this.#rate);
    else if (this.#tests >= items && items > 0) this.#rate = this.#tests / this.#finds;
    if (this.#rate > 0) this.#tests = this.#finds = 0;
    const pays = this.#wasted > REBUILD * items && changes * CHANGED > nodes.entries[ROOT];
    if (budget === Number.POSITIVE_INFINITY ? changes === 0 : !pays) return true;
    if (budget === 0) return false;
    this.arrange(NO_IDS, NO_BOXES);
    return true;
  }

  /** Counts what the last query tested and found; a row more, as most look through one in vain. */
  #count(found: number): void {
    this.#tests += this.walk.nodesVisited + this.walk.itemsTested;
    this.#finds += found + ROW;
  }

  #forget(): void {
    this.#tests = this.#finds = this.#rate = this.#wasted = 0;
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
    this.#count(out.length);
  }

  classify(planes: PlanesVolume, intersecting: IdList, inside: IdList): void {
    overlap(this.tree, planes, this.walk, intersecting, inside);
    this.#count(intersecting.length + inside.length);
  }

  raycast(ray: Ray, out: Hits): void {
    raycast(this.tree, ray, this.walk, out);
    this.#count(out.length);
  }

  raycastFirst(ray: Ray, out: Hits): void {
    nearest(this.tree, ray, 1, this.walk, out);
    this.#count(out.length);
  }

  nearest(point: PointDistance, count: number, out: Hits): void {
    nearest(this.tree, point, count, this.walk, out);
    this.#count(out.length);
  }
}

const NO_IDS = new Int32Array(0);
const NO_BOXES = new Float64Array(0);
const moved = new Float64Array(BOX);
const tight = new Float64Array(BOX);
