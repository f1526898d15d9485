import { ROOT } from '../../core/storage/Nodes.js';
import { type LayoutUpkeep, plainUpkeep } from '../tree/LayoutUpkeep.js';
import type { GridLayout } from './GridLayout.js';

export const gridUpkeep: LayoutUpkeep<GridLayout> = {
  ...plainUpkeep,
  isMisplaced: ({ cells }, node, box) => node !== ROOT && !cells.isCellOf(node, box),
};
