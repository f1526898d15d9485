import { enableSimd } from 'three-scene-index/core';
import { Region, RegionMap, type RegionOptions } from '../../src/protocol/regions/index.js';

// Else kernels load while tests run, and one that ends before they are there fails.
enableSimd();

/** Around a point in the middle of a row. */
export const boxAt = (x: number): number[] => [x - 1, 0, 49, x + 1, 2, 51];

/** Regions of 100 in a row. */
export function makeRow(count: number, options: Partial<RegionOptions> = {}): Region[] {
  const map = new RegionMap({ bounds: [0, 0, 100 * count, 100], columns: count, rows: 1 });
  return Array.from({ length: count }, (_, region) => {
    return new Region(map, region, { margin: 10, incarnation: 1, ...options });
  });
}

/** One message, which arrives. */
export const tell = (from: Region, to: Region): boolean => to.import(from.export(to.region));

/** Each tells all others. */
export function greet(regions: readonly Region[]): void {
  for (const from of regions) for (const to of regions) if (from !== to) tell(from, to);
}

/** A tick of all, and their messages; those of a region that is left out get lost. */
export function exchange(regions: readonly Region[]): void {
  for (const region of regions) region.tick();
  const sent = regions.flatMap((region) => region.recipients.map((to) => ({ to, bytes: region.export(to) })));
  for (const { to, bytes } of sent) regions.find(({ region }) => region === to)?.import(bytes);
}

/** A snapshot that is stored. */
export function keep(region: Region): Uint8Array {
  const snapshot = region.snapshot();
  region.stored(snapshot);
  return snapshot;
}

/** Lets everything come to rest. */
export function settle(regions: readonly Region[]): void {
  for (let round = 0; round < 12; round++) {
    for (const region of regions) if (region.isSnapshotWanted) keep(region);
    exchange(regions);
  }
}

/** Moves an entity, gives it away, and says so to one region. */
export function give(entity: number, x: number, from: Region, to: Region): void {
  from.move(entity, boxAt(x));
  from.tick();
  tell(from, to);
}

/** The regions whose own an entity is. */
export const ownersOf = (entity: number, regions: readonly Region[]): number[] =>
  regions.filter((region) => region.owns(entity)).map(({ region }) => region);

/** Three in a row, of which the first has entity 7, and a snapshot with it. */
export function makeThree(): { regions: [Region, Region, Region]; snapshot: Uint8Array } {
  const regions = makeRow(3) as [Region, Region, Region];
  greet(regions);
  regions[0].add(7, boxAt(50));
  return { regions, snapshot: keep(regions[0]) };
}

/** Announces a region that was restored, and has it ready to claim its entities. */
export function announce(region: Region, ...others: Region[]): void {
  for (const other of others) tell(region, other);
  for (const other of others) if (!tell(other, region)) throw new Error(`${other.region} has not heard of it`);
}
