import { expect, it } from 'vitest';
import { canary } from './canary.js';

it('counts', () => {
  expect([canary(7, 2), canary(2, 2), canary(2, 5)]).toEqual([5, 1, 17]);
});
