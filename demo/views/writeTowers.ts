import type { Object3D } from 'three';
import { Tower } from '../worlds/Tower.js';

/** The class of a tower rides in the upper byte of its number. */
export const NONE = 0;
export const INTERSECTING = 1 << 24;
export const INSIDE = 2 << 24;

/** Writes the numbers of the towers among the objects from `ids[from]` on; returns where it stopped. */
export function writeTowers(ids: Uint32Array, from: number, objects: readonly Object3D[], kind: number): number {
  let count = from;
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i]!;
    if (object instanceof Tower) ids[count++] = object.place | kind;
  }
  return count;
}
