import { expect, it } from 'vitest';
import { importMessage } from '../../../src/interest/regions/importMessage.js';
import { RegionMessage } from '../../../src/interest/regions/RegionMessage.js';
import { RegionState } from '../../../src/interest/regions/RegionState.js';
import { RegionMap } from '../../../src/interest.js';
import { Packed } from '../../../src/standalone.js';
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
