// Writes the 3D Tiles of the examples, a small city: node assets/scripts/make-tiles.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blocksOf, SIDE } from './tiles/city.mjs';
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
  const entry = {
    boundingVolume: { box: boxOf(blocks, side, column, row) },
    geometricError: ERRORS[level],
    content: { uri },
  };
  if (level + 1 === LEVELS) return entry;
  const quarters = [0, 1, 2, 3].map((i) => writeTile(level + 1, 2 * column + (i & 1), 2 * row + (i >> 1)));
  return { ...entry, children: quarters };
}

/** Centre and half axes, in metres, with z up as 3D Tiles have it. */
function boxOf(blocks, side, column, row) {
  const half = side / 2;
  const height = 10 + Math.max(...blocks.map((block) => block.y + block.height));
  const x = column * side + half - SIDE / 2;
  const south = row * side + half - SIDE / 2;
  return [x, -south, height / 2 - 5, half, 0, 0, 0, half, 0, 0, 0, height / 2];
}

function write(name, content) {
  writeFileSync(folder + name, content);
  bytes += content.length;
}
