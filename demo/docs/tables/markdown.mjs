/** Rows as a Markdown table, with what it shows below it. */
export function table(head, rows, caption = '') {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const lines = [row(head), row(head.map(() => '---')), ...rows.map(row)];
  return (caption ? [...lines, '', `*${caption}*`] : lines).join('\n');
}

/** A factor with two figures that count. */
export function factor(value) {
  if (value >= 9.95) return `${value.toFixed(0)}×`;
  return `${value.toFixed(value < 0.95 ? 2 : 1)}×`;
}
