import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * What each costs whoever imports nothing else: bytes, minified and gzipped, three and React left out. What is loaded once an index is at
 * work, if it is needed at all, are chunks of their own.
 */
const LIMITS: [label: string, code: string, most: number][] = [
  ['core with Octree', `import { Octree } from '${src}standalone.ts'; globalThis.kept = new Octree();`, 16_100],
  ['SceneIndex', `import { SceneIndex } from '${src}index.ts'; globalThis.kept = SceneIndex;`, 36_700],
  ['accelerate', `import { accelerate } from '${src}index.ts'; globalThis.kept = accelerate;`, 47_600],
  ['Accelerated', `import { Accelerated } from '${src}react.ts'; globalThis.kept = Accelerated;`, 48_600],
];

/** Rows of tables that say how large each is. */
const ROWS: Record<string, readonly (readonly [page: string, row: string])[]> = {
  SceneIndex: [
    ['README.md', 'size, to query'],
    ['demo/docs/comparison.md', 'size, to query'],
    ['demo/docs/comparison.md', '`SceneIndex`'],
  ],
  accelerate: [
    ['README.md', 'size, to draw'],
    ['demo/docs/comparison.md', 'size, to draw'],
    ['demo/docs/comparison.md', '`accelerate`'],
  ],
};

/** By how much, in kB, a README may be wrong before it has to be written anew: it is no matter of each commit. */
const SLACK = 0.8;

it.each(LIMITS)(
  '%s is no larger than it may be, nor than it is said to be',
  async (label, code, most) => {
    const [entry, ...later] = await bundle(code);
    const bytes = sizeOf(entry);
    const sizes = later.map(sizeOf);
    console.log(`${label}: ${bytes} bytes, at most ${most}; loaded later: ${sizes.join()} bytes`);
    expect(bytes).toBeLessThanOrEqual(most);
    // Pages with WebGPURenderer alone do without the texts of three's shaders.
    expect(entry).not.toContain('ShaderChunk');
    // Batches, occlusion with its kernel, and the worker of levels with its simplifier; the others are kernels, what draws
    // instances, and the maintenance of trees.
    const [largest = 0, second = 0, third = 0, ...others] = sizes.sort((a, b) => b - a);
    expect(largest).toBeLessThanOrEqual(22_800);
    expect(second).toBeLessThanOrEqual(19_800);
    expect(third).toBeLessThanOrEqual(19_800);
    for (const size of others) expect(size).toBeLessThanOrEqual(10_900);
    for (const [page, row] of ROWS[label] ?? []) {
      const text = readFileSync(new URL(`../${page}`, import.meta.url), 'utf8');
      const [, shown] = text.match(new RegExp(`^\\| ${row} \\| ([\\d.]+) kB \\|`, 'm')) ?? [];
      const difference = Math.abs(Number(shown) - bytes / 1000);
      expect(difference, `${page}: run \`npm run bench:sizes\``).toBeLessThanOrEqual(SLACK);
    }
  },
  600_000,
);

it('src/README.md shows what each room costs by itself, in kB, minified and gzipped', async () => {
  const file = new URL('../src/README.md', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const isCode = (name: string): boolean => /(?<!\.d)\.ts$/.test(name) && !name.includes('assembly');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(isCode);
  const costs = new Map<string, number[]>();
  for (const room of [...new Set(files.map(dirname))].sort()) {
    if (room === '.') continue;
    const exported = files.filter((name) => dirname(name) === room).map((name) => `export * from '${src}${name}';`);
    const isOutside = (id: string, from = ''): boolean =>
      !/^[./]/.test(id) || dirname(relative(src, resolve(dirname(from), id))) !== room;
    const code = (await bundle(exported.join('\n'), isOutside)).join('\n');
    costs.set(room, [code.length / 1000, sizeOf(code) / 1000]);
  }
  const row = /^(\| `([\w/]+)` \| .+) \| ([\d.]+) \| ([\d.]+) \|$/gm;
  const drawn = text.replace(row, (line, start: string, room: string) => {
    const sizes = costs.get(room)?.map((kB) => kB.toFixed(1));
    return sizes ? `${start} | ${sizes.join(' | ')} |` : line;
  });
  if (process.env.UPDATE_BASELINES) writeFileSync(file, drawn);
  const shown = [...readFileSync(file, 'utf8').matchAll(row)].map(([, , ...columns]) => columns);
  const read = new Map(shown.map(([room, minified, gzipped]) => [room, [Number(minified), Number(gzipped)]]));
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SLACK + b / 10;
  const wrong = [...costs].filter(([room, sizes]) => !sizes.every((kB, i) => isNear(read.get(room)?.[i] ?? 0, kB)));
  expect(wrong, 'run `UPDATE_BASELINES=1 npx vitest run --project unit test/size.test.ts`').toEqual([]);
  expect([...read.keys()]).toEqual([...costs.keys()]);
});

function sizeOf(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

type External = RegExp | ((id: string, from?: string) => boolean);
const PEERS = /^(three|react|@react-three\/fiber)($|\/)/;

/** The code with all that it imports, in one piece or several, and what it loads later, as a bundler ships them. */
async function bundle(code: string, external: External = PEERS): Promise<string[]> {
  const entry = 'virtual:entry';
  const isExternal = external instanceof RegExp ? (id: string) => external.test(id) : external;
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id.endsWith(entry) ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: {
        external: (id, from) => !id.endsWith(entry) && isExternal(id, from),
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true },
        // So says the package of three.
        treeshake: { moduleSideEffects: 'no-external' },
      },
    },
  });
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput;
  const chunks = output.filter((chunk) => chunk.type === 'chunk');
  const atOnce = new Set([chunks[0].fileName]);
  for (const name of atOnce) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) atOnce.add(imported);
  }
  const [now, later] = [true, false].map((isNow) => chunks.filter(({ fileName }) => atOnce.has(fileName) === isNow));
  return [now.map(({ code }) => code).join('\n'), ...later.map(({ code }) => code)];
}
