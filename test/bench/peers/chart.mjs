// Draws assets/bench.svg for the README: how many times as fast as the fastest peer ours is, a bar for each workload, of
// 100,000 uniform boxes as kept in results/. By itself: `npm run bench:chart`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GROUPS } from './chartGroups.mjs';
import { FOLDER, isElsewhere, read } from './results.mjs';
import { rivals } from './rivals.mjs';
import { time } from './time.mjs';

const PART = 'uniform';
const N = Number(process.env.CHART_N ?? 100_000);
const TARGET = isElsewhere
  ? `${FOLDER}/bench.svg`
  : fileURLToPath(new URL('../../../assets/bench.svg', import.meta.url));

const WIDTH = 860;
const MARGIN = 24;
const ROW = 26;
const BAR = 14;
const GAP = 14;
const TOP = 112;
/** Where the bars begin at the earliest, and end at the latest. */
const LEFT = 226;
const RIGHT = 560;
/** To the right of them, ends of the columns of times, and where the library's name begins. */
const OURS = 670;
const OTHERS = 734;
const NAME = 744;

const STYLE = `
  text { font: 13px ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
  .card { fill: #ffffff; stroke: #d1d9e0; }
  .title { font-size: 17px; font-weight: 600; }
  .quiet { fill: #59636e; }
  .small { font-size: 11.5px; }
  .halo { stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
  .strong { font-weight: 600; }
  .number { font-variant-numeric: tabular-nums; }
  .grid { stroke: #d1d9e0; stroke-opacity: 0.7; }
  .one { stroke: #59636e; }
  .ahead { fill: #0f766e; }
  .behind { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .card { fill: #0d1117; stroke: #3d444d; }
    .quiet { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .one { stroke: #9198a1; }
    .ahead { fill: #2dd4bf; }
    .behind { fill: #f0883e; }
    .halo { stroke: #0d1117; }
  }`;

/** Draws what is kept; says so where nothing is. */
export function drawChart() {
  const kept = read(PART, N);
  if (kept === null) {
    console.log(`No chart: no results of ${N} ${PART} boxes are kept (npm run bench:peers -- ${PART}).`);
    return;
  }
  const groups = Object.entries(GROUPS)
    .map(([group, names]) => ({ group, rows: rowsOf(names, kept.results) }))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length > 0) writeFileSync(TARGET, draw(groups, kept));
}

function rowsOf(names, results) {
  return Object.entries(names).flatMap(([label, name]) => {
    const { us, peer } = rivals(results[label] ?? {});
    return us === undefined || peer === undefined ? [] : [{ name, us, peer, factor: peer.median / us.median }];
  });
}

function draw(groups, { n, rounds, machine }) {
  const factors = groups.flatMap(({ rows }) => rows.map(({ factor }) => factor));
  // Always some room to the left of 1, so that it is seen as a border and not as an axis.
  const low = Math.min(0.5, ...factors);
  const high = Math.max(10, ...factors);
  const scale = (RIGHT - LEFT) / Math.log(high / low);
  const x = (factor) => LEFT + Math.log(factor / low) * scale;
  const ticks = [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000].filter((tick) => tick >= low && tick <= high);
  let y = TOP;
  const bars = groups.map(({ group, rows }) => {
    const first = y;
    const drawn = rows.map((row) => {
      const text = bar(row, x, y);
      y += ROW;
      return text;
    });
    y += GAP;
    return `${label(MARGIN, first, group, 'strong')}${drawn.join('')}`;
  });
  const bottom = y - GAP + 4;
  const grid = ticks.map((tick) => {
    const at = x(tick).toFixed(1);
    const line = `<line class="${tick === 1 ? 'one' : 'grid'}" x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${bottom}"/>`;
    return `${line}<text class="quiet small number" x="${at}" y="${TOP - 15}" text-anchor="middle">${tick}×</text>`;
  });
  const height = bottom + 44;
  const title = 'How many times as fast as the fastest other library';
  const count = n.toLocaleString('en');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>${STYLE}
</style>
<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="${MARGIN}" y="38">${title}</text>
<text class="quiet" x="${MARGIN}" y="60">${count} boxes spread evenly, logarithmic scale</text>
<text class="quiet small" x="${OURS}" y="${TOP - 15}" text-anchor="end">ours</text>
<text class="quiet small" x="${OTHERS}" y="${TOP - 15}" text-anchor="end">other</text>
${grid.join('\n')}
${bars.join('\n')}
<text class="quiet small" x="${MARGIN}" y="${height - 18}">Medians of ${rounds} rounds on ${escaped(machine)}.</text>
</svg>
`;
}

/** A bar from 1 to the factor, its number at its end, and both times. */
function bar({ name, us, peer, factor }, x, y) {
  const [from, to] = [x(1), x(factor)].sort((a, b) => a - b);
  const isAhead = factor >= 1;
  const middle = y + ROW / 2;
  const shape = `<rect class="${isAhead ? 'ahead' : 'behind'}" x="${from.toFixed(1)}" y="${middle - BAR / 2}" width="${Math.max(1, to - from).toFixed(1)}" height="${BAR}" rx="2"/>`;
  const at = `y="${middle + 4.5}"`;
  const end = `<text class="strong number halo" x="${(to + 7).toFixed(1)}" ${at}>${rounded(factor)}×</text>`;
  const times = [
    `<text class="small number" x="${OURS}" ${at} text-anchor="end">${time(us.median)}</text>`,
    `<text class="small number quiet" x="${OTHERS}" ${at} text-anchor="end">${time(peer.median)}</text>`,
    `<text class="small quiet" x="${NAME}" ${at}>${escaped(peer.library)}</text>`,
  ].join('');
  return `\n${label(LEFT - 12, y, name, '', 'end')}${shape}${end}${times}`;
}

function label(x, y, text, style, anchor = 'start') {
  return `<text class="${style}" x="${x}" y="${y + ROW / 2 + 4.5}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

function rounded(factor) {
  return factor < 9.95 ? factor.toFixed(factor < 0.95 ? 2 : 1) : factor.toFixed(0);
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) drawChart();
