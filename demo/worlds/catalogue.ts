import { COLLISION_CONTROLS } from '../collisions/controls.js';
import { FOREST_CONTROLS } from '../forest/controls.js';
import { RANGE_CONTROLS } from '../range/controls.js';
import { SATELLITE_CONTROLS } from '../satellites/controls.js';
import type { Controls, Values } from '../state/Control.js';
import type { Settings } from '../state/Settings.js';
import type { World } from './World.js';

/** A world on offer. Whatever is named here is on the bar, on the panel and in the address of the page. */
export interface Offer<C extends Controls = Controls> {
  title: string;
  /** Makes the world; `told` hears how far it is, 0 to 1. Null: it is made of files of the user's. */
  load: ((values: Values<C>, told: (share: number) => void) => Promise<World>) | null;
  /** What is said meanwhile. */
  loading: string;
  /** Settings of the page that suit it. */
  defaults: Partial<Settings>;
  /** What it lets the user change besides; `load` gets the values, which live on. */
  controls: C;
}

// Each world comes when it is asked for: the page starts with what it shows.
export const CATALOGUE = {
  town: offer({
    title: 'Town',
    load: async () => (await import('./town.js')).townWorld(),
    loading: 'Loading…',
    defaults: { planar: false, far: 150 },
    controls: {},
  }),
  cities: offer({
    title: 'Cities',
    load: async (_, told) => (await import('./cities.js')).citiesWorld(told),
    loading: 'Raising 135,233 towers…',
    // The places lie flat on the map: there a quadtree is the right tree.
    defaults: { planar: true, far: 18, maxLevel: 7 },
    controls: {},
  }),
  forest: offer({
    title: 'Forest',
    load: async (values) => (await import('../forest/forestWorld.js')).forestWorld(values),
    loading: 'Planting trees…',
    defaults: { far: 160 },
    controls: FOREST_CONTROLS,
  }),
  collisions: offer({
    title: 'Collisions',
    load: async (values) => (await import('../collisions/collisionsWorld.js')).collisionsWorld(values),
    loading: 'Loading…',
    // All objects move, and small nodes tell near from far at once.
    defaults: { capacity: 16 },
    controls: COLLISION_CONTROLS,
  }),
  satellites: offer({
    title: 'Satellites',
    load: async (values) => (await import('../satellites/SatellitesWorld.js')).loadSatellites(values),
    loading: 'Finding 3,333 satellites…',
    defaults: { far: 16, maxLevel: 2 },
    controls: SATELLITE_CONTROLS,
  }),
  range: offer({
    title: 'Range',
    load: async (values) => new (await import('../range/RangeWorld.js')).RangeWorld(values),
    loading: 'Loading…',
    defaults: { planar: true, far: 90, maxLevel: 4 },
    controls: RANGE_CONTROLS,
  }),
  model: offer({
    title: 'Your model…',
    load: null,
    loading: 'Reading… Escape gives up.',
    defaults: { far: 150 },
    controls: {},
  }),
} as const;

export type WorldName = keyof typeof CATALOGUE;

export const WORLD_NAMES = Object.keys(CATALOGUE) as WorldName[];

function offer<const C extends Controls>(made: Offer<C>): Offer {
  return made as unknown as Offer;
}
