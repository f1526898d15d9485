import { expect, it } from 'vitest';
import { Region } from '../../src/protocol/regions/index.js';
import { RegionMessage } from '../../src/protocol/regions/RegionMessage.js';
import {
  announce,
  boxAt,
  exchange,
  give,
  greet,
  keep,
  makeRow,
  makeThree,
  ownersOf,
  settle,
  tell,
} from './regionRow.js';

it('one that was restored is given nothing until it is back, and all hear of that', () => {
  const regions = makeRow(4);
  const [a, b, c, d] = regions;
  greet(regions);
  c.add(7, boxAt(295));
  const again = Region.restore(keep(d), 2);
  announce(again, a, b, c);
  c.move(7, boxAt(305));
  c.tick();
  expect([c.owns(7), c.departed]).toEqual([true, []]);
  settle([a, b, c, again]);
  expect([again.recovering, again.entities()]).toEqual([[], [7]]);
  // One that is no neighbour as well.
  a.add(8, boxAt(350));
  settle([a, b, c, again]);
  expect(again.entities()).toEqual([7, 8]);
});

it('those who have answered say so no longer once the region is back', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  give(7, 150, a, b);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  tell(again, b);
  const read = (bytes: Uint8Array): RegionMessage => new RegionMessage(bytes, a.map.hash(10, 0), 3, 'test');
  expect(read(b.export(0)).answers).toEqual([{ entity: 7, epoch: 2 }]);
  settle([again, b, c]);
  expect([again.recovering, read(b.export(0)).answers]).toEqual([[], []]);
});

it('a snapshot is waited for once in a round, however often it is asked for', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  keep(b);
  give(7, 150, a, b);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  tell(again, b);
  expect(b.isSnapshotWanted).toBe(true);
  const answer = b.snapshot();
  tell(again, b);
  // For all that it knows this one could not be stored.
  expect(b.isSnapshotWanted).toBe(true);
  b.stored(answer);
  expect(b.isSnapshotWanted).toBe(false);
  tell(again, b);
  tell(b, again);
  expect(again.recovering).toEqual([2]);
});

it('what was beyond the border, and what others had said, is in the snapshot', () => {
  const { regions } = makeThree();
  const [a, b, c] = regions;
  a.move(7, boxAt(150));
  const again = Region.restore(keep(a), 2);
  const message = new RegionMessage(again.export(1), a.map.hash(10, 0), 3, 'test');
  expect([message.acknowledged, message.remembered]).toEqual([
    { incarnation: 1, sequence: 1 },
    { incarnation: 1, sequence: 1 },
  ]);
  settle([again, b, c]);
  expect(ownersOf(7, [again, b, c])).toEqual([1]);
});

it('one that begins anew is told from the former one by those who give to it, near or far', () => {
  const regions = makeRow(4);
  const [a, b, c] = regions;
  greet(regions);
  a.add(8, boxAt(350));
  for (let round = 0; round < 3; round++) exchange([a, b, c]);
  expect(a.owns(8)).toBe(false);
  const anew = makeRow(4, { incarnation: 2 })[3];
  settle([a, b, c, anew]);
  expect([anew.entities(), a.itemOf(8)]).toEqual([[8], -1]);
});

it('who has stored what it was given says so, also to one that is no neighbour, which keeps it until then', () => {
  const regions = makeRow(4);
  const [a, , , d] = regions;
  keep(d);
  const { length } = a.snapshot();
  a.add(8, boxAt(350));
  settle(regions);
  expect([d.entities(), a.index.size]).toEqual([[8], 0]);
  // Stamp, entity, epoch, length and box.
  expect(a.snapshot().length).toBe(length + 16 + 64);
  keep(d);
  expect(d.recipients).toEqual([0, 2]);
  settle(regions);
  expect(d.recipients).toEqual([2]);
  expect(a.snapshot().length).toBe(length);
});

it('what is given back and forth is kept once, for however long a region does not come back', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  const before = keep(b);
  // It begins to come back, and dies again.
  announce(Region.restore(keep(c), 2), a, b);
  for (let i = 0; i < 500; i++) {
    give(7, 150, a, b);
    give(7, 50, b, a);
  }
  give(7, 150, a, b);
  expect(b.owns(7)).toBe(true);
  expect(a.snapshot().length).toBeLessThan(snapshot.length + 10_000);
  const three = [a, Region.restore(before, 2), Region.restore(keep(c), 3)];
  settle(three);
  expect(ownersOf(7, three)).toEqual([1]);
});
