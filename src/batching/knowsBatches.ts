import { BatchedMesh, MeshBasicMaterial } from 'three';

/** Private parts of a `BatchedMesh`, and what they are. */
const PARTS: Readonly<Record<string, (part: unknown) => boolean>> = {
  _multiDrawStarts: (part) => part instanceof Int32Array,
  _multiDrawCounts: (part) => part instanceof Int32Array,
  _multiDrawCount: (part) => typeof part === 'number',
  _initColorsTexture: (part) => typeof part === 'function',
  _indirectTexture: (part) => dataOf(part) instanceof Uint32Array,
  _matricesTexture: (part) => dataOf(part) instanceof Float32Array,
};

/** True when three keeps batches as is counted upon here. */
export function knowsBatches(): boolean {
  const batch = new BatchedMesh(1, 1, 1, new MeshBasicMaterial()) as unknown as Record<string, unknown>;
  return Object.entries(PARTS).every(([name, isAsKnown]) => isAsKnown(batch[name]));
}

function dataOf(texture: unknown): unknown {
  return (texture as { image?: { data?: unknown } } | null)?.image?.data;
}
