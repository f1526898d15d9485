import { describe, expect, it } from 'vitest';
import { STRUCTURES } from '../../src/standalone.js';
import { HOSTILE_ORDERS } from '../helpers/hostileOrders.js';
import { hostileProblems } from '../helpers/hostileProblems.js';
import { VARIANTS } from '../helpers/variants.js';
import { runScript } from '../model/runScript.js';
import { writeScript } from '../model/writeScript.js';

// What is tested at length elsewhere, in as few steps as still find most faults.
describe.each(VARIANTS)('$label', ({ label }) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is right after each edit of a script of seed %i', (seed) => {
    runScript(writeScript(seed, label));
  });
});

// The curve of packed rows has one cell for each of two clusters that lie 1e9 apart.
const PACKED_BEARS = HOSTILE_ORDERS.filter(({ label }) => label !== 'two clusters in turn, far apart');

describe.each(STRUCTURES)('%s', (name) => {
  it.each(name === 'packed' ? PACKED_BEARS : HOSTILE_ORDERS)('stays within bounds given $label', (order) => {
    expect(hostileProblems(name, {}, order, 1000)).toEqual([]);
  });
});
