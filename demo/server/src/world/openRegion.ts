import { Region, RegionMap } from '../protocol/regions/index.js';

/** Which part of a world a region is. */
export interface RegionPlace {
  /** The world is a square from 0 to this along x and z. */
  size: number;
  /** It is cut along x into so many regions, of which this is one. */
  regions?: number;
  region?: number;
  /** How far beyond its border a region sees. */
  margin?: number;
}

/**
 * A region without entities, or as it was when it was saved.
 * @throws RangeError for options that are not legal, and for a snapshot of another region, or of a world that is cut in
 * another way: its entities would be those of other regions as well.
 */
export function openRegion({ size, regions = 1, region = 0, margin = 0 }: RegionPlace, snapshot?: Uint8Array): Region {
  const map = new RegionMap({ bounds: [0, 0, size, size], columns: regions, rows: 1 });
  if (snapshot === undefined) return new Region(map, region, { margin, hysteresis: 1 });
  const saved = Region.restore(snapshot);
  const isSame = saved.region === region && String(saved.map.boundsOf(region)) === String(map.boundsOf(region));
  if (!isSame) throw new RangeError('openRegion: the snapshot is of a world that is cut in another way');
  return saved;
}
