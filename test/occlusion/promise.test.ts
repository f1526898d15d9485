import { expect, test } from 'vitest';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { PlainOcclusion } from '../../src/occlusion/PlainOcclusion.js';
import { fuzzOcclusion } from '../helpers/occlusion/fuzzOcclusion.js';
import { seeds } from '../helpers/width.js';

const code = { make: (width: number, height: number) => new PlainOcclusion(width, height), Mesh: OccluderMesh };
/** At full width 5 million points; `npm run soak occlusionPoints` tries more than ten times as many. */
const SEEDS = seeds(20, 3);
let points = 0;

test.each(SEEDS)('what is said to be covered or hidden is, wherever renderers move vertices, seed %i', (seed) => {
  const tally = fuzzOcclusion(code, seed, 270);
  expect(tally.wrong).toEqual([]);
  expect(tally.covered).toBeGreaterThan(5000);
  expect(tally.hidden).toBeGreaterThan(500);
  points += tally.points + tally.hiddenPoints;
});

test('many points were tried', () => {
  expect(points).toBeGreaterThan(1e5 * SEEDS.length);
});
