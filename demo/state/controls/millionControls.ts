import { range, type Values } from './Control.js';

export const MILLION_CONTROLS = {
  instances: range('Instances', 1_000_000, [1000, 1_000_000], 1000),
};

export type MillionValues = Values<typeof MILLION_CONTROLS>;
