import { expect } from 'vitest';

/** Fails unless the list is exactly the expected set, each id once, and names what is missing or extra. */
export function expectSameIds(actual: Iterable<number>, expected: number[], label: string): void {
  const ids = [...actual];
  const got = new Set(ids);
  expect(got.size, `${label}: an id twice`).toBe(ids.length);
  const missing = expected.filter((id) => !got.has(id));
  const want = new Set(expected);
  const extra = ids.filter((id) => !want.has(id));
  expect({ missing, extra }, label).toEqual({ missing: [], extra: [] });
}
