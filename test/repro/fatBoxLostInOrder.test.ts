import { it } from 'vitest';
import { runScript } from '../model/runScript.js';

it('a row of a bvh keeps its fat box when it changes places with one of more unbounded items than there ever were rows', () => {
  runScript({
    structure: 'bvh',
    edits: [
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
  });
});
