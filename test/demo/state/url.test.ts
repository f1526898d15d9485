import { describe, expect, it } from 'vitest';
import { isBuiltIn, WORLD_NAMES, worldEntry } from '../../../demo/state/catalogue.js';
import { INDEX_CONTROLS } from '../../../demo/state/controls/indexControls.js';
import { PAGE_CONTROLS } from '../../../demo/state/controls/pageControls.js';
import { defaultsOf, indexOptions, settingsOfWorld } from '../../../demo/state/Settings.js';
import { readTestOptions, readUrl, writeUrl } from '../../../demo/state/url.js';
import { STRUCTURES } from '../../../src/index.js';
import { INDEX_DEFAULTS } from '../../../src/structures/createIndex.js';

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
    expect(readUrl('?world=nowhere').settings.world).toBe('town');
    expect(readUrl('?world=model').settings.world).toBe('town');
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
    expect(settingsOfWorld('forest').planar).toBe(false);
  });
});

describe('the tour', () => {
  it.each([
    ['', null],
    ['?world=forest', null],
    ['?t=0', false],
    ['?animate=0', false],
    ['?tour=0', false],
    ['?tour=1', true],
    ['?t=0&tour=1', true],
  ])('with the address "%s" is begun: %s', (search, tour) => expect(readTestOptions(search).tour).toBe(tour));
});
