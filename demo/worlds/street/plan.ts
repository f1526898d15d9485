import { MathUtils } from 'three';

/** From the middle of a street to that of the next, and the side of a block of houses; in metres. */
const PITCH = 64;
export const BLOCK = 48;
/** Blocks along each side of the town. */
const BLOCKS = 9;
/** Half a side of the town. */
export const HALF = (BLOCKS * PITCH) / 2;
/** How deep houses are. */
export const DEPTH = 11;
/** Height of a floor and of shops, and the width of a window with the wall around it. */
export const FLOOR = 3.3;
export const SHOP = 4.2;
export const BAY = 3.1;

/** Column and row of the square. */
const SQUARE = 4;

/** A house: its middle on the ground, its size, and which way its front looks, in quarter turns from +z. */
export interface HousePlan {
  readonly x: number;
  readonly z: number;
  readonly width: number;
  readonly floors: number;
  readonly turn: number;
}

export interface BlockPlan {
  readonly column: number;
  readonly row: number;
  /** Its middle. */
  readonly x: number;
  readonly z: number;
  /** The square has trees where other blocks have houses. */
  readonly isSquare: boolean;
  readonly houses: readonly HousePlan[];
}

/** The middle of the street before a column or row of blocks. */
export function streetBefore(place: number): number {
  return place * PITCH - HALF;
}

/** All blocks, the same each time for one seed. Houses stand wall to wall around a yard. */
export function planBlocks(seed: number): BlockPlan[] {
  MathUtils.seededRandom(seed);
  return Array.from({ length: BLOCKS * BLOCKS }, (_, i) => {
    const [column, row] = [i % BLOCKS, Math.floor(i / BLOCKS)];
    const isSquare = column === SQUARE && row === SQUARE;
    const [x, z] = [streetBefore(column) + PITCH / 2, streetBefore(row) + PITCH / 2];
    const houses = isSquare ? [] : [0, 1, 2, 3].flatMap((turn) => planSide(x, z, turn));
    return { column, row, x, z, isSquare, houses };
  });
}

/** The houses of one side of a block. Those along z fill what the others leave. */
function planSide(x: number, z: number, turn: number): HousePlan[] {
  const chance = MathUtils.seededRandom;
  const length = turn % 2 === 0 ? BLOCK : BLOCK - 2 * DEPTH;
  const count = turn % 2 === 0 ? 4 : 2;
  const shares = Array.from({ length: count }, () => 0.75 + 0.5 * chance());
  const all = shares.reduce((sum, share) => sum + share, 0);
  const out = (BLOCK - DEPTH) / 2;
  let from = -length / 2;
  return shares.map((share) => {
    const width = (length * share) / all;
    const along = from + width / 2;
    from += width;
    const [right, front] = turned(along, out, turn);
    const floors = 3 + Math.floor(3 * chance()) + (chance() < 0.08 ? 3 : 0);
    return { x: x + right, z: z + front, width, floors, turn };
  });
}

/** Turns a place about the origin by quarter turns, as three's rotation about y does. */
export function turned(x: number, z: number, turns: number): [x: number, z: number] {
  const [c, s] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][turns & 3] as [number, number];
  return [c * x + s * z, c * z - s * x];
}
