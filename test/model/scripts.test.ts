import { describe, expect, it } from 'vitest';
import { VARIANTS } from '../helpers/variants.js';
import { runScripts } from './runScripts.js';
import { seedsFrom } from './seedsFrom.js';

/** For each structure, in all its variants; many more at random are for `npm run soak`. */
const OPERATIONS = 6000;
/** In one test, so that none takes long. */
const AT_ONCE = 3000;

describe.each(VARIANTS)('$label holds and answers what a plain map does', ({ label, name }) => {
  const share = OPERATIONS / VARIANTS.filter((v) => v.name === name).length;
  const firsts = Array.from({ length: Math.ceil(share / AT_ONCE) }, (_, i) => 1 + 1000 * i);

  it.each(firsts)(`after each of ${AT_ONCE} edits, in scripts of seeds from %i on`, (first) => {
    expect(runScripts(label, seedsFrom(first), AT_ONCE)).toBeGreaterThanOrEqual(AT_ONCE);
  });
});
