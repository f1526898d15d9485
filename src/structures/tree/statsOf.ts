import { BOX, isBounded } from '../../core/box.js';
import type { ItemIds } from '../../core/storage/ItemIds.js';
import { ROOT } from '../../core/storage/Nodes.js';
import type { Walk } from '../../query/Walk.js';
import type { IndexStats } from '../contract/SpatialIndex.js';
import { describeNodes } from './describeNodes.js';
import type { Layout } from './Layout.js';
import { quality } from './quality.js';

/** Size and shape of an index, counted anew. */
export function statsOf(layout: Layout, ids: ItemIds, walk: Walk): IndexStats {
  const { nodes, rows } = layout.tree;
  let rowCount = 0;
  for (let row = 0; row < rows.count; row++) if (rows.sizes[row] > 0) rowCount++;
  let unbounded = 0;
  for (const slot of rows.firstSlot) {
    if (slot < 0) continue;
    rows.read(slot, box, 0);
    if (!isBounded(box)) unbounded++;
  }
  const { count, leaves, height } = describeNodes(layout);
  return {
    items: ids.size,
    entries: nodes.entries[ROOT],
    nodes: count,
    leaves,
    rows: rowCount,
    height,
    isList: count <= 1,
    quality: quality(layout.tree),
    unbounded,
    bytes: rows.bytes + nodes.bytes + ids.bytes + walk.simd.bytes + layout.bytes,
  };
}

const box = new Float64Array(BOX);
