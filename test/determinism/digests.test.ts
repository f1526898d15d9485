import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { enableSimd } from '../../src/standalone.js';
import { Digest } from './Digest.js';
import { digests } from './digests.js';

const FILE = new URL('./digests.json', import.meta.url);

afterEach(() => {
  enableSimd(true);
});

it('the digest is FNV-1a of 64 bits', () => {
  expect(new Digest().toString()).toBe('cbf29ce484222325');
  const digest = new Digest();
  // "foobar" and two zeros, by the reference implementation's rule in big integers.
  const bytes = [...new TextEncoder().encode('foobar'), 0, 0];
  let expected = 0xcbf29ce484222325n;
  for (const byte of bytes) expected = BigInt.asUintN(64, (expected ^ BigInt(byte)) * 0x100000001b3n);
  digest.integer(0x626f6f66);
  digest.integer(0x00007261);
  expect(digest.toString()).toBe(expected.toString(16).padStart(16, '0'));
});

it.each([true, false])('answers and their order are those of the repository, with SIMD allowed: %s', (isAllowed) => {
  enableSimd(isAllowed);
  const got = digests();
  if (process.env.UPDATE_BASELINES && isAllowed) writeFileSync(FILE, `${JSON.stringify(got, null, 2)}\n`);
  expect(got).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});
