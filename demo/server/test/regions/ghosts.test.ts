import { Packed } from 'three-scene-index/core';
import { expect, it } from 'vitest';
import { importMessage } from '../../src/protocol/regions/importMessage.js';
import { Region, RegionMap } from '../../src/protocol/regions/index.js';
import { RegionMessage } from '../../src/protocol/regions/RegionMessage.js';
import { RegionState } from '../../src/protocol/regions/RegionState.js';
import { boxAt, give, greet, makeRow, tell } from './regionRow.js';

it('a third region believes who knows of more owners, in whatever order the two tell it', () => {
  const [a, b, c] = makeRow(3, { margin: 150 });
  greet([a, b, c]);
  a.add(7, boxAt(50));
  tell(a, b);
  give(7, 250, a, c);
  c.move(7, boxAt(260));
  tell(c, b);
  // It has not heard yet that the entity has arrived, and shows it where it left it.
  tell(a, b);
  expect([...b.index.getBox(b.itemOf(7))]).toEqual(boxAt(260));
  expect(b.isGhost(b.itemOf(7))).toBe(true);
  c.remove(7);
  tell(c, b);
  tell(c, a);
  tell(a, b);
  expect([a, b, c].map(({ index }) => index.size)).toEqual([0, 0, 0]);
});

it('an entity that is removed where it has arrived is not seen there as a ghost of who still gives it', () => {
  const [a, b] = makeRow(2);
  greet([a, b]);
  a.add(7, boxAt(95));
  give(7, 105, a, b);
  expect(b.owns(7)).toBe(true);
  b.remove(7);
  expect(tell(a, b)).toBe(true);
  expect([b.itemOf(7), b.index.size]).toEqual([-1, 0]);
  tell(b, a);
  expect(a.itemOf(7)).toBe(-1);
});

it('an entity that came back and is given once more stays in sight when its first arrival is heard of', () => {
  const [a, b, c] = makeRow(3);
  greet([a, b, c]);
  a.add(7, boxAt(50));
  give(7, 150, a, b);
  give(7, 250, b, c);
  give(7, 50, c, a);
  expect(a.owns(7)).toBe(true);
  a.move(7, boxAt(150));
  a.tick();
  tell(b, a);
  const item = a.itemOf(7);
  expect([a.isGhost(item), a.index.size]).toEqual([true, 1]);
  expect([...a.index.getBox(item)]).toEqual(boxAt(150));
});

it('the ghosts of a silent region go, not those which another one has told of since', () => {
  const [a, b, c] = makeRow(3, { margin: 150, ghostLifetime: 2 });
  greet([a, b, c]);
  b.add(7, boxAt(150));
  b.add(8, boxAt(160));
  tell(b, a);
  give(7, 250, b, c);
  for (let tick = 0; tick < 3; tick++) {
    tell(c, a);
    a.tick();
  }
  expect(a.silent).toEqual([1]);
  expect([a.itemOf(8), a.isGhost(a.itemOf(7))]).toEqual([-1, true]);
});

it('what is on its way between two others stays in sight where it was', () => {
  const [a, b, c] = makeRow(3, { margin: 150 });
  greet([a, b, c]);
  a.add(7, boxAt(50));
  tell(a, b);
  a.move(7, boxAt(250));
  a.tick();
  tell(a, b);
  expect([...b.index.getBox(b.itemOf(7))]).toEqual(boxAt(250));
});

it('a region that is coming back has ghosts for as long as any, and others have its own as they were', () => {
  const [a, b] = makeRow(2, { ghostLifetime: 2 });
  for (let tick = 0; tick < 9; tick++) b.tick();
  a.add(7, boxAt(95));
  b.add(8, boxAt(105));
  greet([a, b]);
  const again = Region.restore(b.snapshot(), 2);
  b.move(8, boxAt(103));
  tell(b, a);
  again.tick();
  again.tick();
  expect(again.isGhost(again.itemOf(7))).toBe(true);
  a.remove(7);
  tell(again, a);
  expect([...a.index.getBox(a.itemOf(8))]).toEqual(boxAt(103));
  tell(a, again);
  expect(again.itemOf(7)).toBe(-1);
});

it('ghosts stay when more messages have come than 32 bits count', () => {
  const [a] = makeRow(2);
  a.add(7, boxAt(95));
  const map = new RegionMap({ bounds: [0, 0, 200, 100], columns: 2, rows: 1 });
  const state = new RegionState(map, 1, { margin: 10, hysteresis: 0, ghostLifetime: 9 }, new Packed(), 1);
  for (const before of [2 ** 31 - 3, 2 ** 32 - 3]) {
    state.mark = before;
    for (let i = 0; i < 5; i++) {
      importMessage(state, new RegionMessage(a.export(1), state.hash, 2, 'test'));
      expect(state.table.itemOf(7)).not.toBe(-1);
    }
  }
});
