import { BOX } from './box.js';

/** Slots in a row. A set of slots fits one integer, bit k for slot k. */
export const ROW = 16;
/** Slots in a group; equal coordinates of a group lie side by side. */
export const GROUP = 4;
/** Numbers in a group: four minX, four minY, minZ, maxX, maxY, maxZ. */
export const GROUP_BOXES: number = BOX * GROUP;
/** Numbers in a row: four groups. */
export const ROW_BOXES: number = BOX * ROW;

/** Place of the first coordinate of a slot's box; the others follow four numbers apart. */
export function placeOf(slot: number): number {
  return (slot >> 2) * GROUP_BOXES + (slot & 3);
}
