import { placeOf } from '../trees/Rows.js';
import type { JoinRows } from './JoinTree.js';

/** True when the box of entry `slot` of `rows` touches that of entry `other` of `others`. */
export function entriesTouch(rows: JoinRows, slot: number, others: JoinRows, other: number): boolean {
  const a = rows.boxes;
  const b = others.boxes;
  const i = placeOf(slot);
  const j = placeOf(other);
  // biome-ignore format: aligned lines show the symmetry
  return a[i] <= b[j + 12] && b[j] <= a[i + 12]
      && a[i + 8] <= b[j + 20] && b[j + 8] <= a[i + 20]
      && a[i + 4] <= b[j + 16] && b[j + 4] <= a[i + 16];
}
