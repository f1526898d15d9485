import { describe, expect, it } from 'vitest';
import { createIndex, maintain } from '../../src/standalone.js';
import { validate } from '../helpers/validate.js';
import { runScript } from '../model/runScript.js';

describe('a structure that is outgrown in the midst of maintenance', () => {
  it('is a grid most items of which went', () => {
    const index = createIndex('grid');
    const ids = index.addAll(Array.from({ length: 700 }, (_, i) => [i, 0, 0, i, 0, 0]).flat());
    const kept = [...ids].filter((id) => id % 10 === 5);
    for (const id of ids) if (id % 10 !== 5) index.remove(id);
    for (const id of kept) index.update(id, [id + 12, 0, 0, id + 12, 0, 0]);
    expect(maintain(index, Number.POSITIVE_INFINITY)).toBe(true);
    expect(validate(index)).toEqual([]);
    expect(index.queryBox([-1000, 0, 0, 2000, 0, 0]).toArray().sort()).toEqual(kept.sort());
  });

  it('is a grid in space, found by a script', () => {
    runScript({
      structure: 'grid',
      edits: [
        { do: 'crowd', count: 363, seed: 1512199039, probe: 725629526 },
        { do: 'thin', item: 98, of: 10, probe: 1838452270 },
        {
          ...{ do: 'migrate', item: 0, count: 36, atOnce: true, maintenance: 'maintain', probe: 1365248385 },
          by: [9.781704526394606, -2.9527212884277105, 1.8800017274916172],
        },
      ],
    });
  });

  it('is a tree of cells beyond one another, the last items of which drift', () => {
    const index = createIndex('looseOctree');
    const at = (x: number): number[] => [x, 0, 0, x, 0, 0];
    for (let i = 0; i < 55; i++) index.add(at(2.01 ** i));
    let x = 2.01 ** 55;
    const far = [index.add(at(x)), index.add(at(x))];
    for (let step = 0; step < 200; step++) {
      x *= 1.01;
      for (const id of far) index.update(id, at(x));
      maintain(index, Number.POSITIVE_INFINITY);
      expect(validate(index)).toEqual([]);
    }
    expect(index.queryPlanes([]).length).toBe(57);
  });
});
