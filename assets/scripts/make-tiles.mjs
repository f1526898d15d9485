// Writes the 3D Tiles of the examples, a small city: node assets/scripts/make-tiles.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blocksOf, FLOOR, SIDE } from './tiles/city.mjs';
import { toGlb } from './tiles/glb.mjs';

/** Tiles of level 0 show the city whole, those of each further level a quarter of the tile above, twice as fine. */
const LEVELS = 3;
/** Metres by which a tile of a level may be wrong: tiles nearer than some 40 times that are refined. */
const ERRORS = [24, 8, 0];

const folder = fileURLToPath(new URL('../tiles/', import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

let bytes = 0;
const root = writeTile(0, 0, 0);
const tileset = { asset: { version: '1.1' }, geometricError: 100, root: { refine: 'REPLACE', ...root } };
write('tileset.json', JSON.stringify(tileset));
console.log(`${(bytes / 1000).toFixed(0)} kB in ${folder}`);

/** Writes the tile in a column and row of a level with all below it, and returns its entry in the tile set. */
function writeTile(level, column, row) {
  const side = SIDE / 2 ** level;
  const blocks = blocksOf(level, column, row);
  const uri = `${level}-${column}-${row}.glb`;
  write(uri, toGlb(blocks));
  const isFinest = level + 1 === LEVELS;
  const children = isFinest
    ? []
    : [0, 1, 2, 3].map((i) => writeTile(level + 1, 2 * column + (i & 1), 2 * row + (i >> 1)));
  // Finer blocks may be higher than the mean of some, and a box holds all that is below it.
  const tops = [
    ...blocks.map((block) => block.y + block.height),
    ...children.map(({ boundingVolume: { box } }) => box[2] + box[11]),
  ];
  const box = boxOf(Math.max(...tops), side, column, row);
  return {
    boundingVolume: { box },
    geometricError: ERRORS[level],
    content: { uri },
    ...(isFinest ? null : { children }),
  };
}

/** Centre and half axes, in metres, with z up as 3D Tiles have it. */
function boxOf(top, side, column, row) {
  const half = side / 2;
  const x = column * side + half - SIDE / 2;
  const south = row * side + half - SIDE / 2;
  return [x, -south, (top + FLOOR) / 2, half, 0, 0, 0, half, 0, 0, 0, (top - FLOOR) / 2];
}

function write(name, content) {
  writeFileSync(folder + name, content);
  bytes += content.length;
}
