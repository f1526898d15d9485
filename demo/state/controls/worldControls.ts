import { choice, range, toggle, type Values } from './Control.js';

export const TOWN_CONTROLS = {
  times: range('Towns', 1, [1, 60]),
};

export type TownValues = Values<typeof TOWN_CONTROLS>;

export const MILLION_CONTROLS = {
  instances: range('Instances', 1_000_000, [1000, 1_000_000], 1000),
};

export type MillionValues = Values<typeof MILLION_CONTROLS>;

/** Entities are added and removed in groups of this size, up to the maximum below. */
export const HERD = 100;
export const MOST_ENTITIES = 50_000;

export const RANGE_CONTROLS = {
  entities: range('Entities', 5000, [HERD, MOST_ENTITIES], HERD),
  reach: range('Range, m', 25, [1, 100]),
  nearest: range('Nearest', 5, [0, 64]),
  skill: choice('Skill', 'sector', { Sector: 'sector', 'Box on the ground': 'box', None: 'none' }),
  length: range('Length, m', 40, [2, 100]),
  angle: range('Angle, degrees', 60, [1, 360]),
  width: range('Width, m', 8, [1, 60]),
};

export type RangeValues = Values<typeof RANGE_CONTROLS>;

export const STREET_CONTROLS = {
  buffer: toggle('Show the depth buffer', false),
};

export type StreetValues = Values<typeof STREET_CONTROLS>;

export const MUSEUM_CONTROLS = {
  maxError: range('Off by at most, pixels', 0.5, [0.25, 8], 0.25),
  trees: range('Trees', 600, [50, 3000], 50),
  show: choice('Colours', 'own', { 'Their own': 'own', 'Levels in colour': 'levels', 'The difference': 'difference' }),
};

export type MuseumValues = Values<typeof MUSEUM_CONTROLS>;
