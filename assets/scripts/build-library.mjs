// Builds the package: node assets/scripts/build-library.mjs [folder, else dist]. Modules as they are, all of the main entry
// in one minified file, and the declarations that the entries lead to.
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
  removeExamples(folder);
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
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ types }) => (types ? [types] : []));
  const reached = new Set();
  const pending = entries.map((entry) => join(folder, relative('dist', entry)));
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file) || !existsSync(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
      pending.push(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const name of readdirSync(folder, { recursive: true })) {
    if (name.endsWith('.d.ts') && !reached.has(join(folder, name))) rmSync(join(folder, name));
  }
}

/** Removes the examples of declarations, a tenth of their weight: the documentation shows them, compiled. */
function removeExamples(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(\n\s*\*)+\s*@example[\s\S]*?(?=\n\s*\*\s*@\w|\n\s*\*\/)/g, ''));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  buildLibrary(resolve(process.argv[2] ?? join(root, 'dist')));
