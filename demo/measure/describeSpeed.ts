import type { Mode } from '../state/Settings.js';

/** A mean time in milliseconds, and whether enough samples stand behind it. */
export interface Timing {
  readonly mean: number;
  readonly isReliable: boolean;
}

/** A large figure and the words behind it. */
export interface SpeedText {
  figure: string;
  unit: string;
}

/** Factors below this are noise. */
const NOISE = 1.03;
/** Milliseconds: the clock of a browser resolves no mean below this, so a ratio would be made up. */
const RESOLUTION = 0.005;

/** How much faster or slower the index is than plain three. `mode`: what is in use. */
export function describeSpeed(index: Timing, three: Timing, mode: Mode): SpeedText {
  if (!index.isReliable || !three.isReliable) return { figure: '–', unit: 'measuring…' };
  const ratio = Math.max(three.mean, RESOLUTION) / Math.max(index.mean, RESOLUTION);
  const isIndex = mode !== 'three';
  const factor = Math.max(ratio, 1 / ratio);
  if (factor <= NOISE) return { figure: 'Same', unit: isIndex ? 'as plain three' : 'with the index' };
  const word = ratio > 1 ? 'faster' : 'slower';
  return {
    figure: `${formatFactor(factor)}×`,
    unit: isIndex ? `${word} than plain three` : `${word} with the index`,
  };
}

/** A factor above 1 in two or three digits, and never as 1.0. */
function formatFactor(factor: number): string {
  if (factor < 1.095) return factor.toFixed(2);
  return factor.toFixed(factor < 9.95 ? 1 : 0);
}
