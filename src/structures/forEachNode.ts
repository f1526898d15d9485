import type { NodeRecords, NodeView } from '../contract/NodeRecords.js';
import type { SpatialIndex, StructureName } from '../contract/SpatialIndex.js';
import { type Structure, structureOf } from '../contract/Structure.js';
import { inWords } from '../core/options.js';
import { describePacked } from '../packed/describe.js';
import type { PackedStructure } from '../packed/Packed.js';
import { describeNodes } from '../trees/describe.js';
import type { GridLayout } from '../trees/grid/Grid.js';
import type { Layout } from '../trees/Layout.js';
import type { CellLayout } from '../trees/octree/CellLayout.js';
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
  const { layout } = structure as TreeStructure;
  return describeNodes(layout.tree, (node, out) => writeRegion(layout, node, out));
}

/** Overwrites the content box of a node in `out` by its cell, in structures that have cells. */
function writeRegion(layout: Layout, node: number, out: Float64Array): void {
  if (layout.structure === 'grid') (layout as GridLayout).cells.writeRegion(node, out);
  else if (CELLS.includes(layout.structure)) (layout as CellLayout).cells.writeRegion(node, out);
}

/** Structures with a `CellLayout`. */
const CELLS: readonly StructureName[] = ['octree', 'quadtree', 'looseOctree'];
