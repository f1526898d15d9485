// The ground: grass in 8 x 8 uneven tiles, cut along the river and the bay, two hills, and the sides of the slab.

import { area, clip } from './flat.mjs';
import { alongBorder, BORDER, HALF, hillHeight, hills, land, water } from './plan.mjs';
import { random } from './random.mjs';
import { WATER } from './river.mjs';
import { group, mesh } from './scene.mjs';
import { faces, plate } from './solids.mjs';

const TILES = 8;
const GREENS = ['Grass', 'Grass light', 'Grass dark'];
const DEPTH = 7;

export function makeGround(town) {
  const ground = group(town, 'Ground');
  makeTiles(group(ground, 'Ground tiles'));
  for (const hill of hills) makeHill(group(ground, hill.name, { x: hill.x, z: hill.z }), hill);
  makeSides(group(ground, 'Ground sides'));
}

// Inner corners are pushed about, so that the tiles read as meadows and not as a chessboard; by whole metres, so
// that rounding in the file cannot open cracks between them.
function makeTiles(parent) {
  const rng = random(11);
  const size = (2 * HALF) / TILES;
  const push = (i) => (i > 0 && i < TILES ? Math.round(rng.between(-7, 7)) : 0);
  const corners = Array.from({ length: TILES + 1 }, (_, row) =>
    Array.from({ length: TILES + 1 }, (_, col) => [col * size - HALF + push(col), row * size - HALF + push(row)]),
  );
  for (let row = 0; row < TILES; row++) {
    for (let col = 0; col < TILES; col++) {
      const tile = [corners[row][col], corners[row][col + 1], corners[row + 1][col + 1], corners[row + 1][col]];
      const green = GREENS[(row + col * 2 + Math.floor(rng.next() * 2)) % GREENS.length];
      for (const side of ['west', 'east']) {
        const outline = clip(land[side], tile);
        if (!outline.length) continue;
        const [x, z] = tile[0];
        const local = outline.map((p) => [p[0] - x, p[1] - z]);
        mesh(parent, `Ground ${row + 1}-${col + 1} ${side}`, plate(local, 0), green, { x, z });
      }
    }
  }
}

// Rings of facets; the outermost ring is below the meadow, so the foot of the hill is wherever they cross.
function makeHill(parent, { name, x, z, radius }) {
  const rng = random(12 + radius);
  const [rings, spokes, parts] = [6, 18, 6];
  const points = Array.from({ length: rings + 1 }, (_, ring) =>
    Array.from({ length: spokes }, (_, spoke) => {
      const inner = ring > 0 && ring < rings ? 0.3 : 0;
      const angle = (2 * Math.PI * (spoke + rng.between(-inner, inner))) / spokes;
      const r = (radius * (ring + rng.between(-inner, inner))) / rings;
      const [px, pz] = [r * Math.cos(angle), r * Math.sin(angle)];
      return [px, ring < rings ? hillHeight(x + px, z + pz) : -0.3, pz];
    }),
  );
  const at = (ring, spoke) => points[ring][spoke % spokes];
  for (let part = 0; part < parts; part++) {
    const polygons = [];
    for (let spoke = (part * spokes) / parts; spoke < ((part + 1) * spokes) / parts; spoke++) {
      polygons.push([at(0, 0), at(1, spoke + 1), at(1, spoke)]);
      for (let ring = 1; ring < rings; ring++) {
        polygons.push([at(ring, spoke), at(ring, spoke + 1), at(ring + 1, spoke)]);
        polygons.push([at(ring, spoke + 1), at(ring + 1, spoke + 1), at(ring + 1, spoke)]);
      }
    }
    mesh(parent, `${name} slope ${part + 1}`, faces(polygons), part % 2 ? 'Grass' : 'Grass light');
  }
}

// The town is a slab: a band of turf over earth, and water over earth where the river and the bay are cut.
function makeSides(parent) {
  let count = 0;
  const band = (outline, bands) => {
    const ring = area(outline) < 0 ? outline : outline.toReversed();
    ring.forEach(([ax, az], i) => {
      const [bx, bz] = ring[(i + 1) % ring.length];
      if (!alongBorder([ax, az], [bx, bz])) return;
      count += 1;
      for (const [material, top, bottom] of bands) {
        const wall = [
          [ax, top, az],
          [ax, bottom, az],
          [bx, bottom, bz],
          [bx, top, bz],
        ];
        mesh(parent, `Side ${count} ${material.toLowerCase()}`, faces([wall]), material);
      }
    });
  };
  for (const outline of [land.west, land.east]) {
    band(clip(outline, BORDER), [
      ['Grass dark', 0, -0.8],
      ['Earth', -0.8, -DEPTH],
    ]);
  }
  band(clip(water, BORDER), [
    ['Water', WATER, -4.4],
    ['Earth', -4.4, -DEPTH],
  ]);
  mesh(parent, 'Slab underside', plate(BORDER, 0).rotateX(Math.PI), 'Earth', { y: -DEPTH });
}
