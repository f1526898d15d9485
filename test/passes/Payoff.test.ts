import { expect, test } from 'vitest';
import { Payoff } from '../../src/passes/Payoff.js';

test('what does not pay is tried again after at most 8 pictures, and after a gain at once', () => {
  const payoff = new Payoff();
  const tried: number[] = [];
  for (let picture = 0; picture < 48; picture++) {
    if (!payoff.begin()) continue;
    tried.push(picture);
    expect(payoff.note(1, 2)).toBe(false);
  }
  // Two tries, then rests of 1, 2, 4 and 8 pictures, and of 8 from then on.
  expect(tried).toEqual([0, 1, 3, 6, 11, 20, 29, 38, 47]);
  while (!payoff.begin()) tried.push(-1);
  expect(payoff.note(2, 2)).toBe(true);
  expect(payoff.begin()).toBe(true);
  payoff.note(1, 2);
  expect(payoff.begin()).toBe(true);
});
