// What each library of the comparison weighs on a page: `npm ci` in test/bench, `npm run build`, then `node test/bench/sizes.mjs`
// writes the sizes to the tables of PAGES. All are measured alike: what a program imports for the task, minified and gzipped, without three.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const src = `${here}../../src/`;
/** Tables of libraries, a column each, with a row of sizes for each task; the last one has the table of what a page loads, too. */
const PAGES = ['README.md', 'demo/docs/comparison.md'].map((page) => new URL(`../../${page}`, import.meta.url));

/** By task, and the head of its column: what a program imports. */
const PROGRAMS = {
  'size, to query': {
    'three-scene-index': ['SceneIndex', `${src}index.ts`],
    'three-mesh-bvh': ['ObjectBVH', 'three-mesh-bvh'],
    'bvh.js': ['BVH, HybridBuilder', 'bvh.js'],
  },
  'size, to draw': {
    'three-scene-index': ['accelerate', `${src}index.ts`],
    InstancedMesh2: ['InstancedMesh2', '@three.ez/instanced-mesh'],
  },
};

/** Programs that import a part of this library. */
const PARTS = [
  ['`Quadtree`, of `/core`', 'Quadtree', `${src}standalone.ts`],
  ['`SceneIndex`', 'SceneIndex', `${src}index.ts`],
  ['`SceneIndex` and `Quadtree`', 'SceneIndex, Quadtree', `${src}index.ts`],
  ['`accelerate`', 'accelerate', `${src}index.ts`],
];

/** What is loaded when it is first needed, by the module that it begins with. */
const LATER = [
  ['queries of many objects, with WebAssembly', 'SimdPacked'],
  ['`batch`', 'SceneBatches'],
  ['`levels`', 'LevelQueue'],
  ['the worker of `levels`', 'inWorker'],
  ['`occlusion`', 'SceneOcclusion'],
  ['`keepShadows`', 'KeptShadows'],
  ['`cullCasters`', 'CasterCulling'],
  ['an `InstancedMesh` or `BatchedMesh` in the scene', 'CulledMesh'],
];

/** The chunks of a program, by file name. */
async function chunksOf([names, ...modules]) {
  const id = `${here}entry.js`;
  const all = names.split(', ');
  const imported = modules.length === 1 ? [all] : all.map((name) => [name]);
  const imports = imported.map((each, i) => `import { ${each.join(', ')} } from '${modules[i]}';`);
  const code = `${imports.join(' ')} globalThis.kept = [${names}];`;
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
        external: /^three($|\/(?!addons))/,
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true },
        treeshake: { moduleSideEffects: 'no-external' },
      },
    },
  });
  return new Map([built].flat()[0].output.map((chunk) => [chunk.fileName, chunk]));
}

/** A chunk and all that it imports, but for what is there. */
function withImports(chunks, first, there = new Set()) {
  const found = new Set(first);
  for (const { imports } of found) {
    for (const name of imports) if (chunks.has(name) && !there.has(chunks.get(name))) found.add(chunks.get(name));
  }
  return found;
}

const atStart = (chunks) =>
  withImports(
    chunks,
    [...chunks.values()].filter(({ isEntry }) => isEntry),
  );
const sizeOf = (code) => gzipSync(code, { level: 9 }).length;
const inKb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const sizeOfAll = (chunks) => inKb(sizeOf([...chunks].map(({ code }) => code).join('\n')));

const sizes = {};
for (const [task, programs] of Object.entries(PROGRAMS)) {
  sizes[task] = {};
  for (const [name, program] of Object.entries(programs)) {
    sizes[task][name] = sizeOfAll(atStart(await chunksOf(program)));
    console.log(`${task}: ${name} ${sizes[task][name]}`);
  }
}

const rows = [];
for (const [label, ...program] of PARTS) rows.push([label, sizeOfAll(atStart(await chunksOf(program)))]);
const chunks = await chunksOf(['accelerate', `${src}index.ts`]);
for (const [label, name] of LATER) {
  const first = [...chunks.values()].filter((chunk) => chunk.name === name);
  rows.push([`later, for ${label}`, sizeOfAll(withImports(chunks, first, atStart(chunks)))]);
}
const whole = inKb(sizeOf(readFileSync(`${here}../../dist/three-scene-index.min.js`)));
rows.push(['`three-scene-index.min.js`, all in one file', whole]);
sizes['size, all in one file'] = { 'three-scene-index': whole };
const loaded = [
  '| a page that imports | minified and gzipped |',
  '| --- | ---: |',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];
console.log(loaded.join('\n'));

for (const page of PAGES) {
  let text = readFileSync(page, 'utf8');
  for (const [task, row] of Object.entries(sizes)) {
    const isRow = new RegExp(`^(\\|.*\\|)(\\n(?:\\|.*\\n)*?)\\| ${task} \\|.*$`, 'm');
    text = text.replace(isRow, (_, head, between) => {
      const names = head.slice(1, -1).split('|').slice(1);
      // A head may name a version: `bvh.js 0.0.13`.
      const cells = names.map((name) => row[name.trim().split(' ')[0]] ?? '–');
      return `${head}${between}| ${task} | ${cells.join(' | ')} |`;
    });
  }
  writeFileSync(
    page,
    text.replace(/(?<=<!-- sizes -->\n)[\s\S]*(?=<!-- \/sizes -->)/, () => `${loaded.join('\n')}\n`),
  );
}
