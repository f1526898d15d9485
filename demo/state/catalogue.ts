import type { Controls, Values } from './controls/Control.js';
import { COLLISION_CONTROLS } from './controls/collisionControls.js';
import { FOREST_CONTROLS } from './controls/forestControls.js';
import { MILLION_CONTROLS } from './controls/millionControls.js';
import type { PageValues } from './controls/pageControls.js';
import { RANGE_CONTROLS } from './controls/rangeControls.js';
import { SATELLITE_CONTROLS } from './controls/satelliteControls.js';
import { STREET_CONTROLS } from './controls/streetControls.js';

/** A world on offer. What is listed here appears in the bar, on the panel and in the address of the page. */
export interface WorldEntry {
  title: string;
  /** Shown while it loads. */
  loading: string;
  /** Settings of the page that suit it. */
  defaults: Partial<PageValues>;
  /** Its own controls. The world reads their values while it runs. */
  controls: Controls;
  /** Its meshes may be drawn in batches. */
  batches?: boolean;
  /** Made of files that the user chooses; nothing else can load it. */
  fromFiles?: boolean;
}

/** The code of each world is loaded on demand, by worlds/loadWorld.ts. */
export const CATALOGUE = {
  town: {
    title: 'Town',
    loading: 'Loading…',
    defaults: { planar: false, far: 150 },
    batches: true,
    controls: {},
  },
  cities: {
    title: 'Cities',
    loading: 'Loading 135,233 places…',
    // The places lie flat on the map, which suits a quadtree.
    defaults: { planar: true, far: 18, maxLevel: 7 },
    controls: {},
  },
  forest: {
    title: 'Forest',
    loading: 'Planting trees…',
    defaults: { far: 160, maxLevel: 4 },
    batches: true,
    controls: FOREST_CONTROLS,
  },
  million: {
    title: 'Million',
    loading: 'Placing boxes…',
    defaults: { far: 320 },
    controls: MILLION_CONTROLS,
  },
  street: {
    title: 'Street',
    loading: 'Building houses…',
    defaults: { far: 260, maxLevel: 2 },
    controls: STREET_CONTROLS,
  },
  collisions: {
    title: 'Collisions',
    loading: 'Loading…',
    // All objects move, and small nodes separate them early.
    defaults: { capacity: 16 },
    controls: COLLISION_CONTROLS,
  },
  satellites: {
    title: 'Satellites',
    loading: 'Loading 3,333 satellites…',
    defaults: { far: 16, maxLevel: 2 },
    controls: SATELLITE_CONTROLS,
  },
  range: {
    title: 'Range',
    loading: 'Loading…',
    defaults: { planar: true, far: 90, maxLevel: 4 },
    controls: RANGE_CONTROLS,
  },
  model: {
    title: 'Your model…',
    loading: 'Reading and measuring the model. Escape cancels.',
    defaults: { far: 150 },
    batches: true,
    controls: {},
    fromFiles: true,
  },
} as const satisfies Record<string, WorldEntry>;

export type WorldName = keyof typeof CATALOGUE;

/** The worlds that need no files of the user's. */
export type BuiltInWorld = Exclude<WorldName, 'model'>;

/** The values of a world's own controls. */
export type WorldValues<N extends WorldName> = Values<(typeof CATALOGUE)[N]['controls']>;

export const WORLD_NAMES = Object.keys(CATALOGUE) as WorldName[];

/** An entry in the terms that all entries share. */
export function worldEntry(name: WorldName): WorldEntry {
  return CATALOGUE[name];
}

export function isBuiltIn(name: WorldName): name is BuiltInWorld {
  return !worldEntry(name).fromFiles;
}

/** The ways to draw a world that make a difference in it. */
export function modesOf(name: WorldName): readonly PageValues['mode'][] {
  return worldEntry(name).batches ? ['index', 'batched', 'three'] : ['index', 'three'];
}
