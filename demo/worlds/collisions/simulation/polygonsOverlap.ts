/**
 * Tests whether two convex polygons on a plane touch. An exact test for after a query, which compares boxes.
 *
 * Two convex sets are apart when a line separates them, and for polygons one of their sides lies along such a line
 * (Gottschalk, Lin and Manocha, OBBTree: A Hierarchical Structure for Rapid Interference Detection, 1996, separating
 * axes). Points and segments have too few sides for that, so the rectangles around both are compared as well, and
 * first, which also settles most other cases.
 *
 * @param a Corners in order, either way round, two numbers each, such as x and z. One corner is a point, two are a
 * segment, and corners may repeat. A concave polygon may be reported to touch what it does not, but never the reverse.
 * @param b The other polygon.
 */
export function polygonsOverlap(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return !areApart(a, b, 0, 0, 1, 0) && !areApart(a, b, 0, 0, 0, 1) && !hasGap(a, a, b) && !hasGap(b, a, b);
}

/** True when a side of `polygon`, which is `a` or `b`, separates the two. */
function hasGap(polygon: ArrayLike<number>, a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const { length } = polygon;
  let x = polygon[length - 2];
  let z = polygon[length - 1];
  for (let i = 0; i < length; i += 2) {
    const nextX = polygon[i];
    const nextZ = polygon[i + 1];
    if (areApart(a, b, x, z, z - nextZ, nextX - x)) return true;
    x = nextX;
    z = nextZ;
  }
  return false;
}

/** True when the projections of both on this direction are apart, measured from the nearby point (x, z). */
function areApart(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  x: number,
  z: number,
  alongX: number,
  alongZ: number,
): boolean {
  let minA = Number.POSITIVE_INFINITY;
  let maxA = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < a.length; i += 2) {
    const at = (a[i] - x) * alongX + (a[i + 1] - z) * alongZ;
    if (at < minA) minA = at;
    if (at > maxA) maxA = at;
  }
  let minB = Number.POSITIVE_INFINITY;
  let maxB = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < b.length; i += 2) {
    const at = (b[i] - x) * alongX + (b[i + 1] - z) * alongZ;
    if (at < minB) minB = at;
    if (at > maxB) maxB = at;
  }
  return maxA < minB || maxB < minA;
}
