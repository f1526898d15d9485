import type { LayoutCodec } from '../tree/LayoutCodec.js';
import type { ListLayout } from './ListLayout.js';

/** Nothing is kept of a list beside its rows. */
export const listCodec: LayoutCodec<ListLayout> = {
  perNode: 0,
  saveState: () => [],
  saveNode: () => [],
  loadState() {},
  loadNode: ({ tree }, parent) => tree.addNode(parent),
  finish() {},
};
