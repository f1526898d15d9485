// Counts the files of src that run from `scene.add` to the draw of the mesh in a batch, and for one `cull`, and lists them:
// `node test/bench/paths.mjs`. What runs is in paths.ts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const outDir = `${root}node_modules/.cache/bench/paths`;

// Each module stays a file of its own, so that coverage tells them apart.
const output = { preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].js' };
await build({
  configFile: false,
  logLevel: 'error',
  build: {
    ssr: `${here}paths.ts`,
    outDir,
    minify: false,
    target: 'node20',
    emptyOutDir: true,
    rollupOptions: { output },
  },
});
const { status, stdout } = spawnSync(process.execPath, [`${outDir}/test/bench/paths.js`], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) process.exit(status ?? 1);
for (const [path, files] of Object.entries(JSON.parse(stdout))) {
  console.log(`${path}: ${files.length} files\n  ${files.join('\n  ')}\n`);
}
