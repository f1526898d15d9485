import { expect, it } from 'vitest';
import { Recovery } from '../../../src/interest/regions/Recovery.js';
import { RegionMessage } from '../../../src/interest/regions/RegionMessage.js';
import { Region } from '../../../src/interest.js';
import { boxAt, exchange, give, greet, keep, makeRow, ownersOf, settle, tell } from './regionRow.js';

/** Three in a row, of which the first has entity 7, and a snapshot with it. */
function makeThree(): { regions: [Region, Region, Region]; snapshot: Uint8Array } {
  const regions = makeRow(3) as [Region, Region, Region];
  greet(regions);
  regions[0].add(7, boxAt(50));
  return { regions, snapshot: keep(regions[0]) };
}

/** Announces a region, and has its claims ready for all. */
function announce(region: Region, ...others: Region[]): void {
  for (const other of others) tell(region, other);
  for (const other of others) expect(tell(other, region)).toBe(true);
}

it('what is given away while a region claims it is kept by the giver until that region is back', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  give(7, 150, a, b);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  tell(again, c);
  tell(c, again);
  expect(again.recovering).toEqual([1]);
  // To one that has answered already, and says at once that it has it for good.
  give(7, 250, b, c);
  tell(c, b);
  tell(again, b);
  tell(b, again);
  expect([again.recovering, again.entities(), b.entities(), c.entities()]).toEqual([[], [], [], [7]]);
  expect(again.departed).toEqual([7]);
});

it.each([
  ['is restored', (snapshot: Uint8Array) => Region.restore(snapshot, 2)],
  ['begins anew', () => makeRow(3, { incarnation: 2 })[1]],
])('all are asked again when one that has not answered dies and %s', (_, restart) => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  const before = b.snapshot();
  give(7, 150, a, b);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  tell(again, c);
  tell(c, again);
  expect(again.recovering).toEqual([1]);
  give(7, 250, b, c);
  const three = [again, restart(before), c];
  settle(three);
  expect(again.recovering).toEqual([]);
  expect(ownersOf(7, three)).toEqual([2]);
});

it('all are asked again when another region has announced itself: what it sent before may arrive until then', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  const before = keep(b);
  give(7, 150, a, b);
  b.move(7, boxAt(250));
  b.tick();
  const late = b.export(2);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  const other = Region.restore(before, 2);
  expect(tell(other, again)).toBe(false);
  for (let round = 0; round < 4; round++) {
    for (const region of [c, other]) {
      tell(again, region);
      if (region.isSnapshotWanted) keep(region);
      expect(tell(region, again)).toBe(true);
    }
  }
  // It has not heard of the other one's restart.
  expect(c.import(late)).toBe(true);
  settle([again, other, c]);
  expect([again.recovering, other.recovering]).toEqual([[], []]);
  expect(ownersOf(7, [again, other, c])).toEqual([2]);
});

it('one that was restored takes in what it was given and forgot, though a third one tells of a later owner', () => {
  const [a, b, c] = makeRow(3);
  greet([a, b, c]);
  a.add(7, boxAt(50));
  const [before, beforeOf] = [keep(b), keep(c)];
  give(7, 150, a, b);
  give(7, 205, b, c);
  const again = Region.restore(before, 2);
  tell(again, c);
  tell(c, again);
  expect(again.isGhost(again.itemOf(7))).toBe(true);
  tell(again, a);
  tell(a, again);
  expect(again.owns(7)).toBe(true);
  // The later owner dies with it.
  const three = [a, again, Region.restore(beforeOf, 2)];
  settle(three);
  expect(ownersOf(7, three)).toEqual([1]);
});

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

it('of what several answer the latest counts, in any order', () => {
  const answer = (from: number, epoch: number): RegionMessage =>
    ({ from, answeredRound: 1, answers: [{ entity: 7, epoch }] }) as Partial<RegionMessage> as RegionMessage;
  const recovery = new Recovery([1, 2, 3]);
  const heard = [answer(1, 2), answer(2, 4), answer(3, 3)];
  expect(heard.map((message) => recovery.hear(message))).toEqual([false, false, false]);
  expect(heard.map((message) => recovery.hear(message))).toEqual([false, false, true]);
  expect([...recovery.known]).toEqual([[7, 4]]);
});

it('one that was restored has again what it forgot before it claims, also from one that was restored before it', () => {
  const { regions } = makeThree();
  const [a, b, c] = regions;
  const before = keep(b);
  const giver = Region.restore(keep(a), 2);
  settle([giver, b, c]);
  give(7, 150, giver, b);
  tell(b, giver);
  give(7, 250, b, c);
  // By its snapshot the other one is in its first life.
  const again = Region.restore(before, 2);
  expect(tell(again, giver)).toBe(false);
  tell(again, c);
  tell(c, again);
  expect(tell(giver, again)).toBe(true);
  expect(again.owns(7)).toBe(true);
  settle([giver, again, c]);
  expect(ownersOf(7, [giver, again, c])).toEqual([2]);
});

it('what was answered to a former process is asked anew', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  const before = b.snapshot();
  give(7, 150, a, b);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  tell(again, c);
  tell(c, again);
  give(7, 250, b, c);
  const third = Region.restore(snapshot, 3);
  const other = Region.restore(before, 2);
  // It has announced itself before the third one claims, so that there is but one round.
  announce(other, c);
  tell(other, third);
  tell(third, other);
  tell(other, third);
  tell(third, c);
  tell(c, third);
  settle([third, other, c]);
  expect([third.recovering, other.recovering]).toEqual([[], []]);
  expect(ownersOf(7, [third, other, c])).toEqual([2]);
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

it('a message from one that has not heard of the restart does not count', () => {
  const [a, b, c] = makeRow(3);
  a.add(7, boxAt(50));
  const snapshot = keep(a);
  a.move(7, boxAt(150));
  a.tick();
  const late = a.export(1);
  const again = Region.restore(snapshot, 2);
  // It has never heard of this region at all.
  expect(tell(b, again)).toBe(false);
  for (let round = 0; round < 3; round++) {
    tell(again, c);
    tell(c, again);
  }
  expect(again.recovering).toEqual([1]);
  expect(b.import(late)).toBe(true);
  give(7, 250, b, c);
  tell(c, b);
  settle([again, b, c]);
  expect(again.recovering).toEqual([]);
  expect(ownersOf(7, [again, b, c])).toEqual([2]);
});

it('what a former process has sent is ignored from the first sign of the next one, though that was for a former one too', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  const other = Region.restore(keep(b), 2);
  settle([a, other, c]);
  a.move(7, boxAt(150));
  a.tick();
  const late = a.export(1);
  // Its snapshot is older than the restart of the other one.
  const again = Region.restore(snapshot, 2);
  expect(tell(again, other)).toBe(false);
  expect(other.import(late)).toBe(false);
  settle([again, other, c]);
  expect(ownersOf(7, [again, other, c])).toEqual([0]);
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
