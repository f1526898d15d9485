import { MathUtils } from 'three';
import { anyOf } from './houses.js';
import type { Kit, Metres } from './Kit.js';
import { BLOCK, type BlockPlan, DEPTH, HALF, turned } from './plan.js';

const PAINTS = ['#a8322d', '#2f5d8a', '#d8d6cf', '#30363c', '#c9a23a', '#4d7a5a', '#8f979d', '#6a3f5f'];
const LEAVES = ['#6d9a3c', '#85a944', '#578a3f'];
const BARK = ['#6b5140', '#57453a'];
/** The pavement is so much wider than the houses, on each side, and so high. */
const PAVEMENT = 3.4;
const KERB = 0.14;
const YARD = BLOCK - 2 * DEPTH;

/** Puts up the ground of the whole town. */
export function putGround(kit: Kit): void {
  const size = 2 * HALF + 40;
  kit.box('Ground', kit.plain('#5d6267'), [0, -1, 0], [size, 1, size]);
}

/** The pavement around a block, its yard, and trees, lamps, cars and the like along its sides. */
export function putSurroundings(kit: Kit, { x, z, isSquare }: BlockPlan): void {
  const width = BLOCK + 2 * PAVEMENT;
  kit.box('Pavement', kit.plain('#a9a59b'), [x, 0, z], [width, KERB, width]);
  if (!isSquare) putYard(kit, x, z);
  for (let turn = 0; turn < 4; turn++) {
    const at = (along: number, out: number, up = KERB): Metres => {
      const [right, front] = turned(along, out, turn);
      return [x + right, up, z + front];
    };
    putSide(kit, at, (turn * Math.PI) / 2);
  }
}

type At = (along: number, out: number, up?: number) => Metres;

function putSide(kit: Kit, at: At, angle: number): void {
  const chance = MathUtils.seededRandom;
  const edge = BLOCK / 2 + PAVEMENT;
  for (const along of [-18, 0, 18]) {
    const [post, light] = kit.lamp;
    kit.put('Lamp', post, kit.plain('#2c3238'), at(along, edge - 0.4));
    kit.put('Light', light, kit.lampLight, at(along, edge - 0.4));
  }
  for (const along of [-12, -6, 6, 12]) {
    putTree(kit, at(along, edge - 1), 5 + 2.5 * chance());
  }
  for (let along = -21; along <= 21; along += 6) {
    if (chance() > 0.62) continue;
    const place = at(along + chance(), edge + 1.15, 0);
    const way = angle + (chance() < 0.5 ? Math.PI : 0);
    kit.put('Car', kit.car, kit.paint(anyOf(PAINTS)), place, [1, 1, 1], way);
  }
  for (const along of [-9, 9]) {
    if (chance() < 0.6) kit.put('Bench', kit.bench, kit.painted, at(along, edge - 1), [1, 1, 1], angle);
  }
}

/** A tree of so many metres. */
function putTree(kit: Kit, place: Metres, height: number): void {
  const angle = 6 * MathUtils.seededRandom();
  const girth = 0.8 * height;
  const [x, y, z] = place;
  kit.put('Trunk', kit.trunk, kit.plain(anyOf(BARK)), place, [height, 1.5 * height, height], angle);
  const leaves = kit.plain(anyOf(LEAVES));
  kit.put('Tree', anyOf(kit.crowns), leaves, [x, y + 0.2 * height, z], [girth, height, girth], angle);
}

/** Puts up what nobody sees from the street: grass, trees, crates. */
function putYard(kit: Kit, x: number, z: number): void {
  const chance = MathUtils.seededRandom;
  const somewhere = (): Metres => [x + (chance() - 0.5) * (YARD - 4), KERB, z + (chance() - 0.5) * (YARD - 4)];
  kit.box('Lawn', kit.plain('#6f8f56'), [x, KERB, z], [YARD - 1, 0.04, YARD - 1]);
  for (let i = 0; i < 6; i++) putTree(kit, somewhere(), 4 + 3 * chance());
  for (let i = 0; i < 20; i++) {
    const side = 0.5 + 0.7 * chance();
    kit.box('Crate', kit.plain('#b08d5b'), somewhere(), [side, side, side], 6 * chance());
  }
}

/** A green square with a tower in its midst. */
export function putSquare(kit: Kit, { x, z }: BlockPlan): void {
  const chance = MathUtils.seededRandom;
  kit.box('Lawn', kit.plain('#7c9c5f'), [x, KERB, z], [BLOCK, 0.04, BLOCK]);
  for (const angle of [0, Math.PI / 2]) {
    kit.box('Path', kit.plain('#c2b79f'), [x, KERB, z], [BLOCK, 0.07, 4], angle);
  }
  const stone = kit.plain('#cbbfa8');
  kit.box('Tower', stone, [x, KERB, z], [9, 32, 9]);
  for (const up of [8, 20, 31]) kit.box('Ledge', kit.plain('#e6dfd2'), [x, up, z], [9.8, 0.6, 9.8]);
  kit.put('Spire', kit.gable, kit.plain('#4f6f66'), [x, 31.6, z], [9, 12, 9]);
  for (let i = 0; i < 26; i++) {
    const [u, v] = [5 + 17 * chance(), 5 + 17 * chance()];
    const [right, front] = [chance() < 0.5 ? -u : u, chance() < 0.5 ? -v : v];
    putTree(kit, [x + right, KERB, z + front], 6 + 3 * chance());
  }
}
