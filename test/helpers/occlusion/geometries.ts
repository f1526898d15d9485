/** Positions of triangles, three vertices each and none shared, as geometries with flat normals have them. */

export function boxPositions(): number[] {
  const c = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5]);
  return SIDES.flatMap(([a, b, d, e]) => [...c[a], ...c[b], ...c[d], ...c[a], ...c[d], ...c[e]]);
}

const SIDES = [
  [4, 5, 7, 6],
  [1, 0, 2, 3],
  [5, 1, 3, 7],
  [0, 4, 6, 2],
  [2, 6, 7, 3],
  [0, 1, 5, 4],
];

/** A cone of radius 1 and height 1 over the origin, open at its base as foliage often is. */
export function conePositions(segments: number): number[] {
  return around(segments, (ax, az, bx, bz) => [bx, 0, bz, ax, 0, az, 0, 1, 0]);
}

/** A tube of radius 1 and height 1. */
export function tubePositions(segments: number): number[] {
  return around(segments, (ax, az, bx, bz) => [bx, 0, bz, ax, 0, az, ax, 1, az, bx, 0, bz, ax, 1, az, bx, 1, bz]);
}

function around(segments: number, wedge: (ax: number, az: number, bx: number, bz: number) => number[]): number[] {
  const angle = (i: number): number => (2 * Math.PI * (i % segments)) / segments;
  return Array.from({ length: segments }, (_, i) =>
    wedge(Math.cos(angle(i)), Math.sin(angle(i)), Math.cos(angle(i + 1)), Math.sin(angle(i + 1))),
  ).flat();
}

/** A patch of a height field over a square, in `n` by `n` quads. */
export function patchPositions(
  x0: number,
  z0: number,
  size: number,
  n: number,
  height: (x: number, z: number) => number,
): number[] {
  const at = (i: number, j: number): number[] => {
    const x = x0 + (size * i) / n;
    const z = z0 + (size * j) / n;
    return [x, height(x, z), z];
  };
  const out: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
      out.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
  return out;
}

/** Boxes, soups, bumpy grids, T-junctions and fans, some with holes, cracks, missing and doubled triangles. */
export function awkwardPositions(random: () => number): number[] {
  const spread = (size: number): number => (random() - 0.5) * 2 * size;
  const kind = Math.floor(random() * 5);
  if (kind === 0) {
    const box = boxPositions().map((x) => 2 * x);
    if (random() < 0.3) box.splice(9 * Math.floor(random() * 12), 9);
    return box;
  }
  if (kind === 1) return Array.from({ length: 180 }, () => spread(1));
  if (kind === 2) {
    // Folds hide folds.
    const n = 2 + Math.floor(random() * 7);
    const bump = random() * 0.6;
    const heights = Array.from({ length: (n + 1) ** 2 }, () => spread(bump));
    const grid = patchPositions(
      -1,
      -1,
      2,
      n,
      (x, z) => heights[Math.round((x + 1) * 0.5 * n) * (n + 1) + Math.round((z + 1) * 0.5 * n)],
    );
    for (let i = 0; i < grid.length; i += 3) [grid[i + 1], grid[i + 2]] = [-grid[i + 2], grid[i + 1]];
    // Some triangles twice, and some of these three times.
    while (random() < 0.3) grid.push(...grid.slice(0, 9 * (1 + Math.floor(random() * 3))));
    return grid;
  }
  if (kind === 3) {
    // A large triangle meets two small ones, with a sliver of a gap or none.
    const gap = random() < 0.5 ? 0 : 10 ** (-1 - 5 * random());
    // biome-ignore format: a triangle a line
    return [
      -1, -1, 0, 1, -1, 0, 1, 1, 0,
      -1, -1, 0, gap, gap + 1e-9, 0, -1, 1, 0,
      0, gap, 0, 1, 1, 0, -1, 1, 0,
    ];
  }
  const fan: number[] = [];
  const n = 3 + Math.floor(random() * 9);
  for (let i = 0; i < n; i++) {
    if (random() < 0.05) continue;
    const a = (i / n) * 2 * Math.PI;
    const b = (((i + 1) % n) / n) * 2 * Math.PI;
    for (let k = random() < 0.1 ? 2 : 1; k > 0; k--)
      fan.push(0, 0, 0.4, Math.cos(a), Math.sin(a), 0, Math.cos(b), Math.sin(b), 0);
  }
  return fan;
}
