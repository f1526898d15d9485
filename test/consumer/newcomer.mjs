// The clock of a newcomer, `npm run newcomer`: from an empty Vite project and the packed library to what the first example of
// the README says, on screen; then the page of the README, its CDN answered from disk. Fails when that takes more than a minute, or the screen shows something else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followReadme, openReadmePage } from './followReadme.mjs';
import { packLibrary } from './packLibrary.mjs';

const MOST = 60;

const folder = mkdtempSync(join(tmpdir(), 'three-scene-index-newcomer-'));
try {
  const project = join(folder, 'project');
  const { said, seconds } = await followReadme(project, packLibrary(folder));
  console.log(`${seconds.toFixed(1)} s until the screen said: ${said}`);
  const { batched, seconds: drawn } = await openReadmePage(project);
  console.log(`${drawn.toFixed(1)} s until the page of the README, without npm, drew its meshes in ${batched} calls`);
  if (!/^\d+ of 1000 in view/.test(said) || seconds > MOST) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
