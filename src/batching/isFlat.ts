import { type BufferGeometry, Vector3 } from 'three';

/** Vertices that are looked at; what has more is no pane. */
const MOST = 1024;
/** How far a triangle may be turned, or lie off, in parts of its size. */
const SLACK = 1e-5;

const [a, b, c, normal, first] = Array.from({ length: 5 }, () => new Vector3());

/**
 * True for a geometry whose triangles lie in one plane and face the same way, as those of a pane or a label: whoever looks
 * at it sees the front of all of them, or the back.
 */
export function isFlat({ attributes: { position }, index }: BufferGeometry): boolean {
  if (position.count > MOST) return false;
  const count = index?.count ?? position.count;
  first.set(0, 0, 0);
  let height = 0;
  for (let i = 0; i + 2 < count; i += 3) {
    a.fromBufferAttribute(position, index?.getX(i) ?? i);
    b.fromBufferAttribute(position, index?.getX(i + 1) ?? i + 1);
    c.fromBufferAttribute(position, index?.getX(i + 2) ?? i + 2);
    normal.crossVectors(b.sub(a), c.sub(a));
    const size = Math.sqrt(normal.length());
    // Nothing is drawn of it.
    if (size === 0) continue;
    normal.normalize();
    if (first.lengthSq() === 0) {
      first.copy(normal);
      height = first.dot(a);
    }
    const isOff = Math.abs(first.dot(a) - height) > SLACK * size;
    if (isOff || normal.distanceTo(first) > SLACK) return false;
  }
  return first.lengthSq() > 0;
}
