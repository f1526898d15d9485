import { afterEach, expect, test, vi } from 'vitest';
import { lazy } from '../../src/core/lazy.js';

afterEach(() => vi.restoreAllMocks());

test('code is asked for once, by the first call, and there when it is loaded', async () => {
  const load = vi.fn(async () => ({ answer: 42 }));
  const chunk = lazy(load);
  expect(load).not.toHaveBeenCalled();
  expect(chunk()).toBe(null);
  expect(chunk()).toBe(null);
  await Promise.resolve();
  expect(chunk()).toEqual({ answer: 42 });
  expect(load).toHaveBeenCalledTimes(1);
});

test('code that does not suit the page stays away', async () => {
  const load = vi.fn(async () => null);
  const chunk = lazy(load);
  chunk();
  await Promise.resolve();
  expect(chunk()).toBe(null);
  expect(load).toHaveBeenCalledTimes(1);
});

test('code that cannot be loaded is warned of once and not asked for again', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const error = new Error('offline');
  const load = vi.fn(async () => Promise.reject(error));
  const chunk = lazy(load);
  chunk();
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('three-scene-index'), error);
  expect(chunk()).toBe(null);
  expect(load).toHaveBeenCalledTimes(1);
});
