// What each library of the comparison weighs on a page: `npm ci` in test/bench, then `node test/bench/sizes.mjs` writes the
// sizes to the tables of PAGES. All are measured alike: what a program imports for the task, minified and gzipped, without three.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Tables of libraries, a column each, with a row of sizes. */
const PAGES = ['README.md', 'demo/docs/comparison.md'].map((page) => new URL(`../../${page}`, import.meta.url));

/** By the head of its column: what a program imports. */
const PROGRAMS = {
  'three-scene-index': ['SceneIndex', `${here}../../src/index.ts`],
  'three-mesh-bvh': ['ObjectBVH', 'three-mesh-bvh'],
  InstancedMesh2: ['InstancedMesh2', '@three.ez/instanced-mesh'],
  'bvh.js': ['BVH, HybridBuilder', 'bvh.js'],
};

/** Bytes of a program, minified and gzipped: what it needs to begin with. */
async function sizeOf([names, from]) {
  const id = `${here}entry.js`;
  const code = `import { ${names} } from '${from}'; globalThis.kept = [${names}];`;
  const built = await build({
    configFile: false,
    root: here,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (asked) => (asked === id ? id : null),
        load: (asked) => (asked === id ? code : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: id, formats: ['es'] },
      rolldownOptions: {
        external: /^three($|\/)/,
        output: { minify: true },
        treeshake: { moduleSideEffects: 'no-external' },
      },
    },
  });
  const chunks = new Map([built].flat()[0].output.map((chunk) => [chunk.fileName, chunk]));
  const now = new Set([...chunks.values()].filter(({ isEntry }) => isEntry));
  for (const { imports } of now) for (const name of imports) if (chunks.has(name)) now.add(chunks.get(name));
  return gzipSync([...now].map((chunk) => chunk.code).join('\n'), { level: 9 }).length;
}

const sizes = {};
for (const [name, program] of Object.entries(PROGRAMS)) {
  sizes[name] = `${((await sizeOf(program)) / 1000).toFixed(1)} kB`;
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
