import { describe, expect, it } from 'vitest';
import {
  createIndex,
  forEachNode,
  Hits,
  IdList,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
  stats,
} from '../../src/standalone.js';
import { any } from '../helpers/refusals.js';
import { validate } from '../helpers/validate.js';

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const UNIT = [0, 0, 0, 1, 1, 1];

/** Five items of which id 2 is dead. */
function fiveLessOne(name: StructureName): SpatialIndex {
  const index = createIndex(name, { capacity: 2 });
  for (let i = 0; i < 5; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  index.remove(2);
  return index;
}

describe.each(STRUCTURES)('%s accepts', (name) => {
  it('nothing that has() is asked', () => {
    const index = fiveLessOne(name);
    for (const id of [2, 9, -1, 0.5, nan, inf, '0', null, undefined, {}, [0], Symbol('s'), 0n])
      expect(index.has(any(id))).toBe(false);
    expect(index.has(0)).toBe(true);
  });

  it('a visitor that throws at its i-th call, or edits', () => {
    const index = createIndex(name, { capacity: 2 });
    for (let i = 0; i < 40; i++) index.add([i, i % 7, 0, i + 0.5, 8, 1]);
    const { nodes } = stats(index);
    for (let i = 1; i <= nodes; i++) {
      let calls = 0;
      expect(() =>
        forEachNode(index, () => {
          if (++calls === i) throw new Error('mine');
        }),
      ).toThrow('mine');
      expect(index.queryPlanes([]).length).toBe(40);
      expect(validate(index)).toEqual([]);
    }
    let calls = 0;
    forEachNode(index, () => {
      if (calls++ === 0) index.clear();
      index.add(UNIT);
    });
    expect(calls).toBe(nodes);
    expect(index.size).toBe(nodes);
    expect(validate(index)).toEqual([]);
  });

  it('no later change of an array that was given', () => {
    const index = createIndex(name);
    const box = [...UNIT];
    const id = index.add(box);
    const many = new Float64Array([...UNIT, ...UNIT]);
    const [a, b] = index.addAll(many);
    box.fill(9);
    many.fill(nan);
    for (const each of [id, a, b]) expect([...index.getBox(each)]).toEqual(UNIT);
    const next = [2, 2, 2, 3, 3, 3];
    index.update(id, next);
    next.fill(9);
    const out = index.getBox(id);
    expect([...out]).toEqual([2, 2, 2, 3, 3, 3]);
    out.fill(7);
    index.getBounds().fill(7);
    expect([...index.getBox(id)]).toEqual([2, 2, 2, 3, 3, 3]);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 3, 3, 3]);
    expect(validate(index)).toEqual([]);
  });

  it('an array that has lost its buffer, as a worker took it: it lists nothing', () => {
    const index = fiveLessOne(name);
    const ids = Int32Array.of(0, 1);
    structuredClone(ids.buffer, { transfer: [ids.buffer] });
    index.removeAll(ids);
    expect(index.size).toBe(4);
    expect(validate(index)).toEqual([]);
  });

  it('to mix up results: lists are overwritten from the start, and new ones are independent', () => {
    const index = createIndex(name, { capacity: 2 });
    const ids = [...index.addAll(Array.from({ length: 60 }, (_, i) => [i, 0, 0, i + 0.5, 1, 1]).flat())];
    const list = new IdList();
    expect(index.queryBox([0, 0, 0, 100, 1, 1], list)).toBe(list);
    expect(list.toArray().sort((a, b) => a - b)).toEqual(ids);
    index.queryPoint(3.25, 0.5, 0.5, list);
    expect(list.toArray()).toEqual([ids[3]]);
    index.querySphere(500, 0, 0, 1, list);
    expect(list.toArray()).toEqual([]);
    const hits = new Hits();
    const along = { origin: [-1, 0.5, 0.5], direction: [2, 0, 0] };
    expect(index.raycast(along, hits)).toBe(hits);
    expect(hits.length).toBe(60);
    index.raycastFirst(along, hits);
    expect([hits.length, hits.ids[0], hits.distances[0]]).toEqual([1, ids[0], 1]);
    index.raycast({ ...along, direction: [-1, 0, 0] }, hits);
    expect(hits.length).toBe(0);
    const seen: number[] = [];
    for (const id of index.queryBox([0, 0, 0, 10, 1, 1])) {
      for (const other of index.querySphere(id, 0, 0, 0.25)) seen.push(other);
      const { length } = index.raycast(along);
      expect(length).toBe(60);
    }
    expect(seen.sort((a, b) => a - b)).toEqual(ids.slice(0, 11));
  });

  it('nothing of a ray or planes that are legal, however odd', () => {
    const index = fiveLessOne(name);
    const hit = { origin: [-1, 0.5, 0.5], direction: [1, -0, 0], near: 0, far: inf };
    expect(index.raycast(hit).length).toBe(4);
    expect(index.raycast({ ...hit, direction: [5e-324, 0, 0] }).length).toBe(4);
    expect(index.raycast({ ...hit, direction: [1e308, 0, 0] }).length).toBe(4);
    // Of any length but zero, although the square root of the sum of squares is beyond all numbers.
    expect(() => index.raycast({ ...hit, direction: [1.7e308, 1.7e308, 1.7e308] })).not.toThrow();
    expect(index.queryPlanes([]).length).toBe(4);
    expect(index.queryPlanes([nan, 0, 0, -1e9]).length).toBe(4);
    expect(index.queryPlanes([1, 0, 0, nan]).length).toBe(4);
    expect(index.querySphere(0, 0, 0, inf).length).toBe(4);
    expect(index.querySphere(0, 0, 0, 0).length).toBe(1);
  });
});
