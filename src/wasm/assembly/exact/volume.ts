import { boxInBox } from './box';
import { boxInPlanes } from './planes';
import { boxInSphere } from './sphere';

/** Kinds of volumes, see src/core/shapes/Volume.ts; all others are planes. */
const BOX: i32 = 1;
const SPHERE: i32 = 2;

/** What the `node` of a volume says of a box, in double precision as there. */
@inline
export function testBox(kind: i32, box: usize, all: i32): i32 {
  if (kind === BOX) return boxInBox(box);
  if (kind === SPHERE) return boxInSphere(box);
  return boxInPlanes(box, all);
}
