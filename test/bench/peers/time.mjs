/** A time in microseconds, in the unit that suits it. */
export function time(microseconds) {
  if (microseconds >= 1e6) return `${(microseconds / 1e6).toPrecision(3)} s`;
  if (microseconds >= 1000) return `${(microseconds / 1000).toPrecision(3)} ms`;
  return microseconds >= 1 ? `${microseconds.toPrecision(3)} µs` : `${(microseconds * 1000).toFixed(0)} ns`;
}
