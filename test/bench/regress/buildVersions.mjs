// Bundles the library as it is, as it was at a commit, and what both are measured with.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cache = `${root}node_modules/.cache/regress`;

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();

/** Names of the commit and of the three bundles. */
export async function buildVersions(base) {
  const commit = git('rev-parse', '--short', `${base}^{commit}`);
  mkdirSync(cache, { recursive: true });
  const sources = `${cache}/${commit}`;
  if (!existsSync(sources)) unpack(commit, sources);
  try {
    return {
      commit,
      base: await bundle(`${sources}/src/index.ts`, 'base'),
      now: await bundle(`${root}src/index.ts`, 'now'),
      tools: await bundle(`${root}test/bench/regress/tools.ts`, 'tools'),
    };
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

/** Within node_modules, so that the sources of the commit find three where those of today do. */
function unpack(commit, folder) {
  const archive = `${folder}.tar`;
  git('archive', '--format=tar', `--output=${archive}`, commit, 'src', 'tsconfig.json');
  mkdirSync(folder);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
}

async function bundle(entry, name) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: entry,
      outDir: cache,
      minify: false,
      target: 'node20',
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js`, codeSplitting: false } },
    },
  });
  return `${cache}/${name}.js`;
}
