import { Grid, Packed } from 'three-scene-index/core';
import { Interest } from 'three-scene-index/interest';
import { describe, expect, it } from 'vitest';
import { Region, RegionMap, type RegionOptions } from '../../src/protocol/regions/index.js';
import { boxAt, exchange, makeRow } from './regionRow.js';

/** Four regions of 100 in a row. */
const makeRegions = (options: Partial<RegionOptions> = {}): Region[] => makeRow(4, options);

it('an entity near a border is a ghost next door, with its payload, and keeps its item when it crosses', () => {
  const regions = makeRegions();
  const [a, b, c] = regions;
  a.add(7, boxAt(80), Uint8Array.of(1, 2, 3));
  exchange(regions);
  expect(b.itemOf(7)).toBe(-1);
  a.move(7, boxAt(91));
  exchange(regions);
  const item = b.itemOf(7);
  expect(b.isGhost(item)).toBe(true);
  expect(b.entityOf(item)).toBe(7);
  expect([...b.payloadOf(7)]).toEqual([1, 2, 3]);
  expect([...b.index.getBox(item)]).toEqual(boxAt(91));
  expect(c.itemOf(7)).toBe(-1);
  a.setPayload(7, Uint8Array.of(4));
  a.move(7, boxAt(100));
  const own = a.itemOf(7);
  exchange(regions);
  expect([a.owns(7), b.owns(7), b.isGhost(item)]).toEqual([false, true, false]);
  expect([a.departed, b.arrived, b.entities(), b.itemOf(7)]).toEqual([[7], [7], [7], item]);
  expect([...b.payloadOf(7)]).toEqual([4]);
  b.move(7, boxAt(104));
  exchange(regions);
  expect([a.itemOf(7), a.isGhost(own)]).toEqual([own, true]);
  expect([...a.index.getBox(own)]).toEqual(boxAt(104));
  b.remove(7);
  exchange(regions);
  expect(regions.map(({ index }) => index.size)).toEqual([0, 0, 0, 0]);
});

it('who goes along a border stays with its owner, up to the hysteresis', () => {
  const regions = makeRegions({ hysteresis: 2 });
  const [a, b] = regions;
  a.add(7, boxAt(99));
  for (const x of [101, 99, 102]) {
    a.move(7, boxAt(x));
    exchange(regions);
    expect([a.owns(7), b.isGhost(b.itemOf(7))]).toEqual([true, true]);
  }
  a.move(7, boxAt(102.5));
  exchange(regions);
  expect(b.owns(7)).toBe(true);
});

it('an entity that jumps far away, or is added far away, goes where it belongs', () => {
  const regions = makeRegions();
  const [a, , , d] = regions;
  a.add(7, boxAt(50));
  a.add(8, boxAt(350));
  exchange(regions);
  expect([d.owns(8), a.isGhost(a.itemOf(8))]).toEqual([true, true]);
  a.move(7, boxAt(390));
  exchange(regions);
  exchange(regions);
  expect([d.entities(), a.index.size, a.recipients]).toEqual([[8, 7], 0, [1]]);
});

it('a neighbour that is not heard of is silent: its ghosts go, and entities stay until it speaks again', () => {
  const regions = makeRegions({ ghostLifetime: 3 });
  const [a, b, c, d] = regions;
  b.add(7, boxAt(105));
  a.add(8, boxAt(95));
  exchange(regions);
  const ghost = a.itemOf(7);
  for (let age = 1; age <= 3; age++) {
    exchange([a, c, d]);
    expect([a.silent, a.itemOf(7), a.ageOf(ghost)]).toEqual([[], ghost, age]);
  }
  exchange([a, c, d]);
  expect([a.silent, c.silent, d.silent, a.itemOf(7)]).toEqual([[1], [1], [], -1]);
  a.move(8, boxAt(105));
  exchange([a, c, d]);
  expect([a.owns(8), a.departed]).toEqual([true, []]);
  a.move(8, boxAt(106));
  exchange(regions);
  expect([a.silent, a.isGhost(a.itemOf(7)), a.owns(8)]).toEqual([[], true, true]);
  exchange(regions);
  expect(b.entities()).toEqual([7, 8]);
});

it('an entity waits for a region that died before it was heard of that, and gets there once it is back', () => {
  const regions = makeRegions({ ghostLifetime: 2 });
  const [a, b, c, d] = regions;
  a.add(8, boxAt(95));
  exchange(regions);
  const snapshot = b.snapshot();
  b.stored(snapshot);
  a.move(8, boxAt(105));
  for (let i = 0; i < 10; i++) exchange([a, c, d]);
  expect([a.owns(8), a.isGhost(a.itemOf(8)), a.recipients]).toEqual([false, true, [1]]);
  expect(() => a.move(8, boxAt(95))).toThrow('no entity of its own is 8');
  const again = Region.restore(snapshot, 2);
  for (let i = 0; i < 5; i++) exchange([a, again, c, d]);
  expect([again.recovering, again.entities()]).toEqual([[], [8]]);
});

it('a message counts once, and none that an older process sends, or that is meant for it', () => {
  const regions = makeRegions();
  const [a, b, c, d] = regions;
  const first = a.export(1);
  const second = a.export(1);
  expect([b.import(second), b.import(first), b.import(second)]).toEqual([true, false, false]);
  const snapshot = a.snapshot();
  const restored = Region.restore(snapshot, 5);
  expect([b.import(restored.export(1)), b.import(a.export(1))]).toEqual([true, false]);
  expect([a.isReplaced, a.import(b.export(0)), a.isReplaced]).toEqual([false, false, true]);
  for (let i = 0; i < 4; i++) exchange([restored, b, c, d]);
  expect([restored.recovering, restored.isReplaced]).toEqual([[], false]);
});

it('a region that is restored waits until all others have answered, and asks for their snapshots', () => {
  const regions = makeRegions();
  const [a, b, c, d] = regions;
  a.add(1, boxAt(50));
  b.add(2, boxAt(150));
  const kept = regions.map((region) => region.snapshot());
  for (const region of regions) region.stored(kept[region.region]);
  exchange(regions);
  a.move(1, boxAt(150));
  b.move(2, boxAt(50));
  exchange(regions);
  expect([a.entities(), b.entities()]).toEqual([[2], [1]]);
  // As it was: it has 1, which it has given away, and not 2, which it was given.
  const restored = Region.restore(kept[0], 2);
  expect([restored.entities(), restored.recovering]).toEqual([[1], [1, 2, 3]]);
  for (let i = 0; i < 5; i++) exchange([restored, b, c, d]);
  expect([restored.entities(), restored.recovering]).toEqual([
    [1, 2],
    [1, 2, 3],
  ]);
  expect([b, c, d].map((region) => region.isSnapshotWanted)).toEqual([true, true, true]);
  for (const region of [b, c, d]) region.stored(region.snapshot());
  expect(b.isSnapshotWanted).toBe(false);
  for (let i = 0; i < 2; i++) exchange([restored, b, c, d]);
  expect([restored.entities(), restored.recovering, restored.departed]).toEqual([[2], [], []]);
  expect(b.entities()).toEqual([1]);
});

it('a region without others is restored at once, on any index', () => {
  const one = new RegionMap({ bounds: [0, 0, 1, 1], columns: 1, rows: 1 });
  for (const index of [new Grid(), new Packed()]) {
    const region = new Region(one, 0, { margin: 0, index });
    const wall = index.add([0, 0, 0, 1, 1, 1]);
    const item = region.add(Number.MAX_SAFE_INTEGER, boxAt(3), new Uint8Array(65_535).fill(9));
    const restored = Region.restore(region.snapshot());
    expect(restored.recovering).toEqual([]);
    expect(restored.index.structure).toBe(index.structure);
    expect([restored.itemOf(Number.MAX_SAFE_INTEGER), restored.entityOf(item)]).toEqual([
      item,
      Number.MAX_SAFE_INTEGER,
    ]);
    expect([restored.entityOf(wall), restored.isGhost(wall), restored.index.size]).toEqual([-1, false, 2]);
    const payload = restored.payloadOf(Number.MAX_SAFE_INTEGER);
    expect([payload.length, payload.every((byte) => byte === 9)]).toEqual([65_535, true]);
  }
});

it.each([
  ['packed', new Packed()],
  ['grid', new Grid()],
])('of an entity that is moved twice at once the last box counts, in a %s', (_, index) => {
  const [a, b] = [makeRow(2, { index })[0], makeRow(2)[1]];
  for (let entity = 0; entity < 100; entity++) a.add(entity, boxAt(entity % 90));
  const entities = [7, ...Array.from({ length: 100 }, (_, entity) => entity), 7];
  a.moveAll(
    entities,
    entities.flatMap((entity, i) => boxAt(i === 0 ? 150 : i === 101 ? 60 : entity % 80)),
  );
  expect([...a.index.getBox(a.itemOf(7))]).toEqual(boxAt(60));
  expect([...a.index.queryPoint(60, 1, 50)]).toContain(a.itemOf(7));
  exchange([a, b]);
  expect(a.owns(7)).toBe(true);
});

it('observers of an index that was restored see items that stay as the same', () => {
  const [region] = makeRegions();
  for (let i = 0; i < 40; i++) region.add(i, boxAt(10 + i));
  const interest = new Interest(Region.restore(region.snapshot(), 2).index);
  const observer = interest.observe({ position: [30, 0, 50], radius: 30 });
  interest.tick();
  expect(observer.entered.length).toBe(40);
  interest.tick();
  expect([observer.inView.length, observer.entered.length, observer.left.length]).toEqual([40, 0, 0]);
});

describe('arguments that make no sense are refused by name, and change nothing', () => {
  const [region] = makeRegions();
  const { map } = region;
  region.add(1, boxAt(50));
  const bytes = new Uint8Array(1);
  const calls: [string, new () => Error, (it: never) => void][] = [
    ['Region: map', TypeError, () => new Region({} as RegionMap, 0, { margin: 1 })],
    ['Region.region', RangeError, () => new Region(map, 4, { margin: 1 })],
    ['Region: options', TypeError, () => new Region(map, 0, null as unknown as RegionOptions)],
    ['Region.margin', TypeError, () => new Region(map, 0, {} as RegionOptions)],
    ['Region.margin', RangeError, () => new Region(map, 0, { margin: -1 })],
    ['Region.ghostLifetime', RangeError, () => new Region(map, 0, { margin: 1, ghostLifetime: 0 })],
    ['Region.incarnation', RangeError, () => new Region(map, 0, { margin: 1, incarnation: 0 })],
    ['Region.index', TypeError, (it) => new Region(map, 0, { margin: 1, index: it })],
    ['Region.colour', RangeError, () => new Region(map, 0, { margin: 1, colour: 1 } as RegionOptions)],
    ['Region.restore.incarnation', RangeError, () => Region.restore(region.snapshot(), 1)],
    ['Region.add.entity', RangeError, () => region.add(1, boxAt(3))],
    ['Region.add.entity', RangeError, () => region.add(-1, boxAt(3))],
    ['Region.add.entity', RangeError, () => region.add(2 ** 53, boxAt(3))],
    ['Region.add.entity', TypeError, (it) => region.add(it, boxAt(3))],
    ['Region.add.box', RangeError, () => region.add(2, [0, 0, 0, 1, 1, Number.POSITIVE_INFINITY])],
    ['Region.add.box', RangeError, () => region.add(2, [1, 0, 0, 0, 1, 1])],
    ['Region.add.payload', RangeError, () => region.add(2, boxAt(3), new Uint8Array(65_536))],
    ['Region.add.payload', TypeError, (it) => region.add(2, boxAt(3), it)],
    ['Region.move.entity', RangeError, () => region.move(2, boxAt(3))],
    ['Region.move.box', RangeError, () => region.move(1, [0, 0, 0])],
    ['Region.moveAll.entities', TypeError, () => region.moveAll(3 as unknown as number[], [])],
    ['Region.moveAll.entities', RangeError, () => region.moveAll([1, 2], [...boxAt(3), ...boxAt(3)])],
    ['Region.moveAll', RangeError, () => region.moveAll([1], [])],
    ['Region.moveAll.boxes', RangeError, () => region.moveAll([1], [0, 0, 0, 1, 1, Number.POSITIVE_INFINITY])],
    ['Region.remove.entity', RangeError, () => region.remove(2)],
    ['Region.setPayload.entity', RangeError, () => region.setPayload(2, bytes)],
    ['Region.setPayload.payload', TypeError, (it) => region.setPayload(1, it)],
    ['Region.payloadOf', RangeError, () => region.payloadOf(2)],
    ['Region.export.to', RangeError, () => region.export(0)],
    ['Region.export.to', RangeError, () => region.export(9)],
  ];
  it.each(calls)('%s: %s', (name, kind, call) => {
    const { version } = region.index;
    const attempt = (): void => call({} as never);
    expect(attempt).toThrow(kind);
    expect(attempt).toThrow(name);
    expect([region.index.version, region.entities(), region.payloadOf(1).length]).toEqual([version, [1], 0]);
    // What was read before the error is not applied later.
    region.moveAll([], []);
    region.tick();
    expect([...region.index.getBox(region.itemOf(1))]).toEqual(boxAt(50));
  });
});
