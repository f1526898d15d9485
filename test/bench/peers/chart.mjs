// Draws assets/bench.svg for the README: how many times as fast as the fastest peer ours is, a bar for each workload, of
// 100,000 uniform boxes as kept in results/. By itself: `npm run bench:chart`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { time } from '../figures.mjs';
import { ROOT } from '../processes.mjs';
import { FOLDER, isElsewhere, read, rivals } from './results.mjs';

/** Workloads in the groups of a chart, and how each is named there. */
export const GROUPS = {
  Cull: {
    'cull 1 %': '1 % in view',
    'cull 10 %': '10 % in view',
    'cull 50 %': '50 % in view',
    'cull 100 %': 'all in view',
  },
  Query: {
    'ray nearest': 'first hit of a ray',
    'ray all': 'all hits of a ray',
    'small box': 'small box',
    'large box': 'large box',
    'small sphere': 'small sphere',
    'large sphere': 'large sphere',
    nearest: 'nearest to a point',
  },
  'Change, then cull': {
    'move 1 % + cull 10 %': '1 % move',
    'move 10 % + cull 10 %': '10 % move',
    'move 100 % + cull 10 %': 'all move',
    'teleport 1 % + cull 10 %': '1 % teleport',
    'replace 10 % + cull 10 %': '10 % replaced',
  },
  Build: { build: 'per box' },
};

const N = Number(process.env.CHART_N ?? 100_000);
const TARGET = isElsewhere ? `${FOLDER}/bench.svg` : `${ROOT}assets/bench.svg`;

const [WIDTH, MARGIN, TOP, ROW, BAR, GAP] = [860, 24, 112, 26, 14, 14];
/** Where the bars begin at the earliest, and end at the latest. */
const [LEFT, RIGHT] = [226, 560];
/** To the right of them, ends of the columns of times, and where the library's name begins. */
const [OURS, OTHERS, NAME] = [670, 734, 744];

const STYLE = `
  svg { --text: #1f2328; --card: #ffffff; --line: #d1d9e0; --quiet: #59636e; --ahead: #0f766e; --behind: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    svg { --text: #f0f6fc; --card: #0d1117; --line: #3d444d; --quiet: #9198a1; --ahead: #2dd4bf; --behind: #f0883e; }
  }
  text { font: 13px ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: var(--text); }
  .card { fill: var(--card); stroke: var(--line); }
  .title { font-size: 17px; font-weight: 600; }
  .quiet { fill: var(--quiet); }
  .small { font-size: 11.5px; }
  .halo { stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
  .strong { font-weight: 600; }
  .number { font-variant-numeric: tabular-nums; }
  .grid { stroke: var(--line); stroke-opacity: 0.7; }
  .one { stroke: var(--quiet); }
  .ahead { fill: var(--ahead); }
  .behind { fill: var(--behind); }`;

/** Draws what is kept; says so where nothing is. */
export function drawChart() {
  const kept = read('uniform', N);
  const groups = Object.entries(GROUPS)
    .map(([group, names]) => ({ group, rows: rowsOf(names, kept?.results ?? {}) }))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length > 0) writeFileSync(TARGET, draw(groups, kept));
  else console.log(`No chart: no results of ${N} uniform boxes are kept (npm run bench:peers -- uniform).`);
}

const rowsOf = (names, results) =>
  Object.entries(names).flatMap(([label, name]) => {
    const { us, peer } = rivals(results[label] ?? {});
    return us === undefined || peer === undefined ? [] : [{ name, us, peer, factor: peer.median / us.median }];
  });

function draw(groups, { n, rounds, machine }) {
  const factors = groups.flatMap(({ rows }) => rows.map(({ factor }) => factor));
  // Always some room to the left of 1, so that it is seen as a border and not as an axis.
  const low = Math.min(0.5, ...factors);
  const high = Math.max(10, ...factors);
  const x = (factor) => LEFT + (Math.log(factor / low) * (RIGHT - LEFT)) / Math.log(high / low);
  let y = TOP - GAP;
  const bars = groups.map(({ group, rows }) => {
    y += GAP;
    const head = text(MARGIN, y, group, 'strong');
    const drawn = rows.map((row) => {
      y += ROW;
      return bar(row, x, y - ROW);
    });
    return head + drawn.join('');
  });
  const bottom = y + 4;
  const height = bottom + 44;
  const ticks = [0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000].filter((tick) => tick >= low && tick <= high);
  const grid = ticks.map((tick) => {
    const at = x(tick).toFixed(1);
    const line = `<line class="${tick === 1 ? 'one' : 'grid'}" x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${bottom}"/>`;
    return `${line}<text class="quiet small number" x="${at}" y="${TOP - 15}" text-anchor="middle">${tick}×</text>`;
  });
  const title = 'How many times as fast as the fastest other library';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>${STYLE}
</style>
<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="${MARGIN}" y="38">${title}</text>
<text class="quiet" x="${MARGIN}" y="60">${n.toLocaleString('en')} boxes spread evenly, logarithmic scale</text>
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
  const digits = factor < 9.95 ? (factor < 0.95 ? 2 : 1) : 0;
  const kind = factor >= 1 ? 'ahead' : 'behind';
  const width = Math.max(1, to - from).toFixed(1);
  return [
    `\n${text(LEFT - 12, y, name, '', 'end')}`,
    `<rect class="${kind}" x="${from.toFixed(1)}" y="${y + (ROW - BAR) / 2}" width="${width}" height="${BAR}" rx="2"/>`,
    text((to + 7).toFixed(1), y, `${factor.toFixed(digits)}×`, 'strong number halo'),
    text(OURS, y, time(us.median), 'small number', 'end'),
    text(OTHERS, y, time(peer.median), 'small number quiet', 'end'),
    text(NAME, y, peer.library, 'small quiet'),
  ].join('');
}

/** In the middle of a row. */
const text = (x, y, content, style, anchor = 'start') =>
  `<text class="${style}" x="${x}" y="${y + ROW / 2 + 4.5}" text-anchor="${anchor}">${escaped(content)}</text>`;

const escaped = (content) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

if (process.argv[1] === fileURLToPath(import.meta.url)) drawChart();
