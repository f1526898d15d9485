import { afterEach, expect, it } from 'vitest';
import { enableSimd } from '../../src/standalone.js';
import { digests } from '../determinism/digests.js';
import recorded from '../determinism/digests.json';

afterEach(() => {
  enableSimd(true);
});

it.each([true, false])('answers and their order are those of Node, with SIMD allowed: %s', (isAllowed) => {
  enableSimd(isAllowed);
  expect(digests()).toEqual(recorded);
});
