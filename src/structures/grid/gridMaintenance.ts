import { ROOT } from '../../core/storage/Nodes.js';
import { type LayoutMaintenance, plainMaintenance } from '../tree/LayoutMaintenance.js';
import type { GridLayout } from './GridLayout.js';

export const gridMaintenance: LayoutMaintenance<GridLayout> = {
  ...plainMaintenance,
  isMisplaced: ({ cells }, node, box) => node !== ROOT && !cells.isCellOf(node, box),
};
