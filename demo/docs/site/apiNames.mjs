// The entries of the package: which files they are, and, as a plugin of typedoc, the names by which they are imported.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const PACKAGE = 'three-scene-index';
const SOURCES = { '.': 'index', './core': 'standalone' };
const { exports } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** The entries that have a source; others are files of the package. */
const entries = Object.keys(exports).filter((path) => !/\.js(on)?$/.test(path));

/** Their sources by their names; the core first, so that what the main entry passes on is described there. */
const sources = new Map(
  ['./core', ...entries.filter((path) => path !== './core')].map((path) => [
    `${PACKAGE}${path.slice(1)}`,
    SOURCES[path] ?? basename(path),
  ]),
);

export const entryPoints = [...sources.values()].map((source) => `../../src/${source}.ts`);

/** Called by typedoc. */
export function load({ converter }) {
  const names = new Map([...sources].map(([name, source]) => [source, name]));
  converter.on('resolveBegin', ({ project }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  });
}
