import { rivals } from '../../../test/bench/peers/rivals.mjs';
import { time } from '../../../test/bench/peers/time.mjs';
import { keptResults } from './kept.mjs';
import { line, logScale, picture, table, text } from './svg.mjs';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const PANELS = {
  'cull 10 %': 'Cull, 10 % in view',
  'ray nearest': 'First hit of a ray',
  'move 10 % + cull 10 %': '10 % move, then cull',
};
const LINES = { us: 'three-scene-index', peer: 'fastest other library', plain: 'a loop over all boxes' };
const WIDTH = 720;
const HEIGHT = 300;
const [TOP, BOTTOM] = [62, 262];
const PANEL = 208;
const FIRST = 60;

/** How time grows with the number of boxes. */
export function sizes() {
  const panels = Object.entries(PANELS).map(([label, name]) => ({ name, points: SIZES.map((n) => pointOf(label, n)) }));
  const all = panels.flatMap(({ points }) => points.flatMap(({ us, peer, plain }) => [us, peer, plain]));
  const y = logScale(Math.min(...all) / 1.5, Math.max(...all) * 1.5, BOTTOM, TOP);
  const parts = panels.map(({ name, points }, i) => drawPanel(name, points, FIRST + i * (PANEL + 14), y));
  const ticks = [1, 10, 100, 1e3, 1e4, 1e5].filter((tick) => y(tick) <= BOTTOM && y(tick) >= TOP);
  const axis = ticks.map(
    (tick) =>
      line(FIRST, y(tick), WIDTH, y(tick), 'grid') +
      text(FIRST - 8, y(tick) + 4, time(tick).replace(/\.0+ /, ' '), 'small quiet', 'end'),
  );
  const legend = Object.entries(LINES).map(([key, name], i) => {
    const x = FIRST + [0, 160, 330][i];
    return `${line(x, 12, x + 22, 12, `curve ${key}`)}${text(x + 28, 16, name, 'small')}`;
  });
  return {
    svg: picture(WIDTH, HEIGHT, 'Time over the number of boxes', [...axis, ...legend, ...parts]),
    caption: `Uniform boxes, 1,000 to 1,000,000; both axes logarithmic. ${keptResults('uniform', SIZES[0]).machine}.`,
    table: table(
      ['', 'boxes', ...Object.values(LINES)],
      panels.flatMap(({ name, points }) =>
        points.map(({ us, peer, plain, peerName }, i) => [
          name,
          SIZES[i].toLocaleString('en'),
          time(us),
          `${time(peer)} (${peerName})`,
          time(plain),
        ]),
      ),
    ),
  };
}

function pointOf(label, n) {
  const result = keptResults('uniform', n).results[label];
  const { us, peer } = rivals(result);
  return { us: us.median, peer: peer.median, peerName: peer.library, plain: result['linear JS'].median };
}

function drawPanel(name, points, left, y) {
  const x = logScale(SIZES[0], SIZES.at(-1), left + 8, left + PANEL - 22);
  const curves = Object.keys(LINES).map((key) => {
    const places = points.map((point, i) => `${x(SIZES[i]).toFixed(1)},${y(point[key]).toFixed(1)}`);
    const dots = points.map(
      (point, i) =>
        `<circle class="dot ${key}" cx="${x(SIZES[i]).toFixed(1)}" cy="${y(point[key]).toFixed(1)}" r="3"/>`,
    );
    return `<polyline class="curve ${key}" points="${places.join(' ')}"/>${dots.join('')}`;
  });
  const ticks = SIZES.map((n, i) => text(x(n), BOTTOM + 20, ['1k', '10k', '100k', '1M'][i], 'small quiet', 'middle'));
  return [
    text(left + 8, TOP - 14, name, 'strong'),
    line(left, TOP, left, BOTTOM, 'grid'),
    ...ticks,
    ...curves.reverse(),
  ].join('');
}
