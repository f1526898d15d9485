import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../demo/examples/catalogue.js';
import { isBuiltIn, WORLD_NAMES, worldEntry } from '../../demo/state/catalogue.js';
import { INDEX_CONTROLS } from '../../demo/state/controls/indexControls.js';
import { PAGE_CONTROLS } from '../../demo/state/controls/pageControls.js';
import { defaultsOf, indexOptions, settingsOfWorld } from '../../demo/state/Settings.js';
import { readTestOptions, readUrl, writeUrl } from '../../demo/state/url.js';
import { STRUCTURES } from '../../src/standalone.js';
import { INDEX_DEFAULTS } from '../../src/structures/createIndex.js';

const NO_POSES = { player: null, above: null };

describe('the address of the page', () => {
  it('is empty for a fresh page, and names the world alone for a fresh world', () => {
    expect(writeUrl('', readUrl(''))).toBe('');
    for (const world of WORLD_NAMES.filter((name) => name !== 'town' && isBuiltIn(name))) {
      expect(writeUrl('', readUrl(`?world=${world}`))).toBe(`?world=${world}`);
    }
  });

  it('gives back what was written: settings, values of the world, and poses', () => {
    const state = readUrl('?world=range');
    Object.assign(state.settings, { structure: 'octree', capacity: 16, theme: 'light', autopilot: false, fov: 90 });
    Object.assign(state.worldValues, { entities: 700, skill: 'box', reach: 12 });
    state.poses = { player: [1, 2, 3, 4, 5, 6.25], above: null };
    expect(readUrl(writeUrl('', state))).toEqual(state);
  });

  it('falls back to defaults where values make no sense, and brings the others into range', () => {
    const { settings, worldValues, poses } = readUrl(
      '?world=range&structure=heap&fov=900&entities=x&reach=-5&player=1_2',
    );
    expect(settings).toEqual({ ...defaultsOf('range'), fov: 110 });
    expect(worldValues).toMatchObject({ entities: 5000, reach: 1 });
    expect(poses).toEqual(NO_POSES);
    // The forest was a world once: addresses of it are still about.
    for (const world of ['nowhere', 'forest', 'model']) {
      expect(readUrl(`?world=${world}`).settings.world).toBe('town');
      expect(writeUrl(`?world=${world}`, readUrl(`?world=${world}`))).toBe('');
    }
  });

  it('forgets what another world had, and keeps what is nobody’s', () => {
    const search = '?world=range&entities=700&reach=12&t=3';
    expect(writeUrl(search, { ...readUrl('?world=cities'), poses: NO_POSES })).toBe('?world=cities&t=3');
  });

  it('has no two controls of one name on a page', () => {
    for (const world of WORLD_NAMES) {
      for (const name of Object.keys(worldEntry(world).controls)) {
        expect([...Object.keys(PAGE_CONTROLS), 'world', 't', 'dpr', 'animate', 'player', 'above']).not.toContain(name);
      }
    }
  });
});

describe('settings', () => {
  it('offer every structure and every option there is', () => {
    expect(Object.values((PAGE_CONTROLS.structure as { choices: object }).choices)).toEqual([...STRUCTURES]);
    expect(Object.keys(INDEX_CONTROLS)).toEqual(Object.keys(INDEX_DEFAULTS));
    expect(indexOptions(defaultsOf('model'))).toEqual(INDEX_DEFAULTS);
  });

  it('of one world do not stay for the next', () => {
    const { planar } = settingsOfWorld('cities');
    expect(planar).toBe(true);
    expect(settingsOfWorld('museum').planar).toBe(false);
  });
});

it.each([
  ['', null],
  ['?world=museum', null],
  ['?t=0', false],
  ['?animate=0', false],
  ['?tour=0', false],
  ['?t=0&tour=1', true],
])('the tour is begun with the address "%s": %s', (search, tour) => expect(readTestOptions(search).tour).toBe(tour));

it.each(WORLD_NAMES)('%s says what to look for, and links to code, a guide and an example that exist', (name) => {
  const { look, code, guide, example } = worldEntry(name).about;
  // It lies over the picture: two sentences at most.
  expect(look).toMatch(/^[A-Z].{1,138}\.$/);
  expect(code).toMatch(/^demo\/worlds\/\w+\/\w+\.ts$/);
  // The folder that loads this world.
  expect(readFileSync('demo/worlds/loadWorld.ts', 'utf8')).toContain(`./${code.split('/')[2]}/`);
  for (const file of [code, `demo/docs/guides/${guide}.md`]) expect(existsSync(file), file).toBe(true);
  expect(EXAMPLES.map((one) => one.name)).toContain(example);
});

it.each(EXAMPLES)('the example $name is a page of code', ({ name }) => {
  const main = readdirSync(`demo/examples/${name}`).find((file) => /^main\.tsx?$/.test(file));
  const code = readFileSync(`demo/examples/${name}/${main}`, 'utf8').trimEnd();
  expect(code.split('\n').length).toBeLessThanOrEqual(60);
});
