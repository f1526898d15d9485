import { expect, it } from 'vitest';
import { atWidth, seeds } from '../../../../test/helpers/width.js';
import { Region } from '../../src/protocol/regions/index.js';
import { type Faults, NO_FAULTS } from './SimulatedNetwork.js';
import { SimulatedWorld } from './SimulatedWorld.js';

const ROUNDS = atWidth(400, 100);
const ENTITIES = 150;

/** What would be found after a crash, and what is being written for each region. */
class SimulatedDisk {
  readonly kept: Uint8Array[];
  /** What each gave away since then, tick by tick. */
  readonly logs: Uint8Array[][];
  readonly #writes = new Map<number, { region: Region; bytes: Uint8Array; rounds: number; logged: number }>();

  constructor(world: SimulatedWorld) {
    this.kept = world.running.map((region) => region.snapshot());
    for (const region of world.running) region.stored(this.kept[region.region]);
    this.logs = this.kept.map(() => []);
  }

  /** Begins to write a snapshot, unless the last one is not written yet. */
  write(region: Region, rounds: number): void {
    if (this.#writes.has(region.region)) return;
    this.#writes.set(region.region, {
      region,
      bytes: region.snapshot(),
      rounds,
      logged: this.logs[region.region].length,
    });
  }

  /** What was being written is there, also if the process has died meanwhile; if it runs it is told. */
  round(world: SimulatedWorld): void {
    for (const [at, write] of this.#writes) {
      const running = world.regions[at];
      if (write.rounds-- > 0 && (running === null || running === write.region)) continue;
      this.#writes.delete(at);
      if (running !== null && running !== write.region) continue;
      this.kept[at] = write.bytes;
      this.logs[at].splice(0, write.logged);
      running?.stored(write.bytes);
    }
  }
}

/** Kills and restarts processes at random; returns how many entities had to go from a restored region. */
function play(seed: number, faults: Faults, hasLogs: boolean): { restarts: number; ended: number } {
  const world = new SimulatedWorld(seed, 3, 2, faults);
  world.populate(ENTITIES);
  const disk = new SimulatedDisk(world);
  let restarts = 0;
  let ended = 0;
  const restart = (at: number): void => {
    world.regions[at] = Region.restore(disk.kept[at], ++world.incarnations, hasLogs ? disk.logs[at] : undefined);
    restarts++;
  };
  const round = (isQuiet: boolean): void => {
    for (let at = 0; at < world.regions.length; at++) {
      const isDead = world.regions[at] === null;
      if (isDead && (isQuiet || world.next() < 0.15)) restart(at);
      else if (!(isDead || isQuiet) && world.next() < 0.03) world.regions[at] = null;
    }
    world.network.deliver((to, bytes) => void world.regions[to]?.import(bytes));
    for (const region of world.running) {
      if (!isQuiet && region.recovering.length === 0) world.moveAll(region, 0.05);
      if (region.isSnapshotWanted || world.next() < 0.1) disk.write(region, world.upTo(4));
    }
    for (const region of world.running) {
      const before = region.departed.length;
      ended += before;
      region.tick();
      if (region.log !== null) disk.logs[region.region].push(region.log);
    }
    disk.round(world);
    const doubled = [...world.owners()].filter(([, count]) => count > 1);
    expect(doubled, `seed ${seed}`).toEqual([]);
    world.sendAll();
  };
  for (let i = 0; i < ROUNDS; i++) round(false);
  world.network.faults = NO_FAULTS;
  for (let i = 0; i < 40; i++) round(true);
  for (const region of world.running) expect(region.recovering, `seed ${seed}`).toEqual([]);
  const owners = world.owners();
  const lost = [...world.truth.keys()].filter((entity) => owners.get(entity) !== 1);
  expect(lost, `seed ${seed}`).toEqual([]);
  return { restarts, ended };
}

it.each(seeds(8, 2))('restarts lose and double nothing, seed %i', (seed) => {
  const { restarts } = play(seed, seed % 2 === 0 ? NO_FAULTS : { loss: 0.2, doubling: 0.2, delay: 5 }, seed % 4 < 2);
  expect(restarts).toBeGreaterThan(ROUNDS / 40);
});
