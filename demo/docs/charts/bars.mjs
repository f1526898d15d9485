import { time } from '../../../test/bench/peers/time.mjs';
import { bar, FACTOR_TICKS, factor, line, logScale, picture, text } from './svg.mjs';

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 520;
const ROW = 24;
const THICK = 13;
const TOP = 34;

/**
 * A bar for each pair of times, from 1 to how many times as fast the first is, on a logarithmic scale.
 * @param groups Each has a name and rows: name, times `us` and `other` in microseconds, and a note about the other.
 */
export function bars(label, groups) {
  const factors = groups.flatMap(({ rows }) => rows.map(({ us, other }) => other / us));
  const low = Math.min(0.5, ...factors) / 1.05;
  const high = Math.max(10, ...factors) * 1.05;
  const x = logScale(low, high, LEFT, RIGHT);
  const parts = [];
  let y = TOP;
  for (const { name, rows } of groups) {
    if (name !== '') {
      parts.push(text(0, y + ROW / 2 + 4, name, 'strong'));
      y += ROW;
    }
    for (const row of rows) {
      parts.push(drawRow(row, x, y));
      y += ROW;
    }
    y += 8;
  }
  const grid = FACTOR_TICKS.filter(
    (tick) => tick >= low && tick <= high && (high < 40 || !/[25]$/.test(String(tick))),
  ).map(
    (tick) =>
      line(x(tick), TOP - 6, x(tick), y - 6, tick === 1 ? 'one' : 'grid') +
      text(x(tick), TOP - 12, `${tick}×`, 'small quiet', 'middle'),
  );
  const heads = [text(600, TOP - 12, 'ours', 'small quiet', 'end'), text(660, TOP - 12, 'other', 'small quiet', 'end')];
  return picture(WIDTH, y, label, [...grid, ...heads, ...parts]);
}

function drawRow({ name, us, other }, x, y) {
  const times = other / us;
  const middle = y + ROW / 2;
  const [from, to] = [x(1), x(times)].sort((a, b) => a - b);
  return [
    text(LEFT - 12, middle + 4, name, '', 'end'),
    bar(from, to, middle - THICK / 2, THICK, times >= 1 ? 'ahead' : 'behind'),
    text(to + 6, middle + 4, factor(times), 'strong halo'),
    text(600, middle + 4, time(us), 'small', 'end'),
    text(660, middle + 4, time(other), 'small quiet', 'end'),
  ].join('');
}
