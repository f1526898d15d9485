import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildLibrary } from '../../assets/scripts/build-library.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the library as it is now and packs it, as it would be published; beside the `dist` of the project, which other
 * tests may be reading.
 * @param {string} folder An empty folder for all that this takes.
 * @returns {string} The path of the tarball.
 */
export function packLibrary(folder) {
  const stage = join(folder, 'stage');
  mkdirSync(stage, { recursive: true });
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(root, name), join(stage, name));
  buildLibrary(join(stage, 'dist'));
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json'], { cwd: stage, stdio: 'pipe' });
  return join(stage, JSON.parse(String(packed))[0].filename);
}
