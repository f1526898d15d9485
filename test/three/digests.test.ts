import { readFileSync, writeFileSync } from 'node:fs';
import { REVISION } from 'three';
import { expect, it } from 'vitest';
import { batchShaders } from '../../src/batching/whyNotBatched.js';
import { shadowShaders } from '../../src/render/CasterCulling.js';
import { surfaceShaders } from '../../src/render/occlusion/occlusionSettings.js';
import { DIGESTS, digestOf } from '../../src/three/shaders.js';

const LOADED = { batches: batchShaders, shadows: shadowShaders, surfaces: surfaceShaders };
const FILE = new URL('../../src/three/shaders.ts', import.meta.url);
const HELP = 'see "three has a new revision" in CONTRIBUTING.md';

it.each(Object.keys(DIGESTS) as (keyof typeof DIGESTS)[])(
  'the digest of %s in this revision of three is known',
  (name) => {
    const digest = digestOf(LOADED[name].loaded);
    if (process.env.UPDATE_BASELINES) writeDigest(name, digest);
    else expect(DIGESTS[name][REVISION], HELP).toBe(digest);
  },
);

/** Writes a digest of this revision behind those of others, or in place of the one that is there. */
function writeDigest(name: string, digest: number): void {
  const text = readFileSync(FILE, 'utf8');
  const line = new RegExp(`(?<=^  ${name}: \\{ ).*(?= \\},$)`, 'm');
  expect(text).toMatch(line);
  const written = text.replace(line, (all) => {
    const others = all.split(', ').filter((one) => !one.startsWith(`${REVISION}:`));
    return [...others, `${REVISION}: ${digest}`].sort().join(', ');
  });
  writeFileSync(FILE, written);
}
