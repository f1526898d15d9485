import { afterEach, expect, test, vi } from 'vitest';
import { Lazy } from '../../src/core/Lazy.js';

afterEach(() => vi.restoreAllMocks());

test('code is asked for once, by the first call, and there when it is loaded', async () => {
  const load = vi.fn(async () => ({ answer: 42 }));
  const chunk = new Lazy(load);
  expect(load).not.toHaveBeenCalled();
  expect(chunk.get()).toBe(null);
  expect(chunk.get()).toBe(null);
  await Promise.resolve();
  expect(chunk.get()).toEqual({ answer: 42 });
  expect(load).toHaveBeenCalledTimes(1);
});

test('code that does not suit the page stays away', async () => {
  const load = vi.fn(async () => null);
  const chunk = new Lazy(load);
  chunk.get();
  await Promise.resolve();
  expect(chunk.get()).toBe(null);
  expect(load).toHaveBeenCalledTimes(1);
});

test('code that cannot be loaded is warned of once and not asked for again', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const error = new Error('offline');
  const load = vi.fn(async () => Promise.reject(error));
  const chunk = new Lazy(load);
  chunk.get();
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('three-scene-index'), error);
  expect(chunk.get()).toBe(null);
  expect(load).toHaveBeenCalledTimes(1);
});
