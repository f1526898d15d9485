import { expect, it } from 'vitest';
import { Region, RegionMap } from '../../../src/interest.js';

it('works', () => {
  const map = new RegionMap({ bounds: [0, 0, 100, 100], columns: 2, rows: 1 });
  const a = new Region(map, 0, { margin: 10, incarnation: 1 });
  const b = new Region(map, 1, { margin: 10, incarnation: 1 });
  const round = () => {
    for (const r of [a, b]) r.tick();
    const ms = [
      [b, a.export(1)],
      [a, b.export(0)],
    ] as const;
    for (const [r, m] of ms) expect(r.import(m)).toBe(true);
  };
  a.add(7, [44, 0, 0, 46, 1, 1], new Uint8Array([1, 2, 3]));
  round();
  expect(b.isGhost(b.itemOf(7))).toBe(true);
  a.move(7, [54, 0, 0, 56, 1, 1]);
  const item = b.itemOf(7);
  round();
  expect(b.owns(7)).toBe(true);
  expect(a.owns(7)).toBe(false);
  expect(b.itemOf(7)).toBe(item);
  expect([...b.payloadOf(7)]).toEqual([1, 2, 3]);
  const bytes = b.snapshot();
  b.stored(bytes);
  round();
  expect(a.isGhost(a.itemOf(7))).toBe(true);
  const c = Region.restore(bytes, 2);
  expect(c.recovering).toEqual([0]);
  for (let i = 0; i < 4; i++) {
    c.tick();
    a.tick();
    const ms = [
      [c, a.export(1)],
      [a, c.export(0)],
    ] as const;
    for (const [r, m] of ms) r.import(m);
  }
  expect(c.recovering).toEqual([]);
  expect(c.owns(7)).toBe(true);
});
