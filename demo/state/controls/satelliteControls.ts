import { range, type Values } from './Control.js';

export const SATELLITE_CONTROLS = {
  nearer: range('Nearer than, km', 50, [2, 300]),
  rate: range('Minutes a second', 1, [0, 10], 0.1),
};

export type SatelliteValues = Values<typeof SATELLITE_CONTROLS>;
