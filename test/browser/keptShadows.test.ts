import type { WebGLRenderer } from 'three';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endRenderer } from '../helpers/pictures.js';
import { atWidth } from '../helpers/width.js';
import { type ModeName, makeShadowRenderer, runShadows, type TypeName } from '../model/shadows/runShadows.js';

/** Pictures of one world; `npm run soak shadows` draws more. */
const STEPS = atWidth(6, 4);
const TYPES: TypeName[] = ['pcf', 'basic', 'vsm'];
const MODES: ModeName[] = ['accelerate', 'batches', 'occlusion', 'cullCasters'];

const renderers = new Map<TypeName, WebGLRenderer>();
beforeAll(() => {
  for (const type of TYPES) renderers.set(type, makeShadowRenderer(type));
});
afterAll(() => {
  for (const renderer of renderers.values()) endRenderer(renderer);
});

test.each(MODES.flatMap((mode, m) => TYPES.map((type, t) => [mode, type, 3 * m + t + 1] as const)))(
  'maps that are kept are those of a twin, after random edits: %s, %s, seed %i',
  async (mode, type, seed) => {
    const run = await runShadows({ seed, steps: STEPS, type, mode }, renderers.get(type));
    expect(run.fault, run.history.join('; ')).toBeNull();
    expect(run.calls[1]).toBeLessThan(run.calls[0]);
  },
);
