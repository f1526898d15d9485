import { expect, it } from 'vitest';
import { Region } from '../../src/protocol/regions/index.js';
import { Recovery } from '../../src/protocol/regions/Recovery.js';
import type { RegionMessage } from '../../src/protocol/regions/RegionMessage.js';
import { announce, boxAt, give, greet, keep, makeRow, makeThree, ownersOf, settle, tell } from './regionRow.js';

/** Restores the first of three from before it gave entity 7 to the second; only the third has answered it. */
function restoreFirst([a, b, c]: readonly Region[], snapshot: Uint8Array): Region {
  give(7, 150, a, b);
  const again = Region.restore(snapshot, 2);
  announce(again, b, c);
  tell(again, c);
  tell(c, again);
  expect(again.recovering).toEqual([1]);
  return again;
}

it('what is given away while a region claims it is kept by the giver until that region is back', () => {
  const { regions, snapshot } = makeThree();
  const [, b, c] = regions;
  const again = restoreFirst(regions, snapshot);
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
  const [, b, c] = regions;
  const before = b.snapshot();
  const again = restoreFirst(regions, snapshot);
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
  const [, b, c] = regions;
  const before = b.snapshot();
  restoreFirst(regions, snapshot);
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

it('what is given away is kept from the first sign that a region comes back, though that was for a former process', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  const other = Region.restore(keep(b), 2);
  settle([a, other, c]);
  give(7, 150, a, other);
  const again = Region.restore(snapshot, 2);
  expect(tell(again, other)).toBe(false);
  tell(again, c);
  for (const region of [other, c]) expect(tell(region, again)).toBe(true);
  tell(again, c);
  tell(c, again);
  expect(again.recovering).toEqual([1]);
  give(7, 250, other, c);
  tell(c, other);
  settle([again, other, c]);
  expect(again.recovering).toEqual([]);
  expect(ownersOf(7, [again, other, c])).toEqual([2]);
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
