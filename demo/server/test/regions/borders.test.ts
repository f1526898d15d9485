import { BruteForce } from 'three-scene-index/core';
import { Interest, type Observer } from 'three-scene-index/interest';
import { expect, it } from 'vitest';
import { atWidth } from '../../../../test/helpers/width.js';
import type { Region } from '../../src/protocol/regions/index.js';
import { NO_FAULTS } from './SimulatedNetwork.js';
import { MARGIN, SIZE, SimulatedWorld } from './SimulatedWorld.js';

const MOVES = atWidth(40_000, 4_000);
const ENTITIES = atWidth(2_000, 500);

const sorted = (entities: Iterable<number>): number[] => [...entities].sort((a, b) => a - b);

/** A point in the area of a region, as a rule near its border. */
function placeIn(world: SimulatedWorld, { map, region }: Region): number[] {
  const area = map.boundsOf(region);
  const along = (c: number): number => {
    const [low, high] = [Math.max(area[c], 0), Math.min(area[c + 3], SIZE)];
    return world.next() < 0.6 ? (world.next() < 0.5 ? low : high - 0.25) : low + world.upTo(high - low);
  };
  return [along(0), world.upTo(3), along(2)];
}

/** Who gave away what in a tick. */
type Given = Map<number, Region>;

/** That of the last three ticks, the present one first. */
function givenNow(world: SimulatedWorld, before: Given[]): Given[] {
  const now = world.running.flatMap((region) => region.departed.map((entity) => [entity, region] as const));
  return [new Map(now), ...before.slice(0, 2)];
}

function givenByOthers(given: Given[], region: Region, entity: number): boolean {
  return given.some((gone) => gone.has(entity) && gone.get(entity) !== region);
}

function entitiesOf(region: Region, items: Iterable<number>, isSure: (entity: number) => boolean): number[] {
  return sorted([...items].map((item) => region.entityOf(item)).filter(isSure));
}

interface Pair {
  radius: number;
  region: Region;
  observer: Observer;
  twin: Observer;
}

/** Observers in each region, and the same ones in an index of the whole world. */
function observe(world: SimulatedWorld, whole: Interest): { interests: Interest[]; pairs: Pair[] } {
  const pairs: Pair[] = [];
  const interests = world.running.map((region) => {
    const interest = new Interest(region.index);
    for (let i = 0; i < 12; i++) {
      const radius = MARGIN - (i % 4);
      const options = { position: placeIn(world, region), radius };
      pairs.push({ radius, region, observer: interest.observe(options), twin: whole.observe(options) });
    }
    return interest;
  });
  return { interests, pairs };
}

it.each([
  ['12 regions', 4, 3],
  ['2 regions', 1, 2],
])('in %s an observer sees what it sees in one undivided world, tick by tick', (_, columns, rows) => {
  const world = new SimulatedWorld(7, columns, rows, NO_FAULTS);
  world.populate(ENTITIES);
  const undivided = new BruteForce();
  for (const { box } of world.truth.values()) undivided.add(box);
  const whole = new Interest(undivided);
  const { interests, pairs } = observe(world, whole);
  let given: Given[] = [];
  let events = 0;
  while (world.moves < MOVES) {
    for (const region of world.running) world.moveAll(region, 0.02);
    for (const region of world.running) world.tick(region);
    given = givenNow(world, given);
    world.sendAll();
    world.deliver();
    for (const [entity, { box }] of world.truth) undivided.update(entity, box);
    for (const interest of interests) interest.tick();
    whole.tick();
    for (const { region, observer, twin } of pairs) {
      // Regions that neither gave an entity nor got it hear of it an exchange later, or see it once more where it was.
      const isSure = (entity: number): boolean => region.owns(entity) || !givenByOthers(given, region, entity);
      const wasSure = (entity: number): boolean => isSure(entity) && !givenByOthers(given.slice(1), region, entity);
      expect(entitiesOf(region, observer.inView, isSure)).toEqual(sorted([...twin.inView].filter(isSure)));
      // Nothing comes into view, or goes out of it, by being handed over.
      expect(entitiesOf(region, observer.entered, wasSure)).toEqual(sorted([...twin.entered].filter(wasSure)));
      events += twin.inView.length;
    }
  }
  expect(events).toBeGreaterThan(MOVES / 50);
});

it('when messages take a tick, others are seen where they were a tick before', () => {
  const world = new SimulatedWorld(8, 4, 3, NO_FAULTS);
  world.populate(ENTITIES);
  const { interests, pairs } = observe(world, new Interest(new BruteForce()));
  let given: Given[] = [];
  let seen = 0;
  while (world.moves < MOVES / 2) {
    world.deliver();
    const before = new Map([...world.truth].map(([entity, { box }]) => [entity, [...box]]));
    for (const region of world.running) world.moveAll(region, 0.02);
    for (const region of world.running) world.tick(region);
    given = givenNow(world, given);
    world.sendAll();
    for (const interest of interests) interest.tick();
    if (given.length < 3) continue;
    for (const { radius, region, observer } of pairs) {
      const isSure = (entity: number): boolean => region.owns(entity) || !givenByOthers(given, region, entity);
      const isInView = (entity: number): boolean => {
        const isOwn = region.owns(entity) || given[0].get(entity) === region;
        const box = (isOwn ? world.truth.get(entity)?.box : before.get(entity)) ?? [];
        const { x, y, z } = observer;
        const distances = [x, y, z].map((c, i) => Math.max(box[i] - c, c - box[i + 3], 0));
        return Math.hypot(...distances) <= radius;
      };
      const expected = [...world.truth.keys()].filter((entity) => isSure(entity) && isInView(entity));
      expect(entitiesOf(region, observer.inView, isSure)).toEqual(expected);
      seen += expected.length;
    }
  }
  expect(seen).toBeGreaterThan(MOVES / 200);
});
