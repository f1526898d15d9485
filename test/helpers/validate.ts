import type { SpatialIndex } from '../../src/contract/SpatialIndex.js';
import { structureOf } from '../../src/contract/Structure.js';
import type { PackedStructure } from '../../src/packed/Packed.js';
import type { BvhLayout } from '../../src/trees/bvh/Bvh.js';
import type { GridLayout } from '../../src/trees/grid/Grid.js';
import type { CellLayout } from '../../src/trees/octree/CellLayout.js';
import type { Layout, TreeStructure } from '../../src/trees/TreeStructure.js';
import { validateBvh } from './validate/validateBvh.js';
import { validateCells } from './validate/validateCells.js';
import { validateGrid } from './validate/validateGrid.js';
import { validatePacked } from './validate/validatePacked.js';
import { validateList, validateTree } from './validate/validateTree.js';

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
      return validateGrid(layout as GridLayout);
    case 'bvh': {
      const { tree, outside } = layout as BvhLayout;
      return validateBvh(tree, outside);
    }
    default: {
      const { tree, cells, rule, cellOptions } = layout as CellLayout;
      return validateCells(tree, cells, rule, cellOptions.maxDepth);
    }
  }
}
