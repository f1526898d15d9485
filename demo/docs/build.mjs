// The documentation site, made into dist-docs: `npm run docs`. With `-- --open` it is served on localhost as well.
// With `-- --check` its pages of the API alone are made, whose warnings are errors.
// DOCS_BASE=/docs/ is where it will lie on its host.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENTRIES } from './site/api.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../dist-docs', import.meta.url));

if (!existsSync(`${here}node_modules`)) {
  // No package that is needed has to run a script.
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
}
rmSync(`${here}api`, { recursive: true, force: true });
const typedoc = [`${here}node_modules/typedoc/bin/typedoc`, '--options', `${here}typedoc.json`];
const sources = Object.values(ENTRIES).map((source) => `../../src/${source}.ts`);
execFileSync(process.execPath, [...typedoc, ...sources], { cwd: here, stdio: 'inherit' });
if (process.argv.includes('--check')) process.exit();

const { build, serve } = await import('vitepress');
await build(here);
// The demo, whose examples run on the pages of recipes.
const root = fileURLToPath(new URL('../..', import.meta.url));
const vite = [`${root}node_modules/vite/bin/vite.js`, 'build', '--mode', 'demo', '--outDir', `${target}/demo`];
execFileSync(process.execPath, [...vite, '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
console.log(`The documentation is in ${target}`);
if (process.argv.includes('--open')) await serve({ root: here });
