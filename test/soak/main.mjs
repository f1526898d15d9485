// Bundles what is to run for long and runs it in plain Node: `npm run soak`, or `npm run soak scripts` (hostile, scenes,
// occlusionPoints; pictures, of batches and of occlusion, and shadows, which open pages of Chromium) for that part alone, as many
// processes at a time as there are cores: one for each structure, or for a share of the seeds of all else. SECONDS bounds
// the time of each, OPERATIONS and COUNT its size, SEED names the first seed; STRUCTURE one of the structures and VARIANT,
// for scripts, one of its variants by the label; WITHOUT what is left out of scenes and pictures, by name.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../node_modules/.cache/soak', import.meta.url));
const CORES = availableParallelism();
const { STRUCTURE, VARIANT, SEED = `${Math.floor(Math.random() * 2 ** 31)}` } = process.env;

const byStructure = () => {
  if (VARIANT) return [{}];
  const all = STRUCTURE ? [STRUCTURE] : ['bruteForce', 'grid', 'octree', 'looseOctree', 'bvh', 'packed'];
  return all.map((structure) => ({ STRUCTURE: structure }));
};
const byShare = () => Array.from({ length: CORES }, (_, share) => ({ SHARE: `${share}/${CORES}` }));
/** For each part what its processes are told beside the environment. */
const PARTS = {
  hostile: byStructure,
  scripts: byStructure,
  scenes: byShare,
  pictures: byShare,
  occlusion: () => byShare().map((share) => ({ ...share, OF: 'occlusion' })),
  occlusionPoints: byShare,
  shadows: byShare,
};

const wanted = process.argv.slice(2);
for (const part of wanted.length > 0 ? wanted : Object.keys(PARTS)) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: { ssr: `${here}${fileOf(part)}.ts`, outDir, minify: false, target: 'node20', emptyOutDir: false },
  });
  const waiting = PARTS[part]();
  const work = async () => {
    while (waiting.length > 0) await run(part, waiting.shift());
  };
  await Promise.all(Array.from({ length: CORES }, work));
  if (process.exitCode) break;
}

/** Without its ending. */
function fileOf(part) {
  return part === 'occlusion' ? 'pictures' : part;
}

/** Runs a part once; notes that it failed, if it does. */
function run(part, settings) {
  const env = { ...process.env, SEED, ...settings };
  const child = spawn(process.execPath, [`${outDir}/${fileOf(part)}.js`], { stdio: 'inherit', env });
  return new Promise((resolve) => {
    child.on('exit', (status) => {
      if (status !== 0) process.exitCode = 1;
      resolve();
    });
  });
}
