import { expect, test } from 'vitest';
import { readSettings } from '../src/settings.js';

test('without anything said there are no bots, no overview, and only this machine', () => {
  const { host, redis, bots, hasOverview, publicAddress, gate } = readSettings({});
  expect([host, redis, bots, hasOverview, publicAddress]).toEqual(['127.0.0.1', null, 0, false, null]);
  expect(gate).toEqual({ origins: [], seatsPerAddress: 100, isBehindProxy: false });
});

test('the demo has bots and an overview, unless they are not wanted', () => {
  expect(readSettings({}, true)).toMatchObject({ bots: 300, hasOverview: true });
  expect(readSettings({ BOTS: '5', OVERVIEW: '0' }, true)).toMatchObject({ bots: 5, hasOverview: false });
});

test('origins are listed with commas', () => {
  expect(readSettings({ ORIGINS: 'https://a.com,https://b.com' }).gate?.origins).toEqual([
    'https://a.com',
    'https://b.com',
  ]);
});

test('several processes need an address that clients reach', () => {
  const everywhere = { HOST: '0.0.0.0', REDIS_URL: 'redis://127.0.0.1' };
  expect(() => readSettings(everywhere)).toThrow('PUBLIC_ADDRESS');
  expect(readSettings({ ...everywhere, PUBLIC_ADDRESS: 'a.com:1' }).publicAddress).toBe('a.com:1');
  expect(readSettings({ HOST: '0.0.0.0' }).publicAddress).toBe(null);
});

test('what is no number throws', () => {
  expect(() => readSettings({ PORT: 'x' })).toThrow('PORT');
});
