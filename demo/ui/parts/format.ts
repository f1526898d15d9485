import type { Meter } from '../../measure/Meter.js';

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const FINE = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export function number(value: number): string {
  return WHOLE.format(value);
}

export function metres(...values: number[]): string {
  return values.map((value) => FINE.format(value)).join(' × ');
}

export function coordinates(...values: number[]): string {
  return values.map((value) => value.toFixed(1)).join(', ');
}

export function degrees(latitude: number, longitude: number): string {
  const ns = latitude < 0 ? 'S' : 'N';
  const ew = longitude < 0 ? 'W' : 'E';
  return `${Math.abs(latitude).toFixed(2)}° ${ns}, ${Math.abs(longitude).toFixed(2)}° ${ew}`;
}

/** A mean time once it was measured often enough, with as many digits as it is worth; until then a dash. */
export function reliableTime({ mean, isReliable }: Meter): string {
  return isReliable ? `${mean.toFixed(mean < 10 ? 2 : 1)} ms` : '–';
}
