// Builds the package: node assets/scripts/build-library.mjs [folder, else dist]. Modules as they are, the main entry and
// the core in one minified file, and the declarations that the entries lead to.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export function buildLibrary(folder) {
  run('vite/bin/vite.js', 'build', '--outDir', folder, '--logLevel', 'warn');
  run('vite/bin/vite.js', 'build', '--mode', 'one-file', '--outDir', folder, '--logLevel', 'warn');
  run('typescript/bin/tsc', '-p', 'src/tsconfig.json', '--outDir', folder);
  removeUnreachable(folder);
  removeComments(folder);
}

function run(program, ...args) {
  execFileSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Removes declarations that no entry of the package leads to: they are half of their weight. */
function removeUnreachable(folder) {
  const reached = reachedFrom(folder, /(?:from|import\()\s*'(\.[^']+)\.js'/g);
  for (const file of declarations(folder)) if (!reached.has(file)) rmSync(file);
}

/**
 * Removes the comments of modules from which no entry exports anything, whose names nobody outside can write, and all
 * examples, which the documentation shows: together a third of what declarations weigh.
 */
function removeComments(folder) {
  const exported = reachedFrom(folder, /\bexport (?:\*|(?:type )?\{[^}]*\}) from '(\.[^']+)\.js'/g);
  for (const file of declarations(folder)) {
    const removed = exported.has(file)
      ? /(\n\s*\*)+\s*@example[\s\S]*?(?=\n\s*\*\s*@\w|\n\s*\*\/)/g
      : /^\s*\/\*\*[\s\S]*?\*\/\n/gm;
    writeFileSync(file, readFileSync(file, 'utf8').replace(removed, ''));
  }
}

/** The declarations to which those of the entries lead, by what matches `link`. */
function reachedFrom(folder, link) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pending = Object.values(exports).flatMap(({ types }) => (types ? [join(folder, relative('dist', types))] : []));
  const reached = new Set();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file) || !existsSync(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(link)) pending.push(join(dirname(file), `${path}.d.ts`));
  }
  return reached;
}

function declarations(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  return names.map((name) => join(folder, name));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  buildLibrary(resolve(process.argv[2] ?? join(root, 'dist')));
