import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GridCells } from '../../../src/trees/grid/GridCells.js';
import { Tree } from '../../../src/trees/Tree.js';
import { random } from '../../helpers/random.js';

type Place = [level: number, x: number, y: number, z: number];
// Few places, so that scripts meet the same ones again; some are 2^32 and more apart.
const coordinate = fc.constantFrom(0, 1, -1, 2, -3, 2 ** 32, -(2 ** 32), 2 ** 40, -(2 ** 52), 7, 100);
const place: fc.Arbitrary<Place> = fc.tuple(fc.nat(15), coordinate, coordinate, coordinate);
const step = fc.record({ place, isRemoval: fc.boolean() });

describe('a hash of cells', () => {
  it('finds what a map holds, after any script of additions and removals', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (script) => {
        const hash = new GridCells(new Tree(false), false);
        const model = new Map<string, [number, Place]>();
        const free: number[] = [];
        for (const { place, isRemoval } of script) {
          const key = place.join();
          const known = model.get(key);
          expect(hash.find(...place)).toBe(known?.[0] ?? 0);
          if (known === undefined) {
            const node = free.pop() ?? model.size + 1;
            hash.addToTable(node, ...place);
            model.set(key, [node, place]);
          } else if (isRemoval) {
            hash.removeFromTable(known[0]);
            model.delete(key);
            free.push(known[0]);
          }
          expect(hash.count).toBe(model.size);
        }
        for (const [node, place] of model.values()) expect(hash.find(...place)).toBe(node);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  const LAYOUTS: [label: string, at: (i: number) => Place][] = [
    ['in a line', (i) => [0, i, 0, 0]],
    ['in a cube', (i) => [0, i & 15, (i >> 4) & 15, i >> 8]],
    ['on a diagonal', (i) => [0, i, i, i]],
    ['on an antidiagonal', (i) => [0, i, -i, 0]],
    ['a thousand cells apart', (i) => [0, 1024 * (i & 15), 1024 * ((i >> 4) & 15), 1024 * (i >> 8)]],
    ['2^32 cells apart', (i) => [0, 2 ** 32 * (i & 63), 0, 2 ** 32 * (i >> 6)]],
    ['2^40 cells apart', (i) => [0, 2 ** 40 * (i & 63), 0, -(2 ** 40) * (i >> 6)]],
    ['one above the other', (i) => [i & 15, i >> 4, i >> 4, i >> 4]],
  ];
  it.each(LAYOUTS)('takes few steps to a cell, with 4,096 cells %s', (_label, at) => {
    const hash = new GridCells(new Tree(false), false);
    for (let i = 0; i < 4096; i++) hash.addToTable(i + 1, ...at(i));
    expect(stepsOf(hash, at)).toBeLessThan(4096 * 1.7);
  });

  it('takes as few steps after a million changes as before', () => {
    const next = random(3);
    const hash = new GridCells(new Tree(false), false);
    const at = new Map<number, number>();
    for (let i = 0; i < 4096; i++) {
      at.set(i, i);
      hash.addToTable(i + 1, 0, i, 0, 0);
    }
    const before = stepsOf(hash, (i) => [0, at.get(i) as number, 0, 0]);
    const bytes = bytesOf(hash);
    for (let fresh = 4096; fresh < 1_000_000; fresh++) {
      const i = Math.floor(next() * 4096);
      hash.removeFromTable(i + 1);
      hash.addToTable(i + 1, 0, fresh, 0, 0);
      at.set(i, fresh);
    }
    expect(stepsOf(hash, (i) => [0, at.get(i) as number, 0, 0])).toBeLessThan(1.1 * before);
    expect(bytesOf(hash)).toBe(bytes);
    for (let i = 0; i < 4096; i++) hash.removeFromTable(i + 1);
    expect(hash.count).toBe(0);
    hash.reset(0);
    expect(bytesOf(hash)).toBe(bytesOf(new GridCells(new Tree(false), false)));
  });
});

/** Cells looked at in finding 4,096 of them: reads of an x. */
function stepsOf(hash: GridCells, at: (i: number) => Place): number {
  const { places } = hash;
  let steps = 0;
  hash.places = new Proxy(places, {
    get(array, index) {
      if (Number(index) % 3 === 0) steps++;
      return Reflect.get(array, index, array);
    },
  });
  for (let i = 0; i < 4096; i++) expect(hash.find(...at(i))).toBe(i + 1);
  hash.places = places;
  return steps;
}

function bytesOf({ places, levels, table }: GridCells): number {
  return places.byteLength + levels.byteLength + table.byteLength;
}
