import type { NodeRecords, NodeView } from '../contract/NodeRecords.js';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { type Structure, structureOf } from '../contract/Structure.js';
import { inWords } from '../core/options.js';
import { describePacked } from '../packed/describe.js';
import type { PackedStructure } from '../packed/Packed.js';
import { describeNodes } from '../trees/describe.js';
import type { TreeStructure } from '../trees/TreeStructure.js';

/**
 * Calls `visit` for every node of an index, parents before children. Nodes are copied before the first call, so `visit`
 * may change the index.
 * @throws TypeError for anything but an index and a function.
 * @example
 * ```ts
 * import { forEachNode } from 'three-scene-index/core';
 *
 * forEachNode(index, ({ depth, box, items }) => console.log('  '.repeat(depth), items, box));
 * ```
 */
export function forEachNode(index: SpatialIndex, visit: (node: NodeView) => void): void {
  const structure = structureOf(index, 'forEachNode');
  if (typeof visit !== 'function') {
    throw new TypeError(`forEachNode: the visitor must be a function, got ${inWords(visit)}`);
  }
  describe(structure).forEach(visit);
}

/** Copies the nodes of a structure. */
export function describe(structure: Structure): NodeRecords {
  if (structure.name === 'packed') return describePacked((structure as PackedStructure).items.rows);
  return describeNodes((structure as TreeStructure).layout);
}
