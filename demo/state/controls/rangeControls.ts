import { choice, range, type Values } from './Control.js';

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
