import { time } from '../../../test/bench/peers/time.mjs';
import { bar, factor, factorTicks, line, logScale, picture, text } from './svg.mjs';

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 500;
/** Where the columns of the two times end. */
const TIMES = [622, 704];
const ROW = 24;
const THICK = 13;
const TOP = 34;

/**
 * A bar for each pair of times, from 1 to how many times as fast the first is, on a logarithmic scale.
 * @param groups Each has a name and rows: name, times `us` and `other` in microseconds, and how many `times` as fast it is
 * where that was measured by itself.
 * @param heads What the two times are of.
 */
export function bars(label, groups, heads) {
  const factors = groups.flatMap(({ rows }) => rows.map(factorOf));
  // Always some room to the left of 1, so that it is seen as a border and not as an axis.
  const low = Math.min(0.7, ...factors) / 1.05;
  const high = Math.max(10, ...factors) * 1.05;
  const x = logScale(low, high, LEFT, RIGHT);
  const parts = heads.map((head, i) => text(TIMES[i], TOP - 12, head, 'small quiet', 'end'));
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
  const grid = factorTicks(low, high).map((tick) => {
    const style = tick === 1 ? 'one' : 'grid';
    const name = text(x(tick), TOP - 12, `${tick}×`, 'small quiet', 'middle');
    return line(x(tick), TOP - 6, x(tick), y - 6, style) + name;
  });
  return picture(WIDTH, y, label, [...grid, ...parts]);
}

function factorOf({ us, other, times = other / us }) {
  return times;
}

function drawRow(row, x, y) {
  const { name, us, other } = row;
  const times = factorOf(row);
  const middle = y + ROW / 2;
  const [from, to] = [x(1), x(times)].sort((a, b) => a - b);
  return [
    text(LEFT - 12, middle + 4, name, '', 'end'),
    bar(from, to, middle - THICK / 2, THICK, times >= 1 ? 'ahead' : 'behind'),
    text(to + 6, middle + 4, factor(times), 'strong halo'),
    text(TIMES[0], middle + 4, time(us), 'small', 'end'),
    text(TIMES[1], middle + 4, time(other), 'small quiet', 'end'),
  ].join('');
}
