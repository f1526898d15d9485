import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIndex, enableSimd, IdList } from '../../src/standalone.js';
import { random } from '../helpers/random.js';

const COUNT = 300;
const { MAX_VALUE: MAX, POSITIVE_INFINITY: INF, NaN: NOT } = Number;
const NUMBERS = [0, 1, -1, 0.3, 1e300, -1e300, MAX, -MAX, INF, -INF, NOT, 1e-300];

const next = random(31);
const pick = (): number => NUMBERS[Math.floor(next() * NUMBERS.length)];

const boxes = new Float64Array(6 * COUNT);
for (let o = 0; o < boxes.length; o += 6) {
  for (let c = 0; c < 3; c++) {
    boxes[o + c] = Math.floor(next() * 200 - 60) / 2;
    boxes[o + c + 3] = boxes[o + c] + next();
  }
}

/** The corner farthest along the normal, or nearest, is not behind the plane; as three computes it. */
function isBefore([x, y, z, w]: number[], o: number, isNearest: boolean): boolean {
  const at = (c: number, normal: number): number => boxes[o + c + (normal > 0 !== isNearest ? 3 : 0)];
  const distance = x * at(0, x) + y * at(1, y) + z * at(2, z) + w;
  if ([x, y, z, w].some(Number.isNaN)) return true;
  return isNearest ? distance >= 0 : !(distance < 0);
}

describe.each([true, false])('with SIMD: %s', (isSimd) => {
  beforeAll(() => enableSimd(isSimd));
  afterAll(() => enableSimd(true));

  it('planes with infinite and enormous normals have the same boxes on their inner sides as in a plain loop', () => {
    const index = createIndex('packed');
    index.addAll(boxes);
    const [found, crossing, inside] = [new IdList(), new IdList(), new IdList()];
    for (let n = 0; n < 150; n++) {
      const planes = Array.from({ length: 1 + (n % 3) }, () => [pick(), pick(), pick(), n % 2 ? pick() : 0]);
      const truth = [...Array(COUNT).keys()].filter((id) => planes.every((plane) => isBefore(plane, 6 * id, false)));
      index.queryPlanes(planes.flat(), found);
      expect(
        found.toArray().sort((a, b) => a - b),
        planes.join(' | '),
      ).toEqual(truth);
      index.classify(planes.flat(), inside, crossing);
      const isInside = (id: number): boolean => planes.every((plane) => isBefore(plane, 6 * id, true));
      expect(inside.toArray().every(isInside)).toBe(true);
      expect([...crossing.toArray(), ...inside.toArray()].sort((a, b) => a - b)).toEqual(truth);
    }
  });
});
