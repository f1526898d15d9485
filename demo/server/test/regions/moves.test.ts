import { expect, it } from 'vitest';
import { atWidth } from '../../../../test/helpers/width.js';
import { type Faults, NO_FAULTS } from './SimulatedNetwork.js';
import { SimulatedWorld } from './SimulatedWorld.js';

const MOVES = atWidth(200_000, 4_000);
const ENTITIES = atWidth(2_000, 300);

it.each<[string, number, number, Faults, number]>([
  ['in order', 4, 3, NO_FAULTS, 0],
  ['in order, with hysteresis', 4, 3, NO_FAULTS, 3],
  ['lost, doubled and late', 4, 3, { loss: 0.2, doubling: 0.2, delay: 5 }, 0],
])('no entity is lost or doubled, messages %s', (_, columns, rows, faults, hysteresis) => {
  const world = new SimulatedWorld(columns + rows + faults.delay, columns, rows, faults, { hysteresis });
  world.populate(ENTITIES);
  while (world.moves < MOVES) {
    world.deliver();
    expect(world.misplaced()).toEqual([]);
    for (const region of world.running) world.moveAll(region, 0.01);
    for (const region of world.running) world.tick(region);
    expect(world.misplaced()).toEqual([]);
    world.sendAll();
  }
  expect(world.handovers).toBeGreaterThan(MOVES / 100);
  // Once nothing moves any more and nothing is lost, all are where they belong, as they were left.
  world.network.faults = NO_FAULTS;
  for (let round = 0; round < 10; round++) {
    world.deliver();
    for (const region of world.running) world.tick(region);
    world.sendAll();
  }
  expect(world.underWay.size).toBe(0);
  expect(world.misplaced()).toEqual([]);
  for (const region of world.running) {
    for (const entity of region.entities()) {
      const { box, payload } = world.truth.get(entity) ?? { box: [], payload: -1 };
      expect([...region.index.getBox(region.itemOf(entity))]).toEqual(box);
      expect(region.payloadOf(entity)[0]).toBe(payload);
      if (hysteresis > 0) continue;
      expect(world.map.regionAt((box[0] + box[3]) / 2, (box[2] + box[5]) / 2)).toBe(region.region);
    }
  }
});
