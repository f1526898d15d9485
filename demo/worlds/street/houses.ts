import { MathUtils } from 'three';
import type { Kit, Metres } from './Kit.js';
import { BAY, DEPTH, FLOOR, type HousePlan, SHOP, turned } from './plan.js';
import { wallWithWindows } from './shapes.js';

const WALLS = ['#d9a27c', '#e3cfa4', '#c98a72', '#b9c2ae', '#d8d2c4', '#a9b6bf', '#e0b98c', '#c6a3a0'];
const BASES = ['#6f6a63', '#7b6a58', '#5f6b70', '#75635c', '#596458'];
const ROOFS = ['#7d4a3c', '#8a5544', '#5c5f66', '#6d5148'];
const AWNINGS = ['#b8473f', '#2f6f62', '#d9a441', '#3f5f8f', '#8c4a6b'];
const SIGNS = ['#2f3b44', '#7a2f2f', '#2f5a4a', '#403a5c'];

/** Puts up a house: shops, flats above them, a cornice and a roof, and what hangs on its front. */
export function putHouse(kit: Kit, plan: HousePlan): void {
  const chance = MathUtils.seededRandom;
  const { x, z, width, floors, turn } = plan;
  const angle = (turn * Math.PI) / 2;
  const height = SHOP + floors * FLOOR;
  const trim = kit.plain('#e6dfd2');
  /** A place by metres along the front, up, and out from the middle of the house. */
  const at = (along: number, up: number, out: number): Metres => {
    const [right, front] = turned(along, out, turn);
    return [x + right, up, z + front];
  };
  const start = [Math.floor(4 * chance()), Math.floor(4 * chance())] as const;
  const shop = kit.keep(wallWithWindows([width, SHOP, DEPTH + 0.24], 1, 4, start));
  kit.put('Shop', shop, kit.shops(anyOf(BASES)), at(0, 0, 0), [1, 1, 1], angle);
  const walls = kit.keep(wallWithWindows([width, floors * FLOOR, DEPTH], floors, BAY, start));
  kit.put('House', walls, kit.flats(anyOf(WALLS)), at(0, SHOP, 0), [1, 1, 1], angle);
  kit.box('Ledge', trim, at(0, SHOP - 0.2, 0), [width, 0.28, DEPTH + 0.6], angle);
  kit.box('Cornice', trim, at(0, height - 0.1, 0), [width, 0.45, DEPTH + 0.8], angle);
  const roof = kit.plain(anyOf(ROOFS));
  const rise = 2.2 + 1.6 * chance();
  kit.put('Roof', kit.gable, roof, at(0, height + 0.35, 0), [width, rise, DEPTH + 0.8], angle);
  const chimneys = 1 + Math.floor(2 * chance());
  for (let i = 0; i < chimneys; i++) {
    const along = (chance() - 0.5) * (width - 2);
    const side = (chance() < 0.5 ? -1 : 1) * 2.2;
    const chimney = at(along, height + 0.6, side);
    kit.box('Chimney', kit.plain('#8f6f60'), chimney, [0.8, rise + 0.5, 0.7], angle);
  }
  putFront(kit, plan, at);
}

/** Awnings, signs and balconies. */
function putFront(
  kit: Kit,
  { width, floors, turn }: HousePlan,
  at: (along: number, up: number, out: number) => Metres,
): void {
  const chance = MathUtils.seededRandom;
  const angle = (turn * Math.PI) / 2;
  const front = DEPTH / 2;
  if (chance() < 0.55) {
    const material = kit.plain(anyOf(AWNINGS));
    const awning = kit.box('Awning', material, at(0, 2.75, front + 0.75), [0.7 * width, 0.08, 1.5]);
    awning.rotation.set(0.35, angle, 0, 'YXZ');
  }
  if (chance() < 0.7) {
    const sign = at((chance() - 0.5) * 0.2 * width, 3.25, front + 0.16);
    kit.box('Sign', kit.plain(anyOf(SIGNS)), sign, [0.45 * width, 0.6, 0.12], angle);
  }
  const balconies = chance() < 0.5 ? 1 + Math.floor(2 * chance()) : 0;
  for (let i = 0; i < balconies; i++) {
    const along = (chance() - 0.5) * (width - 4);
    const floor = SHOP + FLOOR * (1 + Math.floor((floors - 1) * chance()));
    kit.box('Balcony', kit.plain('#d8d0c0'), at(along, floor - 0.12, front + 0.5), [2.6, 0.14, 1], angle);
    kit.box('Railing', kit.plain('#3b4046'), at(along, floor, front + 0.96), [2.6, 0.95, 0.05], angle);
  }
}

export function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(MathUtils.seededRandom() * list.length)]!;
}
