import type { IndexOptions, StructureName } from '../../src/index.js';

export type WorldName = 'town' | 'cities' | 'model';
export type Mode = 'index' | 'three';
export type NodesIn = 'none' | 'above' | 'both';
export type Theme = 'auto' | 'dark' | 'light';

export interface Settings extends Required<IndexOptions> {
  world: WorldName;
  structure: StructureName;
  /** Who culls the player's view. */
  mode: Mode;
  autopilot: boolean;
  fov: number;
  far: number;
  /** Colours by class in the player's view as well. */
  classColours: boolean;
  nodes: NodesIn;
  bounds: 'content' | 'cell';
  minLevel: number;
  /** LEVELS: down to the last. */
  maxLevel: number;
  theme: Theme;
  adding: boolean;
}

/** Levels the filter can tell apart. */
export const LEVELS = 16;

const COMMON = {
  structure: 'looseOctree',
  mode: 'index',
  capacity: 64,
  maxDepth: 24,
  minCellSize: 0,
  looseness: 2,
  autopilot: true,
  fov: 60,
  classColours: false,
  nodes: 'above',
  bounds: 'content',
  minLevel: 0,
  maxLevel: LEVELS,
  theme: 'auto',
  adding: false,
} as const;

/** The places lie flat on the map: there a quadtree is the right tree. */
export const DEFAULTS: Record<WorldName, Settings> = {
  town: { ...COMMON, world: 'town', planar: false, far: 150 },
  cities: { ...COMMON, world: 'cities', planar: true, far: 18, maxLevel: 7 },
  model: { ...COMMON, world: 'model', planar: false, far: 150 },
};

export function indexOptions({ capacity, maxDepth, minCellSize, planar, looseness }: Settings): Required<IndexOptions> {
  return { capacity, maxDepth, minCellSize, planar, looseness };
}
