import { expect, it } from 'vitest';
import { Region } from '../../src/protocol/regions/index.js';
import { boxAt, exchange, give, greet, keep, makeRow, makeThree, ownersOf, settle } from './regionRow.js';

it('a region that is restored with its log waits for its neighbours only', () => {
  const regions = makeRow(4);
  greet(regions);
  const [a, b, c] = regions;
  a.add(7, boxAt(50));
  const snapshot = keep(a);
  expect(Region.restore(snapshot, 2).recovering).toEqual([1, 2, 3]);
  const again = Region.restore(snapshot, 2, []);
  expect(again.recovering).toEqual([1]);
  // The last one never answers.
  settle([again, b, c]);
  expect(again.recovering).toEqual([]);
  expect(again.entities()).toEqual([7]);
  expect(again.recipients).toContain(3);
});

it('what it gave away after its snapshot is in the log, even where nobody else knows of it any more', () => {
  const { regions, snapshot } = makeThree();
  const [a, b, c] = regions;
  a.move(7, boxAt(150));
  a.tick();
  const log = [a.log!];
  b.import(a.export(1));
  // It is passed on and stored, so that the one in between forgets it.
  give(7, 250, b, c);
  for (const region of [b, c]) keep(region);
  for (let round = 0; round < 3; round++) exchange([b, c]);
  const again = Region.restore(snapshot, 2, log);
  expect(again.entities()).toEqual([]);
  settle([again, b, c]);
  expect(ownersOf(7, [again, b, c])).toEqual([2]);
  expect(Region.restore(snapshot, 3, [log[0], log[0]]).entities()).toEqual([]);
});

it('what it was given and had passed on is not taken a second time, however late the giver answers', () => {
  const regions = makeRow(4);
  greet(regions);
  const [a, b, c, d] = regions;
  const snapshot = keep(b);
  // From one that is no neighbour, and keeps it as the snapshot does not have it.
  d.add(7, boxAt(350));
  give(7, 150, d, b);
  b.move(7, boxAt(50));
  b.tick();
  const log = [b.log!];
  a.import(b.export(0));
  keep(a);
  const again = Region.restore(snapshot, 2, log);
  settle([a, again, c]);
  expect([again.recovering, ownersOf(7, [a, again, c])]).toEqual([[], [0]]);
  settle([a, again, c, d]);
  expect(ownersOf(7, [a, again, c, d])).toEqual([0]);
});

it('nothing is given to a region that is heard and does not hear', () => {
  const [a, b] = makeRow(2, { ghostLifetime: 5 });
  a.add(7, boxAt(50));
  const round = (isHeard: boolean): void => {
    for (const region of [a, b]) region.tick();
    const messages = [a.export(1), b.export(0)];
    if (isHeard) b.import(messages[0]);
    a.import(messages[1]);
  };
  for (let i = 0; i < 5; i++) round(true);
  for (let i = 0; i < 15; i++) round(false);
  expect([a.silent, a.deaf]).toEqual([[], [1]]);
  a.move(7, boxAt(150));
  for (let i = 0; i < 5; i++) round(false);
  expect(a.owns(7)).toBe(true);
  for (let i = 0; i < 3; i++) round(true);
  expect([a.deaf, b.entities()]).toEqual([[], [7]]);
});

it.each([
  ['another region', (log: Uint8Array) => log, 1],
  ['bytes that are cut off', (log: Uint8Array) => log.subarray(0, log.length - 8), 0],
  ['bytes that are changed', (log: Uint8Array) => log.map((byte, i) => (i === 40 ? byte ^ 1 : byte)), 0],
])('a log of %s is refused', (_, damage, at) => {
  const { regions } = makeThree();
  const snapshot = keep(regions[at]);
  regions[0].move(7, boxAt(150));
  regions[0].tick();
  const log = damage(regions[0].log!);
  expect(() => Region.restore(snapshot, 2, [log])).toThrow(RangeError);
});
