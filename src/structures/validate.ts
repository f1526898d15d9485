import type { BvhLayout } from './bvh/BvhLayout.js';
import { validateBvh } from './bvh/validateBvh.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { structureOf } from './contract/structureOf.js';
import type { GridLayout } from './grid/GridLayout.js';
import { validateGrid } from './grid/validateGrid.js';
import { validateList } from './list/validateList.js';
import type { CellLayout } from './octree/CellLayout.js';
import { validateCells } from './octree/validateCells.js';
import type { PackedStructure } from './packed/PackedStructure.js';
import { validatePacked } from './packed/validatePacked.js';
import type { Layout } from './tree/Layout.js';
import type { TreeStructure } from './tree/TreeStructure.js';
import { validateTree } from './tree/validateTree.js';

/**
 * Problems found in the internal state of an index, in words; empty if it is sound. Slow: for tests and debugging.
 * @throws TypeError for what is no index of this library.
 */
export function validate(index: SpatialIndex): string[] {
  const structure = structureOf(index, 'validate');
  if (structure.name === 'packed') return validatePacked((structure as PackedStructure).items);
  const { layout, ids } = structure as TreeStructure;
  return [...validateTree(layout.tree, ids), ...validateLayout(layout)];
}

/** Problems that concern the rules of a layout alone. */
export function validateLayout(layout: Layout): string[] {
  switch (layout.structure) {
    case 'bruteForce':
      return validateList(layout.tree);
    case 'grid':
      return validateGrid(layout.tree, (layout as GridLayout).cells);
    case 'bvh': {
      const { tree, binary, fatBounds, outside } = layout as BvhLayout;
      return validateBvh(tree, binary, fatBounds, outside);
    }
    default: {
      const { tree, cells, rule, cellOptions } = layout as CellLayout;
      return validateCells(tree, cells, rule, cellOptions.maxDepth);
    }
  }
}
