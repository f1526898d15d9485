// Counts the files of src that run from `scene.add` to the draw of the mesh in a batch, and for one `cull`, and lists them:
// `node test/bench/paths.mjs`. What runs is in paths.ts.
import { rmSync } from 'node:fs';
import { bundle, ROOT, run } from './processes.mjs';

// Each module stays a file of its own, so that coverage tells them apart.
const output = { preserveModules: true, preserveModulesRoot: ROOT, entryFileNames: '[name].js' };
const folder = 'node_modules/.cache/bench/paths';
rmSync(ROOT + folder, { recursive: true, force: true });
const file = await bundle('test/bench/paths.ts', folder, 'test/bench/paths', output);
for (const [path, files] of Object.entries(JSON.parse(run(file)))) {
  console.log(`${path}: ${files.length} files\n  ${files.join('\n  ')}\n`);
}
