import { beforeAll, expect, it } from 'vitest';
import { atWidth } from '../../helpers/width.js';
import { seedsFrom } from '../seedsFrom.js';
import { runSceneScripts } from './FaultList.js';
import { Counters } from './Frame.js';
import { loadBatches } from './loadBatches.js';
import { withoutOf } from './withoutOf.js';

/** Many more at random are for `npm run soak scenes`. */
const OPERATIONS = atWidth(5000, 2000);
/** To look for more faults while some are known. */
const WITHOUT = withoutOf(process.env.WITHOUT);
/** In one test, so that none takes long. */
const AT_ONCE = 2000;

const counters = new Counters();
const firsts = Array.from({ length: OPERATIONS / AT_ONCE }, (_, i) => 1 + 1000 * i);

beforeAll(loadBatches);

it.each(firsts)(
  `a scene with an index is what it is without, after each of ${AT_ONCE} acts, seeds from %i on`,
  (first) => {
    expect(runSceneScripts(seedsFrom(first), AT_ONCE, counters, WITHOUT)).toBeGreaterThanOrEqual(AT_ONCE);
  },
);

it('the gate had to do with it, and there was something to compare', () => {
  expect(counters.frames).toBeGreaterThan(OPERATIONS / 4);
  expect(counters.listed).toBeGreaterThan(counters.passes / 4);
  expect(counters.listed).toBeLessThan((3 * counters.passes) / 4);
  for (const name of ['drawn', 'spared', 'cast', 'lights', 'hits', 'found', 'batched', 'hidden'] as const) {
    expect(counters[name], name).toBeGreaterThan(OPERATIONS / 50);
  }
});
