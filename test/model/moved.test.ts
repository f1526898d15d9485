import { expect, it, vi } from 'vitest';
import { VARIANTS } from '../helpers/variants.js';
import { runScripts } from './runScripts.js';
import { runSceneScripts } from './scene/FaultList.js';
import { Counters } from './scene/Frame.js';
import { loadBatches } from './scene/loadBatches.js';
import { seedsFrom } from './seedsFrom.js';

/** Every array that grows leaves nonsense where it was. */
vi.mock('../../src/core/arrays.js', async (original) => {
  const arrays = await original<typeof import('../../src/core/arrays.js')>();
  const lengthen: typeof arrays.lengthen = (array, length) => {
    const longer = arrays.lengthen(array, length);
    array.fill(array instanceof Uint8Array ? 0xa5 : -0x5a5a5a5a);
    moved++;
    return longer;
  };
  const grow: typeof arrays.grow = (array, length) => lengthen(array, Math.max(length, 2 * array.length));
  return { ...arrays, grow, lengthen };
});

let moved = 0;
const OPERATIONS = 500;

it.each([...new Map(VARIANTS.map(({ label, name }) => [name, label])).values()])(
  '%s reads nothing where it was before it moved',
  (label) => {
    const before = moved;
    expect(runScripts(label, seedsFrom(51), OPERATIONS)).toBeGreaterThanOrEqual(OPERATIONS);
    expect(moved).toBeGreaterThan(before + 20);
  },
);

it('nor does a scene with batches, instances and occlusion', async () => {
  await loadBatches();
  const before = moved;
  expect(runSceneScripts(seedsFrom(77), OPERATIONS, new Counters(), new Set())).toBeGreaterThanOrEqual(OPERATIONS);
  expect(moved).toBeGreaterThan(before + 100);
});
