import { BOX, contains, copyBox, isBounded, makeEmpty, readBox, readBoxes, unite } from '../../core/box.js';
import { inWords } from '../../core/inWords.js';
import { ItemIds } from '../../core/storage/ItemIds.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { ROW } from '../../core/storage/Rows.js';
import { restoreImage, takeImage } from '../../core/storage/TreeImage.js';
import { MortonOrder } from '../build/MortonOrder.js';
import { repackRows } from '../build/repackRows.js';
import { checkTarget } from '../contract/checkResults.js';
import type { IndexStats, NodeView, SpatialIndex } from '../contract/SpatialIndex.js';
import type { StructureName } from '../contract/structureNames.js';
import { describeNodes, type NodeRecords } from './describeNodes.js';
import { Maintenance, OUTGROWN } from './Maintenance.js';
import { quality } from './quality.js';
import { encodeIndex, type SavedIndex } from './SavedIndex.js';
import { TreeQueries } from './TreeQueries.js';
import { validateTree } from './validateTree.js';

/** What is to be given to `createIndex` for an index. */
export type IndexDescriptor = Pick<SavedIndex, 'structure' | 'options'>;

/**
 * What all structures have in common beside the queries: the doors, where arguments are checked and copied, and the ids.
 * A structure says where an item belongs (`place`), whether it may stay there (`canStay`), what follows from a removal
 * (`removed`) and how to arrange everything at once (`arrange`). None of these rebuilds: only what calls them knows whether
 * a way through rows and nodes is left to go.
 */
export abstract class TreeIndex extends TreeQueries implements SpatialIndex {
  readonly #ids = new ItemIds();
  readonly #maintenance: Maintenance;
  #version = 0;

  protected constructor(multiple: boolean) {
    super(multiple);
    this.#maintenance = new Maintenance(this.tree, {
      refile: (row) => this.#refile(row),
      pack: (row) => this.pack(row),
      exchange: (row, to) => this.exchangeRows(row, to),
      rebuild: () => this.rebuild(),
    });
  }

  /** What makes another index like this. */
  protected abstract get descriptor(): IndexDescriptor;
  /** What the structure keeps of a node that is no row, and of the whole, as numbers: of each node as many. */
  protected saveNode(_node: number): number[] {
    return [];
  }
  protected saveState(): number[] {
    return [];
  }
  /** Makes a node of what was saved at `o`, or throws. */
  protected loadNode(parent: number, _numbers: Float64Array, _o: number, _where: string): number {
    return this.tree.addNode(parent);
  }
  protected loadState(_state: Float64Array, _where: string): void {}
  /** Works out what follows from a tree that was loaded; looks at nothing that `validateRules` does. */
  protected loaded(): void {}
  /**
   * Makes the entries of a new item. Returns true when the structure is outgrown: it is to be rebuilt, but not from here,
   * as whoever places an item may be on a way through rows and nodes.
   */
  protected abstract place(id: number, box: Float64Array): boolean;
  /** True when an item with a single entry, `slot`, may keep it with this box. */
  protected abstract canStay(slot: number, box: Float64Array): boolean;
  /** True when an item filed under `node` may stay there with any box that lies within the box of a row there. */
  protected abstract acceptsWithinRow(node: number): boolean;
  /** True when an item with several entries, one of them `slot`, is to have entries in the same nodes with this box. */
  protected canStayEverywhere(_slot: number, _box: Float64Array): boolean {
    return false;
  }
  /** True when an item with a single entry under `node` has left the place where it would be filed. */
  protected isMisplaced(_node: number, _box: Float64Array): boolean {
    return false;
  }
  /** Packs a row and others around it anew; returns the number of their entries. */
  protected pack(row: number): number {
    return repackRows(this.tree, this.tree.rows.nodes[row]);
  }
  /** Has two rows change places. */
  protected exchangeRows(row: number, to: number): void {
    this.tree.exchangeRows(row, to);
  }
  /** Cleans up after an entry under `node` went: the node may be empty now. */
  protected abstract removed(node: number): void;
  /**
   * Files the items `order` names, positions in `ids` and `boxes`, in an empty tree. They lie along the curve, so `order`
   * counts up; it may be rearranged.
   */
  protected abstract arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder): void;
  /** True when heights do not count in where items are filed. */
  protected get isPlanar(): boolean {
    return false;
  }
  /** Forgets everything, and makes room for about `items` items. */
  protected reset(items: number): void {
    this.tree.reset(items);
  }
  /** Writes the region a node stands for; the default is its content box. */
  protected cellOf(node: number, out: Float64Array): void {
    for (let i = 0; i < BOX; i++) out[i] = this.tree.nodes.box[BOX * node + i];
  }
  /** Problems of the structure's own rules. */
  protected validateRules(): string[] {
    return [];
  }

  get structure(): StructureName {
    return this.descriptor.structure;
  }

  get size(): number {
    return this.#ids.size;
  }

  get version(): number {
    return this.#version;
  }

  add(box: ArrayLike<number>): number {
    readBox(box, argument, 'SpatialIndex.add');
    const id = this.#ids.alloc();
    this.#version++;
    if (this.place(id, argument)) this.rebuild();
    return id;
  }

  addAll(boxes: ArrayLike<number>): Int32Array {
    const source = readBoxes(boxes, 'SpatialIndex.addAll');
    const count = source.length / BOX;
    const ids = new Int32Array(count);
    this.#version++;
    // Placing one by one costs a few times as much per item as arranging all of them.
    if (count > (this.size + count) >> 2) {
      for (let i = 0; i < count; i++) ids[i] = this.#ids.alloc();
      this.#arrangeAll(ids, source);
    } else {
      for (let i = 0; i < count; i++) {
        // An id comes to live with its item: a rebuild arranges all that are live.
        ids[i] = this.#ids.alloc();
        copyBox(source, BOX * i, argument, 0);
        if (this.place(ids[i], argument)) this.rebuild();
      }
    }
    return ids;
  }

  update(id: number, box: ArrayLike<number>): void {
    // The box first: a getter in it may change the index.
    readBox(box, argument, 'SpatialIndex.update');
    const slot = this.#slot(id, 'SpatialIndex.update');
    this.#version++;
    if (this.#moveTo(argument, id, slot)) this.rebuild();
  }

  updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>): void {
    const where = 'SpatialIndex.updateAll';
    if (ids === null || typeof ids !== 'object' || typeof ids.length !== 'number') {
      throw new TypeError(`${where}: ids are an array of numbers, got ${inWords(ids)}`);
    }
    // Copied first: a getter in them may change the boxes or the index.
    const own = ids instanceof Int32Array ? ids : this.#copyIds(ids, where);
    const source = readBoxes(boxes, where);
    if (source.length !== BOX * own.length) {
      throw new RangeError(`${where}: six numbers an id, got ${source.length} numbers for ${own.length} ids`);
    }
    for (let i = 0; i < own.length; i++) this.#slot(own[i], where);
    this.#version++;
    for (let i = 0, o = 0; i < own.length; i++, o += BOX) {
      copyBox(source, o, argument, 0);
      const isOutgrown = this.#moveTo(argument, own[i], this.tree.rows.firstSlot[own[i]]);
      if (isOutgrown) this.rebuild();
    }
  }

  #copyIds(ids: ArrayLike<number>, where: string): number[] {
    const own: number[] = [];
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      this.#slot(id, where);
      own.push(id);
    }
    return own;
  }

  /** Gives an item a box; returns true when the structure is outgrown. */
  #moveTo(box: Float64Array, id: number, slot: number): boolean {
    const { tree } = this;
    const { nextSlot } = tree.rows;
    if (!tree.multiple || nextSlot[slot] < 0) {
      // What lies within the box of its row lies where others do that may stay.
      const child = tree.rowNodeOf(slot);
      if (contains(tree.nodes.box, BOX * child, box, 0) && this.acceptsWithinRow(tree.nodes.parent[child])) {
        tree.moveWithin(slot, box);
        return false;
      }
      if (this.canStay(slot, box)) {
        tree.move(slot, box);
        return false;
      }
    } else if (this.canStayEverywhere(slot, box)) {
      let s = slot;
      do {
        tree.move(s, box);
        s = nextSlot[s];
      } while (s !== slot);
      return false;
    }
    this.#unfile(id);
    return this.place(id, box);
  }

  remove(id: number): void {
    this.#slot(id, 'SpatialIndex.remove');
    this.#version++;
    this.#unfile(id);
    this.#ids.free(id);
    if (this.size === 0) this.clear();
  }

  has(id: number): boolean {
    return Number.isInteger(id) && this.tree.rows.firstSlot[id] >= 0;
  }

  getBox(id: number, out: Float64Array = new Float64Array(BOX)): Float64Array {
    const slot = this.#slot(id, 'SpatialIndex.getBox');
    checkTarget(out, 'SpatialIndex.getBox');
    this.tree.rows.read(slot, out, 0);
    return out;
  }

  getBounds(out: Float64Array = new Float64Array(BOX)): Float64Array {
    checkTarget(out, 'SpatialIndex.getBounds');
    const { rows } = this.tree;
    makeEmpty(out, 0);
    for (let row = 0; row < rows.count; row++) {
      if (rows.sizes[row] === 0) continue;
      rows.tighten(row, scratch);
      unite(out, 0, scratch, 0);
    }
    return out;
  }

  clear(): void {
    this.#version++;
    this.#ids.clear();
    this.reset(0);
    this.#maintenance.begin();
    this.releaseWalks();
  }

  rebuild(): void {
    this.#version++;
    this.#arrangeAll(NO_IDS, NO_BOXES);
  }

  maintain(budgetMs: number): boolean {
    if (typeof budgetMs !== 'number') {
      throw new TypeError(`SpatialIndex.maintain: the budget must be a number, got ${inWords(budgetMs)}`);
    }
    if (!(budgetMs >= 0)) throw new RangeError(`SpatialIndex.maintain: the budget must be 0 or more, got ${budgetMs}`);
    return this.#maintenance.run(budgetMs);
  }

  toBytes(): Uint8Array {
    const { next, free } = this.#ids.save();
    const ofNodes: number[] = [];
    const image = takeImage(this.tree, (node) => ofNodes.push(...this.saveNode(node)));
    return encodeIndex({
      ...this.descriptor,
      nextId: next,
      freeId: free,
      image,
      state: Float64Array.from(this.saveState()),
      ofNodes: Float64Array.from(ofNodes),
    });
  }

  /** Takes in what was saved of another index; this one must be new, and is of no use when that throws. */
  restore(saved: SavedIndex, where: string): void {
    const { image, ofNodes } = saved;
    const { rows } = this.tree;
    this.#ids.restore(saved.nextId, saved.freeId, where);
    this.reset(this.size);
    rows.firstSlot = new Int32Array(Math.max(16, this.#ids.limit)).fill(-1);
    this.loadState(saved.state, where);
    const each = this.saveNode(ROOT).length;
    let inner = 0;
    for (const count of image.children) if (count >= 0) inner++;
    if (ofNodes.length !== each * inner) throw new RangeError(`${where}: ${ofNodes.length} numbers for ${inner} nodes`);
    const addNode = (parent: number, n: number): number => this.loadNode(parent, ofNodes, each * n, where);
    restoreImage(this.tree, image, (id) => this.#ids.has(id), addNode, where);
    for (let id = 0, missing = this.size; id < this.#ids.limit && missing > 0; id++) {
      if (rows.firstSlot[id] >= 0) missing--;
      else if (this.#ids.has(id)) throw new RangeError(`${where}: item ${id} is live, but not filed`);
    }
    this.loaded();
    const [problem] = this.validateRules();
    if (problem !== undefined) throw new RangeError(`${where}: ${problem}`);
    this.#version++;
    this.#maintenance.begin();
  }

  forEachNode(visit: (node: NodeView) => void): void {
    if (typeof visit !== 'function') {
      throw new TypeError(`SpatialIndex.forEachNode: the visitor must be a function, got ${inWords(visit)}`);
    }
    // The nodes are copied before the first call, so `visit` may change the index.
    this.#describe().forEach(visit);
  }

  stats(): IndexStats {
    const { nodes, rows } = this.tree;
    let rowCount = 0;
    for (let row = 0; row < rows.count; row++) if (rows.sizes[row] > 0) rowCount++;
    let unbounded = 0;
    for (let id = 0; id < this.#ids.limit; id++) {
      if (!this.has(id)) continue;
      rows.read(rows.firstSlot[id], scratch, 0);
      if (!isBounded(scratch)) unbounded++;
    }
    const records = this.#describe();
    return {
      items: this.size,
      entries: nodes.entries[ROOT],
      nodes: records.count,
      leaves: records.leaves,
      rows: rowCount,
      height: records.height,
      isList: records.count <= 1,
      quality: quality(this.tree),
      unbounded,
      bytes: rows.bytes + nodes.bytes + this.#ids.bytes + this.walkBytes + this.ownBytes,
    };
  }

  validate(): string[] {
    return [...validateTree(this.tree, this.#ids), ...this.validateRules()];
  }

  /** Bytes a structure holds beside the tree. */
  protected get ownBytes(): number {
    return 0;
  }

  #describe(): NodeRecords {
    return describeNodes(this.tree, (node, out) => this.cellOf(node, out));
  }

  #slot(id: number, where: string): number {
    // Every item is filed somewhere; beyond the array, and between its elements, there is undefined.
    const slot = typeof id === 'number' ? this.tree.rows.firstSlot[id] : -1;
    if (!(slot >= 0)) throw new RangeError(`${where}: no item ${inWords(id)}`);
    return slot;
  }

  #unfile(id: number): void {
    const { tree } = this;
    for (let slot = tree.rows.firstSlot[id]; slot >= 0; slot = tree.rows.firstSlot[id]) {
      const node = tree.nodeOf(slot);
      tree.remove(slot);
      this.removed(node);
    }
  }

  /** Arranges all items that are filed, and some that are not yet. */
  #arrangeAll(newIds: Int32Array, newBoxes: Float64Array): void {
    const { rows } = this.tree;
    const filed = this.size - newIds.length;
    let ids = newIds;
    let boxes = newBoxes;
    if (filed > 0) {
      ids = new Int32Array(this.size);
      boxes = new Float64Array(BOX * this.size);
      let n = 0;
      for (let id = 0; n < filed; id++) {
        if (rows.firstSlot[id] < 0) continue;
        rows.read(rows.firstSlot[id], boxes, BOX * n);
        ids[n++] = id;
      }
      ids.set(newIds, filed);
      boxes.set(newBoxes, BOX * filed);
    }
    this.reset(this.size);
    // Put into order for good: all later passes then read memory in runs.
    const curve = new MortonOrder(boxes, this.isPlanar);
    const { order } = curve;
    const sortedIds = new Int32Array(ids.length);
    const sortedBoxes = new Float64Array(boxes.length);
    for (let i = 0, o = 0; i < order.length; i++, o += BOX) {
      sortedIds[i] = ids[order[i]];
      copyBox(boxes, BOX * order[i], sortedBoxes, o);
      order[i] = i;
    }
    this.arrange(sortedIds, sortedBoxes, order, curve);
    this.#maintenance.begin();
  }

  /** Places anew what a build would not place where this row is; see {@link Maintained}. */
  #refile(row: number): number {
    const { nodes, rows } = this.tree;
    const handled = rows.sizes[row];
    for (let k = handled - 1; k >= 0; k--) {
      // Placing may take the row away, or give it to others.
      if (k >= rows.sizes[row]) continue;
      const slot = row * ROW + k;
      const id = rows.ids[slot];
      if (id < 0 || rows.nextSlot[slot] >= 0) continue;
      rows.read(slot, argument, 0);
      if (!this.isMisplaced(nodes.parent[rows.nodes[row]], argument)) continue;
      this.#unfile(id);
      if (this.place(id, argument)) return OUTGROWN;
    }
    return handled;
  }
}

const NO_IDS = new Int32Array(0);
const NO_BOXES = new Float64Array(0);
const argument = new Float64Array(BOX);
const scratch = new Float64Array(BOX);
