// The plan of the city: a square of lots, each with a house or a park, higher and denser towards the middle.
import { random } from '../town/random.mjs';

/** Metres from border to border. */
export const SIDE = 512;
/** Metres, the underside of the ground. */
export const FLOOR = -4;
/** Lots from border to border at the finest level, and blocks from border to border of any tile. */
const LOTS = 32;
const PER_TILE = 8;

/** Materials by their number in a tile. */
export const MATERIALS = ['#56616b', '#5f8f5a', '#d8cfc0', '#b9785a', '#8fa9bd', '#e3b778'];
const [GROUND, PARK, FIRST_WALL] = [0, 1, 2];

const lots = plan();

/** A list of boxes that show one tile: the ground, and a block for each group of lots that lies in one of its squares. */
export function blocksOf(level, column, row) {
  const side = SIDE / 2 ** level;
  const perBlock = LOTS / PER_TILE / 2 ** level;
  const west = column * side - SIDE / 2;
  const north = row * side - SIDE / 2;
  const ground = { x: west + side / 2, z: north + side / 2, y: FLOOR, width: side, height: -FLOOR, material: GROUND };
  const blocks = [ground];
  for (let i = 0; i < PER_TILE * PER_TILE; i++) {
    const [c, r] = [i % PER_TILE, Math.floor(i / PER_TILE)];
    const group = groupAt(column * PER_TILE + c, row * PER_TILE + r, perBlock);
    const step = side / PER_TILE;
    const [x, z] = [west + (c + 0.5) * step, north + (r + 0.5) * step];
    const built = group.filter(({ height }) => height > 0);
    if (2 * built.length <= group.length) blocks.push({ x, z, y: 0, width: 0.9 * step, height: 0.5, material: PARK });
    else {
      const height = Math.round(built.reduce((sum, lot) => sum + lot.height, 0) / built.length);
      blocks.push({ x, z, y: 0, width: 0.72 * step, height, material: built[0].material });
    }
  }
  return blocks;
}

function groupAt(column, row, perBlock) {
  const group = [];
  for (let i = 0; i < perBlock * perBlock; i++) {
    const [c, r] = [column * perBlock + (i % perBlock), row * perBlock + Math.floor(i / perBlock)];
    group.push(lots[r * LOTS + c]);
  }
  return group;
}

function plan() {
  const { next, chance } = random(7);
  return Array.from({ length: LOTS * LOTS }, (_, i) => {
    const [x, z] = [(i % LOTS) - LOTS / 2 + 0.5, Math.floor(i / LOTS) - LOTS / 2 + 0.5];
    const far = Math.hypot(x, z) / (LOTS / 2);
    // An avenue of green through the city, and parks that become more outwards.
    const isPark = Math.abs(z - 5 * Math.sin(x / 6)) < 1 || chance(0.05 + 0.3 * far);
    const height = 5 + Math.round(14 * next() + 75 * Math.max(0, 1 - 1.5 * far) ** 2 * (0.4 + next()));
    return { height: isPark ? 0 : height, material: FIRST_WALL + Math.floor(4 * next()) };
  });
}
