import { bvhCodec } from './bvh/saveBvh.js';
import type { StructureName } from './contract/structureNames.js';
import { gridCodec } from './grid/saveGrid.js';
import { listCodec } from './list/saveList.js';
import { cellCodec } from './octree/saveCells.js';
import type { Layout } from './tree/Layout.js';
import type { LayoutCodec } from './tree/LayoutCodec.js';

const CODECS = {
  bruteForce: listCodec,
  grid: gridCodec,
  octree: cellCodec,
  looseOctree: cellCodec,
  bvh: bvhCodec,
};

/** The codec that saves and loads layouts of a structure; to be used with layouts of that structure alone. */
export function codecOf(structure: StructureName): LayoutCodec<Layout> {
  return CODECS[structure as keyof typeof CODECS] as LayoutCodec<Layout>;
}
