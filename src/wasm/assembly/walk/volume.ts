import { nodeInBox, rowInBox } from './box';
import { nodeInPlanes, rowInPlanes, setPlanes } from './planes';
import { nodeInSphere, rowInSphere } from './sphere';

/** Kinds of volumes, see src/core/shapes/Volume.ts; all others are planes. */
const BOX: i32 = 1;
const SPHERE: i32 = 2;

/** Makes the numbers of a volume ready for its tests. */
@inline
export function setVolume(kind: i32, all: i32): void {
  if (kind > SPHERE) setPlanes(all);
}

@inline
export function testNode(kind: i32, box: usize, mask: i32): i32 {
  if (kind === BOX) return nodeInBox(box);
  if (kind === SPHERE) return nodeInSphere(box);
  return nodeInPlanes(box, mask);
}

@inline
export function testRow(kind: i32, row: usize, size: i32, mask: i32): i32 {
  if (kind === BOX) return rowInBox(row, size);
  if (kind === SPHERE) return rowInSphere(row, size);
  return rowInPlanes(row, size, mask);
}
