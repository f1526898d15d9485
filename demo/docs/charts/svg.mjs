// What all charts share. Colours come from the classes of theme/style.css, so that a chart is right in light and dark.

/** Factors to draw lines at between two, few enough to be read. */
export function factorTicks(low, high) {
  const steps = high / low > 100 ? [1] : [1, 2, 5];
  const ticks = [0.01, 0.1, 1, 10, 100, 1000].flatMap((power) => steps.map((step) => power * step));
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/** A logarithmic scale from `low` to `high` onto the places `from` to `to`. */
export function logScale(low, high, from, to) {
  const step = (to - from) / Math.log(high / low);
  return (value) => from + Math.log(value / low) * step;
}

export function text(x, y, what, style = '', anchor = 'start') {
  return `<text class="${style}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped(what)}</text>`;
}

export function line(x1, y1, x2, y2, style) {
  const [a, b, c, d] = [x1, y1, x2, y2].map((place) => place.toFixed(1));
  return `<line class="${style}" x1="${a}" y1="${b}" x2="${c}" y2="${d}"/>`;
}

export function bar(from, to, y, height, style) {
  const x = Math.min(from, to);
  const width = Math.max(1, Math.abs(to - from));
  return `<rect class="${style}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height}" rx="2"/>`;
}

export function picture(width, height, label, parts) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">${parts.join('')}</svg>`;
}

/** A factor with two figures that count. */
export function factor(value) {
  if (value >= 9.95) return `${value.toFixed(0)}×`;
  return `${value.toFixed(value < 0.95 ? 2 : 1)}×`;
}

export function escaped(what) {
  return String(what).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Rows as a Markdown table. */
export function table(head, rows) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
