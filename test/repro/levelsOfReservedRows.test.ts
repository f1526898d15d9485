import { it } from 'vitest';
import { enableSimd } from '../../src/standalone.js';
import { runScript } from '../model/runScript.js';

enableSimd();

it('a rebuild finds levels where they begin when room for more rows was reserved than are used, and as many were before', () => {
  runScript({
    structure: 'packed',
    edits: [
      { do: 'crowd', count: 37, endless: false, oneByOne: true, seed: 786443102, probe: 2131730866 },
      { do: 'crowd', count: 78, endless: true, oneByOne: true, seed: 2009255952, probe: 1756879373 },
    ],
  });
});
