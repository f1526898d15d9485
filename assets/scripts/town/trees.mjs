// Trees: oaks, pines, poplars and cherries; around the square, in woods on the hills and at the edges, by the
// water, and here and there in the gardens. Bushes fill up what is left.

import { bankDistance, districtAt, HALF, hillHeight, hills } from './plan.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { cone, drum, lump, merge } from './solids.mjs';
import { SQUARE_TOP } from './square.mjs';

const SHAPES = 3;
const KINDS = {
  Oak: { trunk: () => drum(0.26, 0.42, 3, 6), crown: oakCrown, colours: ['Leaf', 'Leaf', 'Pine', 'Leaf'], room: 3.2 },
  Pine: { trunk: () => drum(0.25, 0.34, 1.8, 6), crown: pineCrown, colours: ['Pine'], room: 2.6 },
  Poplar: { trunk: () => drum(0.2, 0.32, 2, 6), crown: poplarCrown, colours: ['Leaf'], room: 2.2 },
  Cherry: { trunk: () => drum(0.16, 0.26, 2, 6), crown: cherryCrown, colours: ['Blossom'], room: 2.6 },
};

/** `onSquare`: where the square wants a tree. `wanted`: how many trees, bushes in all. */
export function makeTrees(quarters, space, onSquare, wanted) {
  const rng = random(71);
  const counts = { trees: 0, bushes: 0 };
  const groves = new Map(
    [...quarters].map(([district, quarter]) => [district, group(quarter, `Trees of ${district.name}`)]),
  );
  const grow = (kind, x, z, y, size) => {
    const district = districtAt(x, z);
    const name = `${kind} ${++counts.trees}`;
    const at = { x: x - district.x, z: z - district.z, y, turn: rng.between(0, 6.28), scale: size };
    const tree = group(groves.get(district), name, at);
    const shape = Math.floor(rng.next() * SHAPES);
    mesh(tree, `${name} trunk`, shared(`${kind} trunk`, KINDS[kind].trunk), 'Wood');
    const crown = shared(`${kind} crown ${shape}`, () => KINDS[kind].crown(random(80 + shape)));
    mesh(tree, `${name} crown`, crown, rng.pick(KINDS[kind].colours));
  };
  for (const { x, z } of onSquare) grow('Oak', x, z, SQUARE_TOP, 0.85);
  for (let i = 0; i < 20000 && counts.trees < wanted.trees; i++) {
    const [x, z] = [rng.between(-HALF, HALF), rng.between(-HALF, HALF)];
    const kind = kindAt(x, z, rng);
    if (!kind) continue;
    const { room } = KINDS[kind];
    const footprint = { x, z, width: room, depth: room };
    if (!space.isFree(footprint, 0.2) || !space.isBuildable(footprint, { street: 0.9, bank: 1.6, edge: 2.6 })) continue;
    space.take(footprint);
    grow(kind, x, z, hillHeight(x, z) - 0.25, rng.between(0.75, 1.25));
  }
  for (let i = 0; i < 20000 && counts.bushes < wanted.bushes; i++) {
    const [x, z] = [rng.between(-HALF, HALF), rng.between(-HALF, HALF)];
    const footprint = { x, z, width: 1.6, depth: 1.6 };
    if (!space.isFree(footprint) || !space.isBuildable(footprint, { street: 0.6, bank: 1, edge: 1 })) continue;
    space.take(footprint);
    const district = districtAt(x, z);
    const bush = shared(`bush ${counts.bushes % 2}`, () =>
      lump(0.9, 1, random(90 + counts.bushes), 0.14, 0.75, 0, 0.35),
    );
    const at = {
      x: x - district.x,
      z: z - district.z,
      y: hillHeight(x, z) - 0.1,
      turn: rng.between(0, 6),
      scale: rng.between(0.7, 1.3),
    };
    mesh(groves.get(district), `Bush ${++counts.bushes}`, bush, rng.pick(['Leaf', 'Pine', 'Leaf', 'Blossom']), at);
  }
  return counts;
}

// Which tree would grow here, if any: woods on the hills and in the corners, poplars by the water.
function kindAt(x, z, rng) {
  const [mill, pine] = hills.map((hill) => Math.hypot(x - hill.x, z - hill.z) / hill.radius);
  if (pine < 1.25) return rng.chance(0.9) ? 'Pine' : null;
  if (mill < 0.8) return null;
  if (mill < 1.2) return rng.chance(0.5) ? rng.pick(['Pine', 'Pine', 'Oak']) : null;
  const bank = bankDistance(x, z);
  if (bank < 7) return rng.chance(0.35) ? rng.pick(['Poplar', 'Poplar', 'Oak', 'Cherry']) : null;
  const edge = Math.max(Math.abs(x), Math.abs(z));
  if (edge > HALF - 14) return rng.chance(0.6) ? rng.pick(['Oak', 'Pine', 'Oak']) : null;
  return rng.chance(0.3) ? rng.pick(['Oak', 'Oak', 'Cherry', 'Poplar', 'Oak']) : null;
}

function oakCrown(rng) {
  const angle = rng.between(0, 6.28);
  const side = [1.3 * Math.cos(angle), rng.between(3.5, 4.8), 1.3 * Math.sin(angle)];
  return merge(lump(2, 1, rng, 0.12, 0.85, 0, 4.1, 0), lump(1.45, 1, rng, 0.12, 0.85, ...side));
}

function pineCrown(rng) {
  const tier = (i) => cone(2 - 0.45 * i, 2.9 - 0.3 * i, 7, 0, 1.3 + 1.75 * i).rotateY(rng.between(0, 1));
  return merge([0, 1, 2].map(tier));
}

function poplarCrown(rng) {
  return lump(1.25, 1, rng, 0.1, 2.5, 0, 4.6, 0);
}

function cherryCrown(rng) {
  return lump(1.65, 1, rng, 0.17, 0.8, 0, 3, 0);
}
