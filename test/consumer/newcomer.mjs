// The clock of a newcomer, `npm run newcomer`: from an empty Vite project and the packed library to what the first example of
// the README says, on screen. Fails when that takes more than a minute, or the screen shows something else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followReadme } from './followReadme.mjs';
import { packLibrary } from './packLibrary.mjs';

const MOST = 60;

const folder = mkdtempSync(join(tmpdir(), 'three-scene-index-newcomer-'));
try {
  const { said, seconds } = await followReadme(join(folder, 'project'), packLibrary(folder));
  console.log(`${seconds.toFixed(1)} s until the screen said: ${said}`);
  if (!/^\d+ of 1000 in view/.test(said) || seconds > MOST) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
