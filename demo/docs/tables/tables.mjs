// Tables of the docs, made of rows that benchmarks kept: no figure is typed into a page.
import { time } from '../../../test/bench/figures.mjs';
import { GROUPS } from '../../../test/bench/peers/chart.mjs';
import { fastest, rivals } from '../../../test/bench/peers/results.mjs';
import { factor, keptResults, keptTable, madeBy, table } from './kept.mjs';

const BROWSER = 'results-browser.md';
const FASTER = 'times as fast';
const TIMES = { three: 'three', accelerated: 'accelerated', ratio: FASTER };
const IN_BATCHES = { three: 'plain three', batch: '`batch: true`', 'batch, ratio': 'of plain three' };

/**
 * Rows of a kept table.
 * @param {RegExp} pattern Matches the first cell of each row; its groups are the name of the row.
 * @param {Record<string, string>} columns What the columns are called here, by their heads.
 * @param {string} [caption] Stands below the table.
 */
function rowsOf(file, heading, pattern, columns, caption) {
  const { head, rows } = keptTable(file, heading);
  const cellOf = (row, [column, name]) => {
    const cell = row[head.indexOf(column)];
    if (cell === undefined) throw new Error(`${file} has no column ${column}`);
    return name === FASTER ? factor(1 / Number(cell)) : cell;
  };
  const picked = rows.flatMap((row) => {
    const [, ...names] = pattern.exec(row[0]) ?? [];
    if (names.length === 0) return [];
    return [[names.join(': '), ...Object.entries(columns).map((column) => cellOf(row, column))]];
  });
  return table(['scene', ...Object.values(columns)], picked, caption);
}

const SCENES = {
  rest: 'all in view, at rest',
  materials: 'the same, each with its own material',
  moving: 'all in view, all moving',
  few: 'a tenth in view, at rest',
  'few-tenth': 'a tenth in view, a tenth moving',
  'few-moving': 'a tenth in view, all moving',
};

/** Frames of 10,000 meshes in a page, plain against batched. */
function batches() {
  const columns = {
    'draw calls': 'draw calls in three',
    plain: 'CPU time in three',
    batch: 'batched: ratio (of the best rounds)',
  };
  const { head, rows } = keptTable('results-frames-page.md');
  const picked = Object.entries(SCENES).map(([name, title]) => {
    const row = rows.find(([scene, meshes]) => scene === name && meshes === '10000');
    return [title, ...Object.keys(columns).map((column) => row[head.indexOf(column)])];
  });
  return table(['scene', ...Object.values(columns)], picked);
}

/** Milliseconds that an index adds to a frame where it gains little or nothing. */
function added() {
  const { rows } = keptTable('results-frames-page.md');
  const picked = ['rest', 'moving', 'few-moving'].flatMap((name) =>
    ['100', '1000', '10000'].map((size) => {
      const [, , , plain, ratio] = rows.find(([scene, meshes]) => scene === name && meshes === size);
      const [value, unit] = plain.split(' ');
      const milliseconds = Number.parseFloat(value) / (unit === 'ms' ? 1 : 1000);
      const more = milliseconds * (Number.parseFloat(ratio) - 1);
      return [SCENES[name], size, `${milliseconds.toPrecision(2)} ms`, `${more.toFixed(2)} ms`];
    }),
  );
  return table(['without batches', 'meshes', 'CPU time in three', 'the index adds'], picked);
}

/** The objects that occlusion finds in each world, and the time that this costs. */
function occlusion() {
  const costs = keptTable('results.md', 'Occlusion: 320 by 180');
  const found = keptTable('results.md', 'Occlusion: what is found');
  const names = { street: 'street', rooms: 'rooms', hills: 'hills', forest: 'forest', above: 'town from the air' };
  const cell = ({ head, rows }, world, column) => rows.find(([name]) => name === world)[head.indexOf(column)];
  return table(
    ['world', 'in the frustum', 'drawn', 'hidden found', 'filling the buffer', 'asking it, next to the frustum alone'],
    Object.entries(names).map(([world, name]) => [
      name,
      cell(found, world, 'in the frustum'),
      cell(found, world, 'drawn'),
      cell(found, world, 'hidden found'),
      cell(costs, world, 'occluders'),
      `${cell(costs, world, 'frustum and buffer')}, ${cell(costs, world, 'frustum')}`,
    ]),
  );
}

/** Our fastest structure against the fastest other library, for each workload of a world of 100,000 boxes. */
function libraries(part) {
  const { results, rounds, machine } = keptResults(part, 100_000);
  const rows = Object.entries(GROUPS).flatMap(([group, names]) =>
    Object.entries(names).flatMap(([label, name]) => {
      const { us, peer } = rivals(results[label] ?? {});
      if (us === undefined || peer === undefined) return [];
      const times = factor(peer.median / us.median);
      return [
        [`${group}: ${name}`, `${time(us.median)} (${us.library})`, `${time(peer.median)} (${peer.library})`, times],
      ];
    }),
  );
  const caption = `Our fastest structure against the fastest other library. Medians of ${rounds} rounds on ${machine}.`;
  return table(['workload', 'ours', 'fastest other', 'times as fast'], rows, caption);
}

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const WORK = {
  'cull 10 %': 'Cull, 10 % in view',
  'ray nearest': 'First hit of a ray',
  'move 10 % + cull 10 %': '10 % move, then cull',
};

/** How time grows with the number of boxes. */
function sizes() {
  const rows = Object.entries(WORK).flatMap(([label, name]) =>
    SIZES.map((n) => {
      const result = keptResults('uniform', n).results[label];
      const { us, peer } = rivals(result);
      const plain = time(result['linear scan'].median);
      return [name, n.toLocaleString('en'), time(us.median), `${time(peer.median)} (${peer.library})`, plain];
    }),
  );
  const caption = `Uniform boxes. ${keptResults('uniform', SIZES[0]).machine}.`;
  return table(
    ['workload', 'boxes', 'three-scene-index', 'fastest other library', 'a loop over all boxes'],
    rows,
    caption,
  );
}

const DRAWN = {
  'list 1 %': '1 % in view',
  'list 10 %': '10 % in view',
  'list 50 %': '50 % in view',
  'sorted list 10 %': '10 %, sorted',
  'instances hit': 'hits of a ray',
};

/** The draw list of a BatchedMesh, and a ray at it: accelerated against three's own. */
function instances() {
  const { results, machine, rounds } = keptResults('instances', 100_000);
  const rows = Object.entries(DRAWN).map(([label, name]) => {
    const [us, three] = [results[label].accelerate.median, results[label].BatchedMesh.median];
    return [name, time(three), time(us), factor(three / us)];
  });
  const caption = `100,000 instances in one BatchedMesh: its draw list, and a ray at it, against three's own. Medians of ${rounds} rounds on ${machine}.`;
  return table(['workload', 'three', 'accelerated', 'times as fast'], rows, caption);
}

const WORLDS = { uniform: 'Uniform in a cube', city: 'Clusters on a plane', mixed: 'Very uneven sizes' };
const STRUCTURES = ['packed', 'looseOctree', 'octree', 'grid', 'bvh', 'bruteForce'];
const ASKED = {
  build: 'build, per box',
  'small box': 'small box',
  'ray nearest': 'first hit of a ray',
  nearest: 'nearest to a point',
  'cull 10 %': 'cull, 10 % in view',
  'move 100 % + cull 10 %': 'all move, then cull',
};

/** All structures beside each other; each planar where that is faster. */
function structures() {
  const rows = Object.entries(WORLDS).flatMap(([part, world]) => {
    const { results } = keptResults(part, 100_000);
    return Object.entries(ASKED).map(([label, name]) => {
      const times = STRUCTURES.map(
        (structure) => fastest(results[label], ({ library }) => library === structure).median,
      );
      return [`${world}: ${name}`, ...fastestMarked(times)];
    });
  });
  const { rounds, machine } = keptResults('uniform', 100_000);
  const caption = `100,000 boxes. The fastest of each row in bold. Medians of ${rounds} rounds on ${machine}.`;
  return table(['world and workload', ...STRUCTURES], rows, caption);
}

function fastestMarked(times) {
  const best = Math.min(...times);
  return times.map((one) => (one === best ? `**${time(one)}**` : time(one)));
}

/** Models that are all in view, and shadows: in batches, and with what an option saves besides. */
function models(pattern, option, about) {
  const columns = { ...IN_BATCHES, 'static besides': `${option} besides`, 'static, ratio': 'and of plain three' };
  const caption = `CPU time of \`renderer.render\`, quickest frames${about}. ${madeBy(BROWSER)}.`;
  return rowsOf(BROWSER, 'Models that are all in view', pattern, columns, caption);
}

export const TABLES = {
  uniform: () => libraries('uniform'),
  city: () => libraries('city'),
  sizes,
  instances,
  structures,
  occlusion,
  browser: () =>
    rowsOf(
      BROWSER,
      undefined,
      /^(finding what to draw|whole frame)(?:,| of) (.*?)(?:, all static, all seen)?$/,
      TIMES,
      'accelerate(scene) against plain three: 100,000 meshes and a shadow, or as many as named; WebGLRenderer, CPU time.',
    ),
  batches,
  index: added,
  models: () => models(/^model of (.* material(?: each)?)$/, '`setStatic`', ', camera rolling'),
  shadows: () =>
    models(
      /^shadows: .*, (.*)$/,
      '`keepShadows: true`',
      ': 3,000 casters, a sun with a map of 2,048², two point lights',
    ),
  pieces: () =>
    rowsOf(BROWSER, 'Models that are all in view', /^pieces: (.*)$/, {
      'draw calls left': 'draw calls',
      ...IN_BATCHES,
    }),
  culling: () => rowsOf(BROWSER, undefined, /^(finding what to draw|whole frame), all static, (\d+ % seen)$/, TIMES),
  groups: () => rowsOf(BROWSER, undefined, /^finding what to draw, all static, 10 % seen, (.*)$/, TIMES),
  picks: () => rowsOf(BROWSER, undefined, /^(`raycaster\..*\(scene.*)$/, TIMES),
  updates: () =>
    rowsOf('results.md', 'Scene of 100000 meshes', /^matrices, (.*)$/, {
      three: "three's own matrix pass",
      SceneIndex: 'an update of the index',
    }),
  interest: () => {
    const { head, rows } = keptTable('results.md', 'Interest:');
    return table(
      head.slice(0, 5),
      rows.map((row) => row.slice(0, 5)),
    );
  },
};

/** A table of the docs, as Markdown. */
export function keptRows(name) {
  const make = TABLES[name];
  if (make === undefined) throw new Error(`No table ${name}; there are ${Object.keys(TABLES).join(', ')}`);
  return make();
}
