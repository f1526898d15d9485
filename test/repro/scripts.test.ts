import { expect, it } from 'vitest';
import { createIndex, enableSimd, maintain, stats } from '../../src/standalone.js';
import { validate } from '../helpers/validate.js';
import type { Edit } from '../model/EditScript.js';
import { runScript } from '../model/runScript.js';

enableSimd();

/** What random scripts have found, as short as it got: what went wrong, the structure, and what was done. */
const CASES: [label: string, structure: string, edits: Edit[]][] = [
  [
    'a row of a bvh keeps its fat box when it changes places with one of more unbounded items than there ever were rows',
    'bvh',
    [
      { do: 'crowd', count: 2, endless: true, oneByOne: true, seed: 1337099592, probe: 1849022210 },
      { do: 'crowd', count: 17, oneByOne: true, seed: 1251917134, probe: 99373238 },
      {
        do: 'crowd',
        count: 223,
        endless: true,
        oneByOne: true,
        seed: 1094201396,
        probe: 472230609,
        maintenance: 'maintain',
      },
    ],
  ],
  [
    'a rebuild finds levels where they begin when room for more rows was reserved than are used, and as many were before',
    'packed',
    [
      { do: 'crowd', count: 37, endless: false, oneByOne: true, seed: 786443102, probe: 2131730866 },
      { do: 'crowd', count: 78, endless: true, oneByOne: true, seed: 2009255952, probe: 1756879373 },
    ],
  ],
  [
    'a grid in space is outgrown in the midst of maintenance',
    'grid',
    [
      { do: 'crowd', count: 363, seed: 1512199039, probe: 725629526 },
      { do: 'thin', item: 98, of: 10, probe: 1838452270 },
      {
        ...{ do: 'migrate', item: 0, count: 36, atOnce: true, maintenance: 'maintain', probe: 1365248385 },
        by: [9.781704526394606, -2.9527212884277105, 1.8800017274916172],
      },
    ],
  ],
  [
    'cells below a top that is 2^47 times as large may stick out of their octants by what rounding takes',
    'looseOctree',
    [
      {
        do: 'addAll',
        boxes: [
          [0, 0, 0, 0, 0, 0],
          [0, 0, 0, 0, 0, 0],
          [0, 0, 0, 0, 0, 0],
        ],
        probe: 923093599,
      },
      { do: 'updateAll', item: 138, boxes: [[16384, -16384, 16384, 24576, 16384, 20480]], probe: 641490388 },
      { do: 'add', box: [2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60], probe: 1375186226 },
      { do: 'update', item: 978, box: [524288, -524288, 524288, 786432, 524288, 655360], probe: 988592730 },
    ],
  ],
  [
    'such cells may hold items that stick out as far, once they are united',
    'looseOctree, straddlers stay',
    [
      {
        do: 'add',
        box: [
          5.798671916127205, -4.201783960685134, -11.515625, 5.8019455092726275, -3.639283960685134, -10.97885108855553,
        ],
        probe: 1808765336,
      },
      {
        do: 'add',
        box: [
          8.425391156226397, -8.15760001167655, -3.703125, 8.987891156226397, -7.81385001167655, -2.9749351346399635,
        ],
        probe: 66670218,
      },
      {
        do: 'updateAll',
        item: 418,
        boxes: [
          [11.65625, 9.545886659994721, 3.3880639784038067, 12.629476212430745, 10.077136659994721, 4.670956734451465],
          [
            -5.976195132359862, -11.926967404782772, -3.6523161716759205, -5.413695132359862, -10.614467404782772,
            -2.4335661716759205,
          ],
          [2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60],
        ],
        probe: 1484369389,
      },
      { do: 'remove', item: 474, count: 1, probe: 40301895 },
    ],
  ],
  [
    'items are not put into a cell of their own size below such a top',
    'octree',
    [
      {
        do: 'addAll',
        boxes: [[-0.6632036324590445, -0.890625, -9.71875, 0.8211713675409555, -0.75, -8.313242932432331]],
        probe: 989826155,
      },
      { do: 'addAll', boxes: [[0, 0, 0, 0, 0, 0]], probe: 923093599 },
      {
        do: 'add',
        box: [8.40625, 8.076865000650287, -11.703125, 8.609375, 8.108115000650287, -10.5],
        probe: 10811137,
      },
      {
        do: 'add',
        box: [8.819356195628643, -9.296875, 6.188918128609657, 8.819356195628643, -9.296875, 6.188918128609657],
        probe: 1009171800,
      },
      {
        do: 'addAll',
        boxes: [[-9.703125, -4.863930417224765, 0.5317862257361412, -9.3125, -4.160805417224765, 1.670594169292599]],
        probe: 2005846242,
      },
      { do: 'updateAll', item: 138, boxes: [[16384, -16384, 16384, 24576, 16384, 20480]], probe: 641490388 },
      { do: 'add', box: [2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60, 2 ** 60], probe: 1375186226 },
      {
        do: 'updateAll',
        item: 542,
        boxes: [[-1004.5, -1000.984375, -991.3125, 996.2969324247679, 1000.4351651123725, 1009.8492996593704]],
        probe: 1752132623,
      },
    ],
  ],
  [
    'an item that loses its bounds in Y goes out of the column of a planar grid',
    'grid, planar',
    [
      {
        do: 'addAll',
        boxes: [
          [27, -33, 22, 32, -33, 24],
          [-25, -31, 6, -25, -31, 6],
        ],
        probe: 1822158298,
      },
      { do: 'updateAll', item: 0, boxes: [[-34, Number.NEGATIVE_INFINITY, -26, -31, -15, -24]], probe: 1612904085 },
    ],
  ],
  [
    'an item that reaches beyond 2^300 in Y does so, too',
    'grid, planar, cells of 3',
    [
      { do: 'add', box: [0, 0, 0, 1, 1, 1], probe: 1657167172 },
      { do: 'update', item: 0, box: [0, 0, 0, 1, 1e200, 1], probe: 1624467499 },
    ],
  ],
];

it.each(CASES)('%s', (_label, structure, edits) => {
  runScript({ structure, edits });
});

it('a grid most items of which went is outgrown in the midst of maintenance', () => {
  const index = createIndex('grid');
  const ids = index.addAll(Array.from({ length: 700 }, (_, i) => [i, 0, 0, i, 0, 0]).flat());
  const kept = [...ids].filter((id) => id % 10 === 5);
  for (const id of ids) if (id % 10 !== 5) index.remove(id);
  for (const id of kept) index.update(id, [id + 12, 0, 0, id + 12, 0, 0]);
  expect(maintain(index, Number.POSITIVE_INFINITY)).toBe(true);
  expect(validate(index)).toEqual([]);
  expect(index.queryBox([-1000, 0, 0, 2000, 0, 0]).toArray().sort()).toEqual(kept.sort());
});

it('so is a tree of cells beyond one another, the last items of which drift', () => {
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

it('a grid does not keep an item beyond 2^300 in a cell that reaches farther', () => {
  const index = createIndex('grid');
  const far = -(2 ** 300) * 0.999;
  const id = index.add([far, 0, 0, far, 0, 0]);
  index.addAll([0, 0, 0, 1, 1, 1]);
  index.update(id, [1.01 * far, 0, 0, 1.01 * far, 0, 0]);
  expect(validate(index)).toEqual([]);
  expect(stats(index).unbounded).toBe(1);
});
