import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { BOX, isBounded } from '../core/box.js';
import { describePacked, packedQuality } from '../packed/describe.js';
import type { PackedStructure } from '../packed/Packed.js';
import type { PackedItems } from '../packed/PackedItems.js';
import { describeNodes, quality } from '../trees/describe.js';
import { ROOT } from '../trees/Nodes.js';
import type { TreeStructure } from '../trees/TreeStructure.js';

/** Size and shape of an index. */
export interface IndexStats {
  /** Live items. */
  items: number;
  /** Places in which items are kept; more than items where one item has several. */
  entries: number;
  /** Nodes as `forEachNode` reports them. */
  nodes: number;
  /** Nodes that have no nodes below. */
  leaves: number;
  /** Rows of up to 16 entries. */
  rows: number;
  /**
   * True while all items are in one list that every query goes through from end to end, the fastest way for so few: the
   * trees of cells begin to divide above their `capacity`, `Bvh` above 16 items, `BruteForce` never does.
   */
  isList: boolean;
  /**
   * Steps from the top node to the deepest, as `forEachNode` counts `depth`: rows are not nodes. A tree of cells has
   * `maxDepth` at most, and one more while it holds unbounded items, whose node lies above the top cell.
   */
  height: number;
  /**
   * Share of the entries that lie as after `rebuild()`, 0 to 1: packed with their neighbours, in the order of the tree.
   * Adding, removing and moving items lowers it; `maintain()` raises it.
   */
  quality: number;
  /** Items kept outside the tree because their coordinates are infinite or beyond 2^300. */
  unbounded: number;
  /** Bytes of memory held, spare room included. */
  bytes: number;
}

/**
 * Counts the size and shape of an index.
 * @throws TypeError for what is no index of this library.
 */
export function stats(index: SpatialIndex): IndexStats {
  const structure = structureOf(index, 'stats');
  const { ids } = structure;
  let unbounded = 0;
  for (let id = 0; id < ids.limit; id++) {
    if (!ids.has(id)) continue;
    structure.read(id, box);
    if (!isBounded(box)) unbounded++;
  }
  const ofStructure =
    structure.name === 'packed' ? ofPacked((structure as PackedStructure).items) : ofTree(structure as TreeStructure);
  const { nodes } = ofStructure;
  return { items: ids.size, unbounded, isList: nodes <= 1, ...ofStructure };
}

type OfStructure = Omit<IndexStats, 'items' | 'unbounded' | 'isList'>;

function ofTree({ layout, ids }: TreeStructure): OfStructure {
  const { nodes, rows } = layout.tree;
  const { count, leaves, height } = describeNodes(layout.tree);
  return {
    entries: nodes.entries[ROOT],
    nodes: count,
    leaves,
    rows: rowsIn(rows),
    height,
    quality: quality(layout.tree),
    bytes: bytesIn(ids) + bytesIn(layout),
  };
}

function ofPacked(items: PackedItems): OfStructure {
  const { rows, ids, state } = items;
  const { count, leaves, height } = describePacked(rows);
  return {
    entries: ids.size,
    nodes: count,
    leaves,
    rows: rowsIn(rows),
    height,
    quality: packedQuality(items),
    bytes: bytesIn(ids) + bytesIn(rows) + (state.kernel?.bytes ?? 0),
  };
}

function rowsIn({ sizes, count }: { sizes: Uint8Array; count: number }): number {
  let used = 0;
  for (let row = 0; row < count; row++) if (sizes[row] > 0) used++;
  return used;
}

/** Bytes of the typed arrays in the fields of an object, and in the objects found there, each object once. */
function bytesIn(store: object, seen: Set<object> = new Set()): number {
  seen.add(store);
  let bytes = 0;
  for (const field of Object.values(store)) {
    if (ArrayBuffer.isView(field)) bytes += field.byteLength;
    else if (typeof field === 'object' && field !== null && !seen.has(field)) bytes += bytesIn(field, seen);
  }
  return bytes;
}

const box = new Float64Array(BOX);
