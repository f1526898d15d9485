import type { Mode } from '../state/Settings.js';
import type { Spread } from './Speed.js';

/** A large figure and the words behind it. */
export interface SpeedText {
  figure: string;
  unit: string;
}

/** Factors below this are noise. */
const NOISE = 1.03;

/** Which way is faster, if one is: at least three quarters of the ratios have to agree. */
export function verdictOf({ median, low, high }: Spread): 'faster' | 'slower' | 'same' {
  const isSame = (low <= 1 && high >= 1) || Math.max(median, 1 / median) <= NOISE;
  return isSame ? 'same' : median > 1 ? 'faster' : 'slower';
}

/** How much faster or slower a way is than plain three, with the quartiles. `mode`: what is in use. */
export function describeSpeed(speed: Spread, mode: Mode): SpeedText {
  if (!speed.isReliable) return { figure: '–', unit: 'measuring…' };
  const isThree = mode === 'three';
  const verdict = verdictOf(speed);
  const { median, low, high } = speed;
  if (verdict === 'same') {
    return { figure: 'Same', unit: `${isThree ? 'with the index' : 'as plain three'} ${span(low, high)}` };
  }
  const isFaster = verdict === 'faster';
  return {
    figure: `${formatFactor(isFaster ? median : 1 / median)}×`,
    unit: `${verdict} ${isThree ? 'with the index' : 'than plain three'} ${isFaster ? span(low, high) : span(1 / high, 1 / low)}`,
  };
}

/** The quartiles, which no line divides; a single figure where they do not differ. */
function span(low: number, high: number): string {
  const [from, to] = [low, high].map((factor) =>
    factor.toFixed(factor < 0.995 || factor >= 1.095 ? digits(factor) : 2),
  );
  return from === to ? `(${from}×)` : `(${from}–\u2060${to}×)`;
}

function digits(factor: number): number {
  return factor < 0.995 ? 2 : factor < 9.95 ? 1 : 0;
}

/** A factor above 1 in two or three digits, and never as 1.0. */
function formatFactor(factor: number): string {
  return factor.toFixed(factor < 1.095 ? 2 : digits(factor));
}
