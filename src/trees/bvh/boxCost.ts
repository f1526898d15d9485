/**
 * The cost of a box in a tree, in proportion to how often queries visit it: for rays that is its surface (MacDonald and
 * Booth, Heuristics for Ray Tracing Using Space Subdivision, 1990). A box with a single extent has no surface, however
 * long it is; so a share of the squares of the edges is added, which hardly changes the order of solid boxes. In a
 * planar world all heights count as 0.
 */
export function costOf(b: Float64Array, o: number, planar: boolean): number {
  return costOfEdges(b[o + 3] - b[o], planar ? 0 : b[o + 4] - b[o + 1], b[o + 5] - b[o + 2]);
}

/** The cost of the box around box a at o and box b at p. */
export function costOfUnion(a: Float64Array, o: number, b: Float64Array, p: number, planar: boolean): number {
  const x = (a[o + 3] > b[p + 3] ? a[o + 3] : b[p + 3]) - (a[o] < b[p] ? a[o] : b[p]);
  const z = (a[o + 5] > b[p + 5] ? a[o + 5] : b[p + 5]) - (a[o + 2] < b[p + 2] ? a[o + 2] : b[p + 2]);
  if (planar) return costOfEdges(x, 0, z);
  return costOfEdges(x, (a[o + 4] > b[p + 4] ? a[o + 4] : b[p + 4]) - (a[o + 1] < b[p + 1] ? a[o + 1] : b[p + 1]), z);
}

/**
 * Writes to `out`, from `at` on, by how much the cost of the box at o grows when it is widened to hold box `b`, and its
 * present cost. Numbers returned by a call that is not inlined are allocated on the heap, and a search for a row needs
 * dozens.
 */
export function writeGrowth(
  a: Float64Array,
  o: number,
  b: Float64Array,
  planar: boolean,
  out: Float64Array,
  at: number,
): void {
  const x = a[o + 3] - a[o];
  const y = planar ? 0 : a[o + 4] - a[o + 1];
  const z = a[o + 5] - a[o + 2];
  const wideX = (a[o + 3] > b[3] ? a[o + 3] : b[3]) - (a[o] < b[0] ? a[o] : b[0]);
  const wideY = planar ? 0 : (a[o + 4] > b[4] ? a[o + 4] : b[4]) - (a[o + 1] < b[1] ? a[o + 1] : b[1]);
  const wideZ = (a[o + 5] > b[5] ? a[o + 5] : b[5]) - (a[o + 2] < b[2] ? a[o + 2] : b[2]);
  const cost = x * y + y * z + z * x + (x * x + y * y + z * z) / 8;
  const wide = wideX * wideY + wideY * wideZ + wideZ * wideX + (wideX * wideX + wideY * wideY + wideZ * wideZ) / 8;
  out[at] = wide - cost;
  out[at + 1] = cost;
}

function costOfEdges(x: number, y: number, z: number): number {
  return x * y + y * z + z * x + (x * x + y * y + z * z) / 8;
}
