import { it } from 'vitest';
import { runScript } from '../model/runScript.js';

it('takes an item that loses its bounds in Y out of the column of a planar grid', () => {
  runScript({
    structure: 'grid, planar',
    edits: [
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
  });
});

it('does so with one that reaches beyond 2^300 in Y', () => {
  runScript({
    structure: 'grid, planar, cells of 3',
    edits: [
      { do: 'add', box: [0, 0, 0, 1, 1, 1], probe: 1657167172 },
      { do: 'update', item: 0, box: [0, 0, 0, 1, 1e200, 1], probe: 1624467499 },
    ],
  });
});
