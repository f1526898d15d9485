// What each library of the comparison weighs on a page: `npm ci` in test/bench, then `node test/bench/sizes.mjs` writes the
// sizes to the tables of PAGES. All are measured alike: what a program imports for the task, minified and gzipped, without three.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Tables of libraries, a column each, with a row of sizes. */
const PAGES = ['README.md', 'demo/docs/comparison.md'].map((page) => new URL(`../../${page}`, import.meta.url));
const own = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

/** By the head of its column: the code of a program that uses it. */
const PROGRAMS = {
  'three-scene-index': `import { SceneIndex } from '${own}'; globalThis.kept = SceneIndex;`,
  'three-mesh-bvh': `import { ObjectBVH } from 'three-mesh-bvh'; globalThis.kept = ObjectBVH;`,
  InstancedMesh2: `import { InstancedMesh2 } from '@three.ez/instanced-mesh'; globalThis.kept = InstancedMesh2;`,
  'bvh.js': `import { BVH, HybridBuilder } from 'bvh.js'; globalThis.kept = [BVH, HybridBuilder];`,
};

/** Bytes of a program, minified and gzipped: what it needs to begin with. */
export async function sizeOf(code) {
  const { output } = [
    await build({
      configFile: false,
      root: here,
      logLevel: 'silent',
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id.endsWith('virtual:entry') ? `${here}entry.js` : null),
          load: (id) => (id === `${here}entry.js` ? code : null),
        },
      ],
      build: {
        write: false,
        minify: true,
        target: 'es2022',
        lib: { entry: 'virtual:entry', formats: ['es'] },
        rolldownOptions: {
          external: /^three($|\/)/,
          output: { minify: true },
          treeshake: { moduleSideEffects: 'no-external' },
        },
      },
    }),
  ].flat()[0];
  const chunks = output.filter(({ type }) => type === 'chunk');
  const now = new Set([chunks.find(({ isEntry }) => isEntry).fileName]);
  for (const name of now)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) now.add(imported);
  return gzipSync(
    chunks
      .filter(({ fileName }) => now.has(fileName))
      .map((chunk) => chunk.code)
      .join('\n'),
    { level: 9 },
  ).length;
}

const sizes = {};
for (const [name, code] of Object.entries(PROGRAMS)) {
  sizes[name] = `${((await sizeOf(code)) / 1000).toFixed(1)} kB`;
  console.log(name, sizes[name]);
}
for (const page of PAGES) {
  const written = readFileSync(page, 'utf8').replace(/^(\|.*\|)(\n(?:\|.*\n)*?)\| size \|.*$/m, (_, head, between) => {
    const names = head.slice(1, -1).split('|').slice(1);
    // A head may name a version: `bvh.js 0.0.13`.
    const row = names.map((name) => sizes[name.trim().split(' ')[0]] ?? '–');
    return `${head}${between}| size | ${row.join(' | ')} |`;
  });
  writeFileSync(page, written);
}
