import { MathUtils } from 'three';
import { anyOf } from './houses.js';
import type { Kit, Metres } from './Kit.js';
import { KERB } from './outdoors.js';
import { BLOCK, type BlockPlan } from './plan.js';

/** Rooms along each side, and the length of one in metres. */
export const ROOMS = 8;
export const ROOM = BLOCK / ROOMS;
const HEIGHT = 4;
const FACADE = 9;
const DOOR = 1.7;
const LINTEL = 2.5;
const THICK = 0.22;

/** The rooms of a walk through the museum, column and row, as a closed round: between them lie doors. */
export const WALK: readonly (readonly [column: number, row: number])[] = [
  [3, 7],
  [3, 5],
  [1, 5],
  [1, 2],
  [4, 2],
  [4, 0],
  [6, 0],
  [6, 3],
  [5, 3],
  [5, 5],
  [6, 5],
  [6, 7],
];

const WALLS = ['#e9e3d6', '#d6dcd6', '#dfd3cb', '#cfd6dd', '#e3dcc4'];
const CANVASES = ['#c4563d', '#2f5f7d', '#d9a441', '#4f7f63', '#7a4d78', '#c9c2b2', '#30363c', '#d98f7a'];
const BRONZE = ['#8a6a45', '#6f7f78', '#e6e0d3', '#3f4448', '#b08d4a'];

/** Middle of a room. */
export function middleOfRoom(block: { x: number; z: number }, column: number, row: number): [x: number, z: number] {
  return [block.x - BLOCK / 2 + (column + 0.5) * ROOM, block.z - BLOCK / 2 + (row + 0.5) * ROOM];
}

/** A floor of rooms behind a front with columns. */
export function putMuseum(kit: Kit, block: BlockPlan): void {
  const { x, z } = block;
  kit.box('Floor', kit.indoors('#a97f55'), [x, KERB, z], [BLOCK, 0.06, BLOCK]);
  putFront(kit, block);
  const doors = doorsOf(WALK);
  for (let line = 1; line < ROOMS; line++) {
    for (let place = 0; place < ROOMS; place++) {
      for (const alongX of [true, false]) {
        const [column, row] = alongX ? [place, line] : [line, place];
        const hasDoor = doors.has(nameOf(column, row, alongX)) || MathUtils.seededRandom() < 0.5;
        putWall(kit, block, column, row, alongX, hasDoor);
      }
    }
  }
  for (let i = 0; i < ROOMS * ROOMS; i++) furnish(kit, middleOfRoom(block, i % ROOMS, Math.floor(i / ROOMS)));
  const white = kit.indoors('#f2efe8');
  kit.box('Ceiling', white, [x, KERB + HEIGHT, z], [BLOCK - 0.1, 0.3, BLOCK - 0.1]);
  kit.box('Flat roof', kit.plain('#8b8f92'), [x, FACADE - 0.6, z], [BLOCK, 0.3, BLOCK]);
}

/** The outer walls, with an entrance in the middle of the front, which looks along z. */
function putFront(kit: Kit, { x, z }: BlockPlan): void {
  const stone = kit.plain('#d8cdb6');
  const half = BLOCK / 2;
  const entrance = x - half + 3.5 * ROOM;
  for (const side of [-1, 1]) {
    kit.box('Wall', stone, [x + side * half, KERB, z], [0.4, FACADE, BLOCK + 0.4]);
  }
  kit.box('Wall', stone, [x, KERB, z - half], [BLOCK, FACADE, 0.4]);
  const pieces: [from: number, to: number, up: number][] = [
    [x - half, entrance - 1.2, 0],
    [entrance + 1.2, x + half, 0],
    [entrance - 1.2, entrance + 1.2, 3],
  ];
  for (const [from, to, up] of pieces) {
    const size: Metres = [to - from, FACADE - up, 0.4];
    kit.box('Wall', stone, [(from + to) / 2, KERB + up, z + half], size);
  }
  const pale = kit.plain('#e8e0cd');
  for (const up of [FACADE - 1.2, FACADE]) {
    kit.box('Cornice', pale, [x, KERB + up, z], [BLOCK + 1.6, 0.4, BLOCK + 1.6]);
  }
  for (let i = 0; i < 8; i++) {
    const place = entrance + (i - 3.5) * 2.9;
    kit.put('Column', kit.column, pale, [place, KERB, z + half + 1.6], [1, 7.8, 1]);
  }
  kit.box('Beam', pale, [entrance, KERB + 7.8, z + half + 1.5], [23, 0.9, 2.6]);
  kit.put('Pediment', kit.gable, pale, [entrance, KERB + 8.7, z + half + 1.5], [2.6, 3, 23], Math.PI / 2);
}

/** A wall on the near side of a room, in one piece or around a door; and pictures on both of its faces. */
function putWall(kit: Kit, { x, z }: BlockPlan, column: number, row: number, alongX: boolean, hasDoor: boolean): void {
  const chance = MathUtils.seededRandom;
  const [left, near] = [x - BLOCK / 2 + column * ROOM, z - BLOCK / 2 + row * ROOM];
  const material = kit.indoors(anyOf(WALLS));
  /** A piece of wall, by metres along it. */
  const put = (from: number, to: number, up: number): void => {
    const middle = (from + to) / 2;
    const place: Metres = alongX ? [left + middle, KERB + up, near] : [left, KERB + up, near + middle];
    const length = to - from;
    kit.box('Wall', material, place, alongX ? [length, HEIGHT - up, THICK] : [THICK, HEIGHT - up, length]);
  };
  if (hasDoor) {
    put(0, (ROOM - DOOR) / 2, 0);
    put((ROOM + DOOR) / 2, ROOM, 0);
    put((ROOM - DOOR) / 2, (ROOM + DOOR) / 2, LINTEL);
  } else put(0, ROOM, 0);
  for (const along of hasDoor ? [1.15, ROOM - 1.15] : [ROOM / 2 - 1.2, ROOM / 2 + 1.2]) {
    for (const side of [-1, 1]) {
      if (chance() > 0.62) continue;
      const out = side * (THICK / 2 + 0.02);
      const [u, v] = alongX ? [left + along, near + out] : [left + out, near + along];
      hang(kit, [u, KERB + 1.65, v], side, alongX);
    }
  }
}

/** A picture in a frame: a canvas with two patches of colour. */
function hang(kit: Kit, [x, y, z]: Metres, side: number, alongX: boolean): void {
  const chance = MathUtils.seededRandom;
  const [width, height] = [0.7 + 0.7 * chance(), 0.7 + 0.6 * chance()];
  const put = (kind: string, color: string, w: number, h: number, right: number, up: number, thick: number): void => {
    const out = (side * thick) / 2;
    const place: Metres = alongX ? [x + right, y + up - h / 2, z + out] : [x + out, y + up - h / 2, z + right];
    kit.box(kind, kit.indoors(color), place, alongX ? [w, h, thick] : [thick, h, w]);
  };
  put('Frame', chance() < 0.5 ? '#3b322a' : '#a8874c', width + 0.14, height + 0.14, 0, 0, 0.05);
  put('Canvas', anyOf(CANVASES), width, height, 0, 0, 0.06);
  put('Patch', anyOf(CANVASES), width, height * (0.2 + 0.3 * chance()), 0, -height * 0.25 * chance(), 0.066);
  put('Patch', anyOf(CANVASES), width * 0.3, height * 0.4, (chance() - 0.5) * 0.6 * width, height * 0.15, 0.072);
}

/** What stands in a room, out of the way from door to door; and its light. */
function furnish(kit: Kit, [x, z]: [number, number]): void {
  const chance = MathUtils.seededRandom;
  kit.box('Ceiling light', kit.glow, [x, KERB + HEIGHT - 0.06, z], [2.2, 0.05, 2.2]);
  for (const [right, front] of [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const) {
    const kind = chance();
    const place = (out: number, up = 0.06): Metres => [x + right * out, KERB + up, z + front * out];
    if (kind < 0.4) {
      kit.box('Plinth', kit.indoors('#efece4'), place(1.7), [0.62, 1, 0.62]);
      kit.put('Statue', anyOf(kit.statues), kit.indoors(anyOf(BRONZE)), place(1.7, 1.06), [1, 1, 1], 6 * chance());
    } else if (kind < 0.6)
      kit.put('Bench', kit.bench, kit.painted, place(1.8), [1, 1, 1], chance() < 0.5 ? 0 : Math.PI / 2);
    else if (kind < 0.8) kit.put('Planter', kit.planter, kit.painted, place(2.3));
  }
}

/** Names of the walls that a walk passes, by the room on their far side and their way. */
function doorsOf(walk: typeof WALK): Set<string> {
  const doors = new Set<string>();
  walk.forEach(([column, row], i) => {
    const [to, toRow] = walk[(i + 1) % walk.length]!;
    for (let c = Math.min(column, to) + 1; c <= Math.max(column, to); c++) doors.add(nameOf(c, row, false));
    for (let r = Math.min(row, toRow) + 1; r <= Math.max(row, toRow); r++) doors.add(nameOf(column, r, true));
  });
  return doors;
}

function nameOf(column: number, row: number, alongX: boolean): string {
  return `${column},${row},${alongX}`;
}
