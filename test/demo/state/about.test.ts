import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXAMPLES } from '../../../demo/examples/catalogue.js';
import { WORLD_NAMES, worldEntry } from '../../../demo/state/catalogue.js';

it.each(WORLD_NAMES)('%s says what to look for, and links to code, a guide and an example that exist', (name) => {
  const { look, code, guide, example } = worldEntry(name).about;
  // It lies over the picture: two sentences at most.
  expect(look).toMatch(/^[A-Z].*\.$/);
  expect(look.length).toBeLessThanOrEqual(140);
  expect(code).toMatch(/^demo\/worlds\/\w+\/\w+\.ts$/);
  // The folder that loads this world.
  expect(readFileSync('demo/worlds/loadWorld.ts', 'utf8')).toContain(`./${code.split('/')[2]}/`);
  expect(existsSync(code)).toBe(true);
  expect(existsSync(`demo/docs/guides/${guide}.md`)).toBe(true);
  expect(EXAMPLES.map((one) => one.name)).toContain(example);
});
