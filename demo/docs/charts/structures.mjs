import { time } from '../../../test/bench/peers/time.mjs';
import { keptTable, microseconds } from './kept.mjs';
import { line, logScale, picture, table, text } from './svg.mjs';

const WORLDS = {
  'uniform boxes in a cube': 'Uniform in a cube',
  'clusters on a plane': 'Clusters on a plane, planar',
  'boxes of very uneven sizes': 'Very uneven sizes',
};
const WIDTH = 720;
const LEFT = 150;
const RIGHT = 690;
const ROW = 26;

/** All structures beside each other: a dot for each, at how many times as long as the fastest it takes. */
export function structures() {
  const worlds = Object.entries(WORLDS).map(([heading, name]) => {
    const { head, rows } = keptTable('results.md', heading);
    return {
      name,
      structures: head.slice(1),
      rows: rows.map(([label, ...cells]) => ({ label, times: cells.map(microseconds) })),
    };
  });
  const [{ structures: names }] = worlds;
  if (worlds.some((world) => world.structures.join() !== names.join())) {
    throw new Error('results.md has other columns for each world');
  }
  const x = logScale(0.9, 80, LEFT, RIGHT);
  const parts = names.map((name, i) => dot(LEFT + i * 92, 12, i) + text(LEFT + i * 92 + 9, 16, name, 'small'));
  let y = 46;
  for (const { name, rows } of worlds) {
    parts.push(text(0, y + 4, name, 'strong'));
    y += 22;
    for (const { label, times } of rows) {
      const best = Math.min(...times);
      parts.push(line(LEFT, y, RIGHT, y, 'grid'), text(LEFT - 14, y + 4, label, '', 'end'));
      // The default last, so that nothing hides it.
      for (let i = times.length - 1; i >= 0; i--) parts.push(dot(Math.min(x(times[i] / best), RIGHT), y, i));
      y += ROW;
    }
    y += 12;
  }
  const grid = [1, 2, 5, 10, 20, 50].map(
    (tick) =>
      line(x(tick), 34, x(tick), y - 14, tick === 1 ? 'one' : 'grid') +
      text(x(tick), y, `${tick}×`, 'small quiet', 'middle'),
  );
  return {
    svg: picture(WIDTH, y + 8, 'Time of each structure, in times of the fastest', [...grid, ...parts]),
    caption:
      '100,000 boxes: how many times as long as the fastest structure each takes. 1× is the fastest; logarithmic.',
    table: table(
      ['', ...names],
      worlds.flatMap(({ name, rows }) => rows.map(({ label, times }) => [`${name}: ${label}`, ...times.map(time)])),
    ),
  };
}

function dot(x, y, i) {
  return `<circle class="dot kind${i}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="5"/>`;
}
