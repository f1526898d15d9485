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
  ['core with Octree', `import { Octree } from '${src}standalone.ts'; globalThis.kept = new Octree();`, 16_000],
  ['SceneIndex', `import { SceneIndex } from '${src}index.ts'; globalThis.kept = SceneIndex;`, 31_000],
  ['accelerate', `import { accelerate } from '${src}index.ts'; globalThis.kept = accelerate;`, 39_000],
  ['Accelerated', `import { Accelerated } from '${src}react.ts'; globalThis.kept = Accelerated;`, 43_300],
];

it.each(LIMITS)(
  '%s is no larger than it may be',
  async (label, code, most) => {
    const [entry, ...later] = await bundle(code);
    const bytes = sizeOf(entry);
    const sizes = later.map(sizeOf);
    console.log(`${label}: ${bytes} bytes, at most ${most}; loaded later: ${sizes.join()} bytes`);
    expect(bytes).toBeLessThanOrEqual(most);
    // Pages with WebGPURenderer alone do without the texts of three's shaders.
    expect(entry).not.toContain('ShaderChunk');
    // Batches; the others are kernels, what draws instances, and the maintenance of trees.
    const [largest = 0, ...others] = sizes.sort((a, b) => b - a);
    expect(largest).toBeLessThanOrEqual(14_000);
    for (const size of others) expect(size).toBeLessThanOrEqual(10_000);
  },
  600_000,
);

function sizeOf(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

/** The code with all that it imports, in one piece or several, and what it loads later, as a bundler ships them. */
async function bundle(code: string): Promise<string[]> {
  const entry = 'virtual:entry';
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
        external: /^(three|react|@react-three\/fiber)($|\/)/,
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
