import { inWords } from '../core/inWords.js';
import type { NodeView } from './contract/NodeView.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { describeNodes } from './tree/describeNodes.js';
import { partsOf } from './tree/partsOf.js';

/** Calls `visit` for every node of an index, parents before children. Changes made by `visit` do not show in the same round. */
export function forEachNode(index: SpatialIndex, visit: (node: NodeView) => void): void {
  const { layout } = partsOf(index, 'forEachNode');
  if (typeof visit !== 'function') {
    throw new TypeError(`forEachNode: the visitor must be a function, got ${inWords(visit)}`);
  }
  // The nodes are copied before the first call, so `visit` may change the index.
  describeNodes(layout).forEach(visit);
}
