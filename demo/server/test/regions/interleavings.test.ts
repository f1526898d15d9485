import { expect, it } from 'vitest';
import { random } from '../../../../test/helpers/random.js';
import { atWidth } from '../../../../test/helpers/width.js';
import { Region } from '../../src/protocol/regions/index.js';
import { boxAt, keep, makeRow, ownersOf, settle } from './regionRow.js';

const RUNS = atWidth(200, 40);
const STEPS = 600;
/** Messages that a link holds at most; one of more is lost. */
const MOST_UNDER_WAY = 8;

/**
 * Regions of which each does one thing at a time, in any order: a process ends, a snapshot is stored or gets lost, a message
 * arrives late, twice, out of order or not at all. Whatever all do in step hides what needs one of them to be behind.
 */
class Interleaving {
  readonly regions: Region[];
  readonly entities: number[];
  readonly #next: () => number;
  readonly #stored: Uint8Array[];
  /** What each gave away since then; null where no logs are kept. */
  readonly #logs: Uint8Array[][] | null;
  readonly #links = new Map<string, Uint8Array[]>();
  #incarnation = 1;

  constructor(seed: number, hasLogs: boolean) {
    this.#next = random(seed);
    this.regions = makeRow(3 + (seed % 2), { ghostLifetime: 50 });
    this.entities = Array.from({ length: 1 + (seed % 3) }, (_, entity) => entity);
    for (const entity of this.entities) this.#any(this.regions).add(entity, this.#anywhere());
    this.#stored = this.regions.map(keep);
    this.#logs = hasLogs ? this.regions.map(() => []) : null;
  }

  /** One of those that are equally likely, or as rare as they say. */
  step(rare: { crash: number; snapshot: number; move: number; loss: number; late: number }): void {
    const region = this.#any(this.regions);
    const what = this.#next();
    if (what < rare.crash) this.#restart(region.region);
    else if (what < rare.crash + rare.snapshot || (region.isSnapshotWanted && this.#next() < 0.5)) this.#save(region);
    else if (what < rare.crash + rare.snapshot + rare.move) this.#move(region);
    else if (what < 0.5) this.#send(region, rare.loss);
    else this.#receive(region, rare.late);
  }

  #restart(at: number): void {
    this.regions[at] = Region.restore(this.#stored[at], ++this.#incarnation, this.#logs?.[at]);
  }

  #save(region: Region): void {
    const snapshot = region.snapshot();
    this.#stored[region.region] = snapshot;
    if (this.#logs !== null) this.#logs[region.region] = [];
    // It is told of that, or dies before.
    if (this.#next() < 0.8) region.stored(snapshot);
  }

  #move(region: Region): void {
    if (region.recovering.length === 0) for (const entity of region.entities()) region.move(entity, this.#anywhere());
    region.tick();
    if (region.log !== null) this.#logs?.[region.region].push(region.log);
  }

  #send(region: Region, loss: number): void {
    const to = this.#any(this.regions).region;
    if (!region.recipients.includes(to)) return;
    const link = this.#link(region.region, to);
    const bytes = region.export(to);
    if (this.#next() >= loss) link.push(bytes);
    if (link.length > MOST_UNDER_WAY) link.splice(this.#upTo(link.length), 1);
  }

  #receive(region: Region, late: number): void {
    const link = this.#link(this.#any(this.regions).region, region.region);
    if (link.length === 0) return;
    const at = this.#next() < late ? this.#upTo(link.length) : link.length - 1;
    region.import(link[at]);
    if (this.#next() < 0.5) link.splice(at, 1);
  }

  #link(from: number, to: number): Uint8Array[] {
    const name = `${from} ${to}`;
    const link = this.#links.get(name) ?? [];
    this.#links.set(name, link);
    return link;
  }

  #anywhere(): number[] {
    return boxAt(this.#upTo(100 * this.regions.length));
  }

  #any<T>(all: readonly T[]): T {
    return all[this.#upTo(all.length)];
  }

  #upTo(n: number): number {
    return Math.floor(this.#next() * n);
  }
}

function play(seed: number, hasLogs: boolean): void {
  const world = new Interleaving(seed, hasLogs);
  const rare = {
    crash: [0.004, 0.01, 0.03][seed % 3],
    move: [0.05, 0.15][(seed >> 1) % 2],
    snapshot: [0.005, 0.02, 0.1][(seed >> 2) % 3],
    loss: [0, 0.1, 0.4][(seed >> 4) % 3],
    late: [0.05, 0.3][(seed >> 5) % 2],
  };
  for (let i = 0; i < STEPS; i++) {
    world.step(rare);
    const sure = world.regions.filter(({ recovering }) => recovering.length === 0);
    const doubled = world.entities.filter((entity) => ownersOf(entity, sure).length > 1);
    if (doubled.length > 0) expect.fail(`seed ${seed}, step ${i}: ${doubled} doubled`);
  }
  for (let i = 0; i < 4; i++) settle(world.regions);
  for (const { recovering } of world.regions) expect(recovering, `seed ${seed}`).toEqual([]);
  for (const entity of world.entities) expect(ownersOf(entity, world.regions).length, `seed ${seed}`).toBe(1);
}

it.each([
  ['with logs', true],
  ['without', false],
])('whichever region is behind, nothing is lost or doubled, %s', (_, hasLogs) => {
  for (let seed = 1; seed <= RUNS; seed++) play(seed, hasLogs);
});
