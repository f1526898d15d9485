import { expect, it } from 'vitest';
import { TASKS } from '../../demo/docs/site/apiTasks.mjs';
import { allExports } from '../helpers/publicDocs.js';

it('the first page of the API has every export in one group', () => {
  const listed = TASKS.flatMap(({ names, types }) => [...names, ...types]);
  const exported = new Set(allExports().map(({ name }) => name));
  expect([...listed].sort()).toEqual([...exported].sort());
});
