import type { Object3D } from 'three';
import { NumberedMesh } from './NumberedMesh.js';

/** The kind of an object, stored in the upper byte of its number: its class, or a mark that the world sets. */
export const NONE = 0;
export const INTERSECTING = 1;
export const INSIDE = 2;
/** The first mark; a world has up to three. */
export const MARKED = 3;

/** Kinds by number, from MARKED on, or 0. */
export type Marks = Uint8Array | null;

/** Writes the numbers of the crowd among the objects from `ids[from]` on; returns where it stopped. */
export function writeNumbers(
  ids: Uint32Array,
  from: number,
  objects: readonly Object3D[],
  kind: number,
  marks: Marks = null,
): number {
  let count = from;
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i]!;
    if (object instanceof NumberedMesh) ids[count++] = object.number | ((marks?.[object.number] || kind) << 24);
  }
  return count;
}
