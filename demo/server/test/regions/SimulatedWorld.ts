import { enableSimd } from 'three-scene-index/core';
import { random } from '../../../../test/helpers/random.js';
import { Region, RegionMap, type RegionOptions } from '../../src/protocol/regions/index.js';
import { type Faults, SimulatedNetwork } from './SimulatedNetwork.js';

// Else kernels load while tests run, and one that ends before they are there fails.
enableSimd();

export const SIZE = 400;
export const MARGIN = 12;

/** An entity, as its owner left it last. */
export interface TrueEntity {
  box: number[];
  payload: number;
}

/** A world in regions, all in this process, with a network between them and what is known to be true beside it. */
export class SimulatedWorld {
  readonly next: () => number;
  readonly map: RegionMap;
  /** Null for a region whose process has died. */
  readonly regions: (Region | null)[];
  readonly network: SimulatedNetwork;
  readonly truth = new Map<number, TrueEntity>();
  /** Where entities were said to have gone and not to have arrived. */
  readonly underWay = new Set<number>();
  moves = 0;
  handovers = 0;
  incarnations = 1;

  constructor(seed: number, columns: number, rows: number, faults: Faults, options: Partial<RegionOptions> = {}) {
    this.next = random(seed);
    this.map = new RegionMap({ bounds: [0, 0, SIZE, SIZE], columns, rows });
    this.network = new SimulatedNetwork(faults, this.next);
    this.regions = Array.from({ length: this.map.count }, (_, region) => {
      return new Region(this.map, region, { margin: MARGIN, ghostLifetime: 5, incarnation: 1, ...options });
    });
  }

  upTo(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** The regions whose process runs. */
  get running(): Region[] {
    return this.regions.filter((region) => region !== null);
  }

  /** Coordinates are multiples of a quarter, so that entities stand on borders and corners, and on edges of views, often. */
  randomBox(): number[] {
    const min = [this.upTo(4 * SIZE) / 4, 0, this.upTo(4 * SIZE) / 4];
    const size = [this.upTo(5), 1, this.upTo(5)];
    return [...min, ...min.map((c, i) => c + size[i])];
  }

  populate(count: number): void {
    for (let entity = 0; entity < count; entity++) {
      const box = this.randomBox();
      this.truth.set(entity, { box, payload: 0 });
      const home = this.map.regionAt((box[0] + box[3]) / 2, (box[2] + box[5]) / 2);
      this.regions[home]?.add(entity, box, Uint8Array.of(0));
    }
  }

  /** A small step, or now and then a jump to anywhere, for each entity of a region. */
  moveAll(region: Region, jumps: number): void {
    const entities = region.entities();
    const boxes = new Float64Array(6 * entities.length);
    entities.forEach((entity, i) => {
      const own = this.truth.get(entity);
      if (own === undefined) throw new Error(`${entity} was never made`);
      if (this.next() < jumps) own.box = this.randomBox();
      else {
        const step = [(this.upTo(9) - 4) / 2, 0, (this.upTo(9) - 4) / 2];
        for (let c = 0; c < 6; c++) own.box[c] += step[c % 3];
      }
      boxes.set(own.box, 6 * i);
      if (this.next() < 0.05) {
        own.payload = this.upTo(256);
        region.setPayload(entity, new Uint8Array(1 + (own.payload % 20)).fill(own.payload));
      }
    });
    region.moveAll(entities, boxes);
    this.moves += entities.length;
  }

  tick(region: Region): void {
    region.tick();
    for (const entity of region.departed) {
      if (this.underWay.has(entity)) throw new Error(`${entity} departed twice`);
      this.underWay.add(entity);
    }
    this.handovers += region.departed.length;
  }

  sendAll(): void {
    for (const region of this.running) {
      for (const to of region.recipients) this.network.send(to, region.export(to));
    }
  }

  deliver(): void {
    this.network.deliver((to, bytes) => {
      const region = this.regions[to];
      const before = region?.arrived.length ?? 0;
      region?.import(bytes);
      for (const entity of region?.arrived.slice(before) ?? []) {
        if (!this.underWay.delete(entity)) throw new Error(`${entity} arrived and was not under way`);
      }
    });
  }

  /** How many regions own each entity, of those which know that it is theirs. */
  owners(): Map<number, number> {
    const owners = new Map<number, number>();
    for (const region of this.running) {
      if (region.recovering.length > 0) continue;
      for (const entity of region.entities()) owners.set(entity, (owners.get(entity) ?? 0) + 1);
    }
    return owners;
  }

  /** Entities that are not in exactly one place: owned by a region, or under way. */
  misplaced(): number[] {
    const owners = this.owners();
    return [...this.truth.keys()].filter((e) => (owners.get(e) ?? 0) + (this.underWay.has(e) ? 1 : 0) !== 1);
  }
}
