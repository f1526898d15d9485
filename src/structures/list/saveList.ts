import type { LayoutCodec } from '../tree/LayoutCodec.js';
import type { ListLayout } from './ListLayout.js';

/** A list has nothing to save besides its rows. */
export const listCodec: LayoutCodec<ListLayout> = {
  perNode: 0,
  saveState: () => [],
  saveNode: () => [],
  loadState() {},
  loadNode: ({ tree }, parent) => tree.addNode(parent),
  finish() {},
};
