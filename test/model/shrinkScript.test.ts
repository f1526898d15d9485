import { expect, it } from 'vitest';
import type { EditScript } from './EditScript.js';
import { printScript } from './printScript.js';
import { failureOf, shrinkScript } from './shrinkScript.js';
import { writeScript } from './writeScript.js';

/** A script of seed 5 in the midst of which something goes wrong: a box that is none. */
function failing(): EditScript {
  const script = writeScript(5, 'octree');
  script.edits.splice(60, 0, { do: 'add', box: [0, 0, 0, -1, 0, Number.POSITIVE_INFINITY], probe: 1 });
  return script;
}

it('leaves nothing of a script but what makes it fail', () => {
  const script = failing();
  expect(failureOf(script)?.step).toBe(60);
  const short = shrinkScript(script);
  expect(short.edits).toEqual([script.edits[60]]);
});

it('prints a script as source', () => {
  expect(printScript(shrinkScript(failing()))).toBe(
    "['', 'octree', [{ do: 'add', box: [0, 0, 0, -1, 0, Number.POSITIVE_INFINITY], probe: 1 }]],",
  );
});

it('writes the same script for the same seed', () => {
  expect(writeScript(7, 'grid')).toEqual(writeScript(7, 'grid'));
  expect(writeScript(8, 'grid')).not.toEqual(writeScript(7, 'grid'));
});
