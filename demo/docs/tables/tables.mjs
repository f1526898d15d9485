// Tables of the docs, made of rows that benchmarks kept: no figure is typed into a page.
import { keptTable, madeBy } from './kept.mjs';
import { table } from './markdown.mjs';
import { browser, instances, libraries, sizes, structures } from './results.mjs';

/**
 * Rows of a kept table.
 * @param {[name: string, heading?: string]} from The file beside the benchmarks, and the heading above the table.
 * @param {Record<string, string>} names What the rows are called in the guide, by their first cells; in this order.
 * @param {Record<string, string>} columns The same of columns, by their heads.
 * @param {string} [caption] Stands below the table.
 */
function rowsOf(from, names, columns, caption) {
  const { head, rows } = keptTable(...from);
  const at = Object.keys(columns).map((name) => head.indexOf(name));
  const picked = Object.entries(names).map(([label, name]) => {
    const row = rows.find(([first]) => first === label);
    if (row === undefined || at.includes(-1))
      throw new Error(`${from[0]} has no ${label}, or lacks one of its columns`);
    return [name, ...at.map((i) => row[i])];
  });
  return table(['scene', ...Object.values(columns)], picked, caption);
}

const BROWSER = ['results-browser.md'];
const TIMES = { three: 'three', accelerated: 'accelerated', ratio: 'ratio' };

/** Frames of 10,000 meshes in a page, plain against batched. */
function batches() {
  const names = {
    rest: 'all in view, at rest',
    materials: 'the same, each with its own material',
    moving: 'all in view, all moving',
    few: 'a tenth in view, at rest',
    'few-tenth': 'a tenth in view, a tenth moving',
    'few-moving': 'a tenth in view, all moving',
  };
  const { rows } = keptTable('results-frames-page.md');
  const picked = Object.entries(names).map(([scene, name]) => {
    const row = rows.find(([first, meshes]) => first === scene && meshes === '10000');
    const [, , calls, plain, , batch] = row;
    return [name, calls, plain, batch];
  });
  return table(
    ['10,000 meshes', 'draw calls in three', 'CPU time in three', 'batched: ratio (of the best rounds)'],
    picked,
  );
}

/** Frames of models that are all in view, by their materials. */
function models() {
  const names = {
    'model of 20,000 meshes, MeshBasicMaterial, one material': '20,000 meshes, one `MeshBasicMaterial`',
    'model of 20,000 meshes, MeshBasicMaterial, a material each': '20,000 meshes, a `MeshBasicMaterial` each',
    'model of 2,000 meshes, MeshStandardMaterial, one material': '2,000 meshes, one `MeshStandardMaterial`',
    'model of 2,000 meshes, MeshStandardMaterial, a material each': '2,000 meshes, a `MeshStandardMaterial` each',
    'model of 1,000 meshes, MeshPhysicalMaterial, a material each': '1,000 meshes, a `MeshPhysicalMaterial` each',
  };
  const columns = {
    three: 'plain three',
    batch: '`batch: true`',
    'batch, ratio': 'of plain three',
    'static besides': 'with `setStatic` besides',
    'static, ratio': 'of plain three',
  };
  const caption = `CPU time of \`renderer.render\`, quickest frames, camera rolling. ${madeBy(...BROWSER)}.`;
  return rowsOf([...BROWSER, 'Models that are all in view'], names, columns, caption);
}

/** What a frame costs with shadow maps that are kept. */
function shadows() {
  const names = ['at rest', '1 % moving', '10 % moving', 'all moving'].map((what) => [
    `shadows: 3,000 casters, a sun and two lamps, ${what}`,
    what,
  ]);
  const columns = {
    three: 'plain three',
    batch: '`batch: true`',
    'batch, ratio': 'of plain three',
    'static besides': '`keepShadows: true` besides',
    'static, ratio': 'of plain three',
  };
  const caption = `CPU time of \`renderer.render\`, quickest frames: 3,000 casters, a sun with a map of 2,048², two point lights. ${madeBy(...BROWSER)}.`;
  return rowsOf([...BROWSER, 'Models that are all in view'], Object.fromEntries(names), columns, caption);
}

/** What batches cost that have few draws each. */
function pieces() {
  const names = [4, 8, 16, 32].map((count) => [
    `pieces: 640 meshes, ${count} to a texture`,
    `batches of ${count} meshes`,
  ]);
  const columns = {
    'draw calls left': 'draw calls',
    three: 'plain three, 640 calls',
    batch: 'in batches',
    'batch, ratio': 'of plain three',
  };
  return rowsOf([...BROWSER, 'Models that are all in view'], Object.fromEntries(names), columns);
}

/** What an index adds to a frame where it gains little or nothing. */
function index() {
  const names = {
    rest: 'all in view, at rest',
    moving: 'all in view, all moving',
    'few-moving': 'a tenth in view, all moving',
  };
  const { rows } = keptTable('results-frames-page.md');
  const picked = Object.entries(names).flatMap(([scene, name]) =>
    ['100', '1000', '10000'].map((count) => {
      const [, , , plain, ratio] = rows.find(([first, meshes]) => first === scene && meshes === count);
      const [value, unit] = plain.split(' ');
      const milliseconds = Number.parseFloat(value) / (unit === 'ms' ? 1 : 1000);
      return [
        name,
        count,
        `${milliseconds.toPrecision(2)} ms`,
        `${(milliseconds * (Number.parseFloat(ratio) - 1)).toFixed(2)} ms`,
      ];
    }),
  );
  return table(['without batches', 'meshes', 'CPU time in three', 'the index adds'], picked);
}

/** What occlusion finds in each world, and what that costs. */
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

export const TABLES = {
  uniform: () => libraries('uniform'),
  city: () => libraries('city'),
  sizes,
  browser,
  instances,
  structures,
  batches,
  models,
  pieces,
  shadows,
  index,
  culling: () =>
    rowsOf(
      BROWSER,
      Object.fromEntries(
        [1, 10, 50, 100].flatMap((seen) => [
          [`finding what to draw, all static, ${seen} % seen`, `${seen} % in view: finding what to draw`],
          [`whole frame, all static, ${seen} % seen`, `${seen} % in view: the whole frame`],
        ]),
      ),
      TIMES,
    ),
  groups: () =>
    rowsOf(
      BROWSER,
      {
        'finding what to draw, all static, 10 % seen, trees of ten meshes': 'trees of ten meshes, below groups',
        'finding what to draw, all static, 10 % seen, all below one mesh in view': 'all below one mesh in view',
      },
      TIMES,
    ),
  picks: () =>
    rowsOf(
      BROWSER,
      {
        '`raycaster.intersectObject(scene)`': '`raycaster.intersectObject(scene)`',
        '`raycaster.intersectObjects(scene.children)`': '`raycaster.intersectObjects(scene.children)`',
      },
      TIMES,
    ),
  updates: () =>
    rowsOf(
      ['results.md', 'Scene of 100000 meshes'],
      {
        'matrices, nothing moved': 'none static, none moved',
        'matrices, 10 % moved': 'none static, a tenth moved',
        'matrices, 100 % moved': 'none static, all moved',
        'matrices, all static': 'all static',
      },
      { three: "three's own matrix pass", SceneIndex: 'an update of the index' },
    ),
  interest: () => {
    const { head, rows } = keptTable('results.md', 'Interest:');
    return table(
      head.slice(0, 5),
      rows.map((row) => row.slice(0, 5)),
    );
  },
  occlusion,
};

/** A table of the docs, as Markdown. */
export function keptRows(name) {
  const make = TABLES[name];
  if (make === undefined) throw new Error(`No table ${name}; there are ${Object.keys(TABLES).join(', ')}`);
  return make();
}

/** A plugin of markdown-it: `<!-- @table: name -->` is a table. */
export function tables(md) {
  const { html_block: plain } = md.renderer.rules;
  md.renderer.rules.html_block = (tokens, i, ...rest) => {
    const [, name] = tokens[i].content.matchAll(TABLE).next().value ?? [];
    return name === undefined ? plain(tokens, i, ...rest) : md.render(keptRows(name));
  };
}

export const TABLE = /<!--\s*@table:\s*(\S+)\s*-->/g;
