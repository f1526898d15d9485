import { expect, it } from 'vitest';
import { HilbertCurve } from '../../src/packed/HilbertCurve.js';

/** A curve over a cube of 512, or a square of 16384, cells of edge 1; each has two or one of its keys. */
function unitCurve(planar: boolean): HilbertCurve {
  const curve = new HilbertCurve(planar);
  const edge = planar ? 16384 : 512;
  curve.fill(Float64Array.of(0, 0, 0, edge, edge, edge));
  return curve;
}

const at = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(x + 0.5, y + 0.5, z + 0.5, x + 0.5, y + 0.5, z + 0.5);

it.each([
  // A cube of a power of two is one piece of the curve, in which each cell has two keys.
  { label: 'cube', planar: false, edge: 16, most: 2 * 16 ** 3 - 1 },
  { label: 'square on the ground, whatever the height,', planar: true, edge: 64, most: 64 ** 2 - 1 },
])('gives each cell of a $label a key of its own, and neighbours on it are neighbours in space', (of) => {
  const curve = unitCurve(of.planar);
  const cells = new Map<number, number[]>();
  for (let x = 0; x < of.edge; x++) {
    for (let z = 0; z < of.edge; z++) {
      for (let y = 0; y < (of.planar ? 1 : of.edge); y++) {
        cells.set(curve.keyOf(at(x, of.planar ? 7 * x : y, z), 0), [x, y, z]);
      }
    }
  }
  expect(cells.size).toBe(of.edge ** (of.planar ? 2 : 3));
  const keys = [...cells.keys()].sort((a, b) => a - b);
  expect(keys[keys.length - 1] - keys[0]).toBeLessThanOrEqual(of.most);
  for (let i = 1; i < keys.length; i++) {
    const [a, b] = [cells.get(keys[i - 1]), cells.get(keys[i])] as number[][];
    expect(a.reduce((sum, v, c) => sum + Math.abs(v - b[c]), 0)).toBe(1);
  }
});

it('keys are below 2^30, and those of places beyond the ends are those of the border', () => {
  for (const planar of [false, true]) {
    const curve = unitCurve(planar);
    const edge = planar ? 16384 : 512;
    for (const x of [-1e300, -1, 0, edge / 2, edge - 1, edge, 1e300]) {
      const inside = Math.min(Math.max(x, 0), edge - 1);
      const key = curve.keyOf(at(x, 1, 2), 0);
      expect(key).toBe(curve.keyOf(at(inside, 1, 2), 0));
      expect(key >= 0 && key < 2 ** 30 && Number.isInteger(key)).toBe(true);
      expect(curve.misses(at(x, 1, 2), 0)).toBe(x < 0 || x >= edge);
    }
  }
});

it('a world without extent has one key', () => {
  const curve = new HilbertCurve(false);
  curve.fill(Float64Array.of(5, 5, 5, 5, 5, 5));
  expect(curve.keyOf(at(5, 5, 5), 0)).toBe(curve.keyOf(at(900, -5, 1e12), 0));
});

it('boxes come by size first, in four classes', () => {
  const curve = unitCurve(false);
  const sizeOf = (edge: number): number => curve.keyOf(Float64Array.of(9, 9, 9, 9 + edge, 9, 9), 0) >> 28;
  expect([0, 7, 9, 31, 33, 127, 129, 1e9].map(sizeOf)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
});
