import { expect, test } from 'vitest';
import { OccluderMesh } from '../../src/occlusion/OccluderMesh.js';
import { OcclusionBuffer } from '../../src/occlusion/OcclusionBuffer.js';
import { fuzzOcclusion } from '../helpers/occlusion/fuzzOcclusion.js';
import { PlainOcclusion } from '../helpers/occlusion/plain/PlainOcclusion.js';
import { seeds } from '../helpers/width.js';

const CODES = [
  [
    'the kernel',
    { make: (width: number, height: number) => OcclusionBuffer.create(width, height)!, Mesh: OccluderMesh },
  ],
  ['plain code', { make: (width: number, height: number) => new PlainOcclusion(width, height), Mesh: OccluderMesh }],
] as const;
/** At full width 5 million points; `npm run soak occlusionPoints` tries more than ten times as many. */
const SEEDS = seeds(20, 3);
let points = 0;

const RUNS = CODES.flatMap(([label, code]) => SEEDS.map((seed) => [label, seed, code] as const));

test.each(RUNS)(
  'what %s says to be covered or hidden is, wherever renderers move vertices, seed %i',
  (_label, seed, code) => {
    const tally = fuzzOcclusion(code, seed, 270);
    expect(tally.wrong).toEqual([]);
    expect(tally.covered).toBeGreaterThan(5000);
    expect(tally.hidden).toBeGreaterThan(500);
    points += tally.points + tally.hiddenPoints;
  },
);

test('many points were tried', () => {
  expect(points).toBeGreaterThan(1e5 * RUNS.length);
});
