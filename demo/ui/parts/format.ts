import type { Meter } from '../../measure/Meter.js';

/** Formats by the number of their decimal places. */
const FORMATS = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const FINE = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export function number(value: number, digits: 0 | 1 | 2 = 0): string {
  return FORMATS[digits]!.format(value);
}

/** So many of something, by the word for one. */
export function counted(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Frames a second, once that is known. */
export function rate({ mean, isReliable }: Meter): string {
  return isReliable ? `${number(1000 / mean)} fps` : '–';
}

export function metres(...values: number[]): string {
  return values.map((value) => FINE.format(value)).join(' × ');
}

export function coordinates(...values: number[]): string {
  return values.map((value) => number(value, 1)).join(', ');
}

export function degrees(latitude: number, longitude: number): string {
  const ns = latitude < 0 ? 'S' : 'N';
  const ew = longitude < 0 ? 'W' : 'E';
  return `${number(Math.abs(latitude), 2)}° ${ns}, ${number(Math.abs(longitude), 2)}° ${ew}`;
}

/** A mean time once it was measured often enough, with as many digits as it is worth; until then a dash. */
export function reliableTime({ mean, isReliable }: Meter): string {
  return isReliable ? `${number(mean, mean < 10 ? 2 : 1)} ms` : '–';
}
