import { expect, it } from 'vitest';
import { random } from '../../../../test/helpers/random.js';
import { RegionMap, type RegionMapOptions } from '../../src/protocol/regions/index.js';

const map = new RegionMap({ bounds: [-30, 0, 30, 20], columns: 3, rows: 2 });

it('each point lies in the area of its region, and in no other; on a border in the one behind it', () => {
  const next = random(1);
  const places = [-1e300, -31, -30, -10, -10.001, 0, 9.999, 10, 10.001, 20, 30, 1e300, Number.POSITIVE_INFINITY];
  const place = (): number => (next() < 0.5 ? places[Math.floor(next() * places.length)] : next() * 80 - 40);
  for (let i = 0; i < 2000; i++) {
    const [x, z] = [place(), place()];
    const holds = Array.from({ length: 6 }, (_, region) => map.boundsOf(region)).map(
      (b) => b[0] <= x && (x < b[3] || b[3] === Infinity) && b[2] <= z && (z < b[5] || b[5] === Infinity),
    );
    expect(holds.filter(Boolean).length).toBe(1);
    expect(map.regionAt(x, z)).toBe(holds.indexOf(true));
  }
  expect([map.regionAt(-10, 9), map.regionAt(-10.1, 9), map.regionAt(-10, 10)]).toEqual([1, 0, 4]);
  expect([...map.boundsOf(4)]).toEqual([-10, -Infinity, 10, 10, Infinity, Infinity]);
});

it('neighbours are those whose area a margin reaches, corners included', () => {
  expect(map.neighboursOf(0, 0)).toEqual([1, 3, 4]);
  expect(map.neighboursOf(1, 1)).toEqual([0, 2, 3, 4, 5]);
  expect(map.neighboursOf(0, 19.9)).toEqual([1, 3, 4]);
  expect(map.neighboursOf(0, 20)).toEqual([1, 2, 3, 4, 5]);
  expect(new RegionMap({ bounds: [0, 0, 1, 1], columns: 1, rows: 1 }).neighboursOf(0, 5)).toEqual([]);
});

it("neighbours are each other's, also where the margin just reaches a border", () => {
  for (const columns of [7, 9, 10]) {
    const row = new RegionMap({ bounds: [0.1, 0, 1.1, 1], columns, rows: 1 });
    const areas = Array.from({ length: columns }, (_, region) => row.boundsOf(region));
    const gaps = areas.flatMap((area) => areas.map((other) => other[0] - area[3]));
    for (const margin of gaps.filter((gap) => gap >= 0)) {
      const near = areas.map((_, region) => row.neighboursOf(region, margin));
      const oneSided = near.flatMap((others, region) => others.filter((other) => !near[other].includes(region)));
      expect(oneSided, `${columns} columns, margin ${margin}`).toEqual([]);
    }
  }
});

it.each<[string, unknown, new () => Error]>([
  ['options', null, TypeError],
  ['bounds', { bounds: 3, columns: 1, rows: 1 }, TypeError],
  ['bounds', { bounds: [0, 0, '1', 1], columns: 1, rows: 1 }, TypeError],
  ['bounds', { bounds: [0, 0, 1, Number.NaN], columns: 1, rows: 1 }, RangeError],
  ['bounds', { bounds: [0, 0, 0, 1], columns: 1, rows: 1 }, RangeError],
  ['bounds', { bounds: [1e16, 0, 1e16 + 2, 1], columns: 9, rows: 1 }, RangeError],
  ['bounds', { bounds: [-1e308, 0, 1e308, 1], columns: 2, rows: 1 }, RangeError],
  ['columns', { bounds: [0, 0, 1, 1], columns: 0, rows: 1 }, RangeError],
  ['columns', { bounds: [0, 0, 1, 1], columns: '2', rows: 1 }, TypeError],
  ['rows', { bounds: [0, 0, 1, 1], columns: 1, rows: 1.5 }, RangeError],
])('refuses %s that make no sense: %j', (name, options, kind) => {
  const make = (): RegionMap => new RegionMap(options as RegionMapOptions);
  expect(make).toThrow(kind);
  expect(make).toThrow(name);
});

it('refuses points and regions that are none', () => {
  expect(() => map.regionAt(Number.NaN, 0)).toThrow(RangeError);
  expect(() => map.regionAt('1' as unknown as number, 0)).toThrow(TypeError);
  expect(() => map.boundsOf(6)).toThrow('there are regions from 0 to 5, got 6');
  expect(() => map.neighboursOf(0, -1)).toThrow(RangeError);
  expect(() => map.neighboursOf(0, '1' as unknown as number)).toThrow(TypeError);
});
