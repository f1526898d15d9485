import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile, packedLayout } from '../../src/wasm/build.mjs';
import { isFull } from '../helpers/width.js';

test.runIf(isFull)('the kernels in the library are those of their sources', async () => {
  for (const [name, hex] of Object.entries(await compile())) {
    const text = readFileSync(new URL(`../../src/wasm/${name}Kernel.ts`, import.meta.url), 'utf8');
    expect(text, `${name}: run \`npm run kernels\``).toContain(`'${hex}'`);
  }
});

test('the addresses in the library are those of the kernel', () => {
  const text = readFileSync(new URL('../../src/wasm/packedLayout.ts', import.meta.url), 'utf8');
  expect(text, 'run `npm run kernels`').toBe(packedLayout());
});
