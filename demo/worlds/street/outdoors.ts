import { type Group, MathUtils } from 'three';
import { anyOf } from './houses.js';
import type { Builder, Kit } from './Kit.js';
import { BLOCK, type BlockPlan, DEPTH, HALF, PITCH, turned } from './plan.js';

const PAINTS = ['#a8322d', '#2f5d8a', '#d8d6cf', '#30363c', '#c9a23a', '#4d7a5a', '#8f979d', '#6a3f5f'];
/** The pavement is so much wider than the houses, on each side, and so high. */
export const PAVEMENT = 3.4;
export const KERB = 0.14;
const YARD = BLOCK - 2 * DEPTH;

/** The ground of the whole town, and the lines in the middle of its streets. */
export function putGround(group: Group, kit: Kit, builder: Builder, blocks: number): void {
  const size = 2 * HALF + 40;
  builder.put(group, 'Ground', kit.block, kit.plain('#5d6267'), [0, -1, 0], [size, 1, size]);
  for (let street = 0; street <= blocks; street++) {
    const across = street * PITCH - HALF;
    for (let place = 0; place < blocks; place++) {
      const along = (place + 0.5) * PITCH - HALF;
      const line = kit.plain('#b9bcb8');
      builder.put(group, 'Line', kit.block, line, [across, 0, along], [0.16, 0.012, 40]);
      builder.put(group, 'Line', kit.block, line, [along, 0, across], [40, 0.012, 0.16]);
    }
  }
}

/** The pavement around a block, its yard, and trees, lamps, cars and the like along its sides. */
export function putSurroundings(group: Group, kit: Kit, builder: Builder, { x, z, kind }: BlockPlan): void {
  const width = BLOCK + 2 * PAVEMENT;
  builder.put(group, 'Pavement', kit.block, kit.plain('#a9a59b'), [x, 0, z], [width, KERB, width]);
  if (kind === 'houses') putYard(group, kit, builder, x, z);
  for (let turn = 0; turn < 4; turn++) {
    const at = (along: number, out: number, up = KERB): [number, number, number] => {
      const [right, front] = turned(along, out, turn);
      return [x + right, up, z + front];
    };
    putSide(group, kit, builder, at, (turn * Math.PI) / 2);
  }
}

type At = (along: number, out: number, up?: number) => [number, number, number];

function putSide(group: Group, kit: Kit, builder: Builder, at: At, angle: number): void {
  const chance = MathUtils.seededRandom;
  const edge = BLOCK / 2 + PAVEMENT;
  for (const along of [-18, 0, 18]) putLamp(group, kit, builder, at(along, edge - 0.4));
  for (const along of [-12, -6, 6, 12]) {
    if (chance() < 0.75) putTree(group, kit, builder, at(along, edge - 1), 5 + 2.5 * chance());
  }
  for (let along = -21; along <= 21; along += 6) {
    if (chance() > 0.62) continue;
    const place = at(along + chance(), edge + 1.15, 0);
    const way = angle + (chance() < 0.5 ? Math.PI : 0);
    builder.put(group, 'Car', kit.car, kit.paint(anyOf(PAINTS)), place, [1, 1, 1], way);
  }
  for (const along of [-9, 9]) {
    if (chance() < 0.6) builder.put(group, 'Bench', kit.bench, kit.painted, at(along, edge - 1), [1, 1, 1], angle);
  }
  for (const along of [-21, -15, -3, 3, 15, 21]) {
    if (chance() < 0.35) builder.put(group, 'Planter', kit.planter, kit.painted, at(along, BLOCK / 2 + 0.7));
  }
}

function putLamp(group: Group, kit: Kit, builder: Builder, place: [number, number, number]): void {
  builder.put(group, 'Lamp', kit.lamp[0], kit.plain('#2c3238'), place);
  builder.put(group, 'Light', kit.lamp[1], kit.lampLight, place);
}

/** A tree of so many metres. */
export function putTree(
  group: Group,
  { trees }: Kit,
  builder: Builder,
  place: [number, number, number],
  height: number,
): void {
  const angle = 6 * MathUtils.seededRandom();
  const girth = 0.8 * height;
  const [x, y, z] = place;
  builder.put(group, 'Trunk', trees.trunk, anyOf(trees.bark), place, [height, 1.5 * height, height], angle);
  const crown = anyOf(trees.crowns);
  builder.put(
    group,
    'Tree',
    crown,
    anyOf(trees.leaves.slice(0, 3)),
    [x, y + 0.2 * height, z],
    [girth, height, girth],
    angle,
  );
}

/** What nobody sees from the street: grass, trees, sheds, crates. */
function putYard(group: Group, kit: Kit, builder: Builder, x: number, z: number): void {
  const chance = MathUtils.seededRandom;
  const within = (margin: number): [number, number] => [
    x + (chance() - 0.5) * (YARD - margin),
    z + (chance() - 0.5) * (YARD - margin),
  ];
  builder.put(group, 'Lawn', kit.block, kit.plain('#6f8f56'), [x, KERB, z], [YARD - 1, 0.04, YARD - 1]);
  for (let i = 0; i < 5; i++) {
    const [u, v] = within(5);
    putTree(group, kit, builder, [u, KERB, v], 4 + 3 * chance());
  }
  for (let i = 0; i < 2; i++) {
    const [u, v] = within(6);
    const size: [number, number, number] = [3 + chance(), 2.4, 2.5 + chance()];
    builder.put(group, 'Shed', kit.block, kit.plain('#8d7a63'), [u, KERB, v], size, 6 * chance());
  }
  for (let i = 0; i < 16; i++) {
    const [u, v] = within(3);
    const side = 0.5 + 0.7 * chance();
    builder.put(group, 'Crate', kit.block, kit.plain('#b08d5b'), [u, KERB, v], [side, side, side], 6 * chance());
  }
  for (let i = 0; i < 4; i++) {
    const [u, v] = within(3);
    builder.put(group, 'Bench', kit.bench, kit.painted, [u, KERB, v], [1, 1, 1], 6 * chance());
  }
}

/** A green square with a tower in its midst. */
export function putSquare(group: Group, kit: Kit, builder: Builder, { x, z }: BlockPlan): void {
  const chance = MathUtils.seededRandom;
  builder.put(group, 'Lawn', kit.block, kit.plain('#7c9c5f'), [x, KERB, z], [BLOCK, 0.04, BLOCK]);
  for (const angle of [0, Math.PI / 2]) {
    builder.put(group, 'Path', kit.block, kit.plain('#c2b79f'), [x, KERB, z], [BLOCK, 0.07, 4], angle);
  }
  const stone = kit.plain('#cbbfa8');
  builder.put(group, 'Tower', kit.block, stone, [x, KERB, z], [9, 32, 9]);
  for (const up of [8, 20, 31])
    builder.put(group, 'Ledge', kit.block, kit.plain('#e6dfd2'), [x, up, z], [9.8, 0.6, 9.8]);
  builder.put(group, 'Belfry', kit.block, stone, [x, 31.6, z], [7, 7, 7]);
  for (const angle of [0, Math.PI / 2]) {
    builder.put(group, 'Opening', kit.block, kit.plain('#3d4348'), [x, 33, z], [2.2, 4, 7.1], angle);
    builder.put(group, 'Spire', kit.gable, kit.plain('#4f6f66'), [x, 38.4, z], [7.6, 9, 7.6], angle);
  }
  for (let i = 0; i < 26; i++) {
    const [u, v] = [5 + 17 * chance(), 5 + 17 * chance()];
    const [right, front] = [chance() < 0.5 ? -u : u, chance() < 0.5 ? -v : v];
    putTree(group, kit, builder, [x + right, KERB, z + front], 6 + 3 * chance());
  }
  for (let i = 0; i < 12; i++) {
    const out = 8 + 14 * chance();
    const [right, front] = turned(out, i % 2 ? 2.6 : -2.6, i);
    const angle = ((i + (i % 2 ? 2 : 0)) * Math.PI) / 2;
    builder.put(group, 'Bench', kit.bench, kit.painted, [x + right, KERB, z + front], [1, 1, 1], angle);
  }
}
