import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUARDS } from '../mutation/guards.mjs';
import { staleSurvivors } from '../mutation/survivors.mjs';

test.each(GUARDS)('`npm run mutate:guards` finds the place of a guard: $name, $file', ({ file, from, to }) => {
  expect(to).not.toBe(from);
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
});

test('`npm run mutate` finds the lines of the mutants that are known to live', () => {
  expect(staleSurvivors()).toEqual([]);
});
