// Bundles the benchmarks with vite, runs each contestant in a Node of its own, prints their tables and keeps them in
// results.md. `node test/bench/run.mjs core` (or structures, small, motion, scene, instances, interest, occlusion) runs that part and keeps nothing.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/bench', import.meta.url));
const N = Number(process.env.N ?? 100_000);

/** World, structure and options, by the name in the table. */
const CONTESTANTS = {
  uniform: {
    packed: ['packed', {}],
    looseOctree: ['looseOctree', {}],
    octree: ['octree', {}],
    'looseOctree, looseness 1': ['looseOctree', { looseness: 1 }],
  },
  flat: {
    'packed, planar': ['packed', { planar: true }],
    'looseOctree, planar': ['looseOctree', { planar: true }],
    'octree, planar': ['octree', { planar: true }],
    looseOctree: ['looseOctree', {}],
  },
};
const PARTS = {
  core,
  structures: () => run('structures'),
  small: () => run('small'),
  motion: () => run('motion'),
  scene: () => run('scene'),
  rest: () => run('rest'),
  instances: () => run('instances'),
  interest: () => run('interest'),
  occlusion: () => run('occlusion'),
};

const wanted = process.argv.slice(2);
let text = '';
for (const part of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: `${here}${part}.ts`, outDir, minify: false, target: 'node20', emptyOutDir: false },
  });
  const table = PARTS[part]();
  process.stdout.write(table);
  text += table;
}
if (wanted.length === 0) {
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
  writeFileSync(
    `${here}results.md`,
    `# Results\n\nMade by \`npm run bench\` on ${machine}. Only ratios mean something: in each process the structure and what it is measured by take turns. Medians are shown, and in brackets the ratio of the best rounds: the machine is shared, and the medians of two runs differ by up to a half.\n${text}`,
  );
}

function run(part, ...args) {
  const { status, stdout } = spawnSync(process.execPath, [`${outDir}/${part}.js`, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/** A table for each world: the time of each structure, and its ratio to the linear scan in the same process. */
function core() {
  let tables = '';
  for (const [world, contestants] of Object.entries(CONTESTANTS)) {
    const names = Object.keys(contestants);
    const results = names.map((name) => {
      const [structure, options] = contestants[name];
      return JSON.parse(run('core', world, structure, JSON.stringify(options)));
    });
    tables += `\n### ${world}, ${N} boxes, against a linear six-plane scan over flat arrays\n\n`;
    tables += `| | linear scan | ${names.join(' | ')} |\n| --- | --- |${' --- |'.repeat(names.length)}\n`;
    for (const label of Object.keys(results[0].ours)) {
      const cells = results.map(({ scan, ours }) => {
        const ratio = (which) => {
          const [a, b] = [scan[label][which], ours[label][which]];
          return (label.endsWith('per box') ? b / a : a / b).toFixed(1);
        };
        const unit = label.endsWith('per box') ? 'scans' : 'x faster';
        return `${time(ours[label].median)}, ${ratio('median')} ${unit} (${ratio('best')})`;
      });
      tables += `| ${label} | ${time(results[0].scan[label].median)} | ${cells.join(' | ')} |\n`;
    }
  }
  return tables;
}

function time(microseconds) {
  if (microseconds >= 1000) return `${(microseconds / 1000).toFixed(2)} ms`;
  return microseconds >= 1 ? `${microseconds.toFixed(1)} µs` : `${(microseconds * 1000).toFixed(0)} ns`;
}
