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
  /** Which process this is of all that have run the region; by default the time. */
  incarnation?: number;
}

/** What was kept of a region. */
export interface Saved {
  snapshot: Uint8Array;
  /** What it gave away since then, if that was kept. */
  log?: readonly Uint8Array[];
}

/**
 * A region without entities, or as it was when it was saved.
 * @throws RangeError for options that are not legal, and for a snapshot of another region, or of a world that is cut in
 * another way: its entities would be those of other regions as well.
 */
export function openRegion(place: RegionPlace, saved?: Saved): Region {
  const { size, regions = 1, region = 0, margin = 0, incarnation } = place;
  const map = new RegionMap({ bounds: [0, 0, size, size], columns: regions, rows: 1 });
  if (saved === undefined) {
    return new Region(map, region, { margin, hysteresis: 1, ...(incarnation === undefined ? {} : { incarnation }) });
  }
  const restored = Region.restore(saved.snapshot, incarnation, saved.log);
  const isSame = restored.region === region && String(restored.map.boundsOf(region)) === String(map.boundsOf(region));
  if (!isSame) throw new RangeError('openRegion: the snapshot is of a world that is cut in another way');
  return restored;
}
