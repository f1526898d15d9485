const COUNT = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const COORDINATE = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4, useGrouping: false });

/** 24197 as 24,197. */
export function inCount(count: number): string {
  return COUNT.format(count);
}

/** A part of a whole in per cent, with a decimal where it is small: only what is nothing reads as 0 %. */
export function inPercent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (percent === 0 || percent >= 10) return `${percent.toFixed(0)} %`;
  return percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}

export function inBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function inMs(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

/** Coordinates with four digits each. */
export function inPoint({ x, y, z }: { x: number; y: number; z: number }): string {
  return [x, y, z].map((c) => COORDINATE.format(c)).join(', ');
}
