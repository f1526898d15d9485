import { range, toggle, type Values } from './Control.js';

export const FOREST_CONTROLS = {
  trees: range('Trees', 12_000, [1000, 40_000], 1000),
  shadows: toggle('Shadows', true),
  sun: range('Height of the sun, degrees', 34, [12, 80]),
};

export type ForestValues = Values<typeof FOREST_CONTROLS>;
