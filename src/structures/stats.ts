import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { BOX, isBounded, ROW } from '../core/box.js';
import type { PackedStructure } from '../packed/Packed.js';
import type { PackedItems } from '../packed/PackedItems.js';
import { ROOT } from '../trees/Nodes.js';
import type { Tree } from '../trees/Tree.js';
import type { TreeStructure } from '../trees/TreeStructure.js';
import { nodesOf } from './forEachNode.js';

/** Size and shape of an index. */
export interface IndexStats {
  /** Items in the index. */
  items: number;
  /** Stored copies: more than `items` if an item is stored several times. */
  copies: number;
  /** Nodes as `forEachNode` reports them. */
  nodes: number;
  /** Nodes without nodes below them. */
  leaves: number;
  /** Rows of up to 16 copies. */
  rows: number;
  /**
   * True while all items are in one list that every query scans. For few items this is fastest: trees of cells divide
   * above their `capacity`, `Bvh` above 16 items, `BruteForce` never.
   */
  isList: boolean;
  /**
   * Depth of the deepest node, as `forEachNode` counts it. A tree of cells has at most `maxDepth`, and one more while
   * it holds unbounded items, whose node lies above the top cell.
   */
  height: number;
  /**
   * How well copies are ordered: 1 after `rebuild()`, down to 0. It is the share of the copies that are packed with
   * their neighbours, in tree order. Edits lower it, `maintain()` raises it.
   */
  quality: number;
  /** Items stored outside the tree because their coordinates are infinite or beyond 2^300. */
  unbounded: number;
  /** Bytes of arrays in use, spare room included. */
  bytes: number;
}

/**
 * Counts the size and shape of an index.
 * @throws TypeError for anything but an index.
 * @example
 * ```ts
 * import { stats } from 'three-scene-index/core';
 *
 * const { items, nodes, height, bytes } = stats(index);
 * console.log(`${items} items in ${nodes} nodes, height ${height}, ${bytes} bytes`);
 * ```
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
  const views = nodesOf(structure);
  const leaves = views.filter(({ leaf }) => leaf).length;
  const height = views.reduce((most, { depth }) => Math.max(most, depth), 0);
  const own = structure.name === 'packed' ? ofPacked(structure as PackedStructure) : ofTree(structure as TreeStructure);
  return { items: ids.size, nodes: views.length, leaves, isList: views.length <= 1, height, unbounded, ...own };
}

function ofTree({ layout, ids }: TreeStructure) {
  const { nodes, rows } = layout.tree;
  return {
    copies: nodes.copies[ROOT],
    rows: rowsIn(rows),
    quality: treeQuality(layout.tree),
    bytes: bytesIn(ids) + bytesIn(layout),
  };
}

function ofPacked({ items }: PackedStructure) {
  const { rows, ids, state } = items;
  return {
    copies: ids.size,
    rows: rowsIn(rows),
    quality: packedQuality(items),
    bytes: bytesIn(ids) + bytesIn(rows) + (state.kernel?.bytes ?? 0),
  };
}

/** The share of copies that lie as after a build: in unchanged rows, each next to the row before it in memory. */
function treeQuality({ nodes, rows }: Tree): number {
  let good = 0;
  let expected = 0;
  for (let node = ROOT; node >= 0; node = nodes.following(node)) {
    const row = nodes.row[node];
    if (row < 0) continue;
    if (row === expected && rows.dirty[row] === 0) good += rows.sizes[row];
    expected = row + 1;
  }
  return nodes.copies[ROOT] === 0 ? 1 : good / nodes.copies[ROOT];
}

/** The share of items that lie in the row of their position on the curve; items outside the rows count as in place. */
function packedQuality({ rows, curve, ids }: PackedItems): number {
  const { count, firstKeys } = rows;
  let astray = 0;
  for (let row = 0; row < count; row++) {
    for (let seat = ROW * row; seat < ROW * row + rows.sizes[row]; seat++) {
      const key = curve.keyOf(rows.boxes, BOX * rows.ids[seat]);
      if (key < firstKeys[row] || (row + 1 < count && key > firstKeys[row + 1])) astray++;
    }
  }
  return ids.size === 0 ? 1 : 1 - astray / ids.size;
}

function rowsIn({ sizes, count }: { sizes: Uint8Array; count: number }): number {
  return sizes.subarray(0, count).filter((size) => size > 0).length;
}

/** Bytes of the typed arrays reachable from an object's fields, each object counted once. */
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
