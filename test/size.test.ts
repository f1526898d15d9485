import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));

/** What each costs whoever imports nothing else: bytes, minified and gzipped, three left out. */
const LIMITS: [label: string, code: string, most: number][] = [
  ['core with Octree', `import { Octree } from '${src}standalone.ts'; globalThis.kept = new Octree();`, 16_000],
  ['SceneIndex', `import { SceneIndex } from '${src}index.ts'; globalThis.kept = SceneIndex;`, 30_000],
  ['accelerate', `import { accelerate } from '${src}index.ts'; globalThis.kept = accelerate;`, 38_000],
];

it.each(LIMITS)(
  '%s is no larger than it may be',
  async (label, code, most) => {
    const bytes = gzipSync(await bundle(code), { level: 9 }).length;
    console.log(`${label}: ${bytes} bytes, at most ${most}`);
    expect(bytes).toBeLessThanOrEqual(most);
  },
  60_000,
);

/** The code with all that it imports, as a bundler ships it. */
async function bundle(code: string): Promise<string> {
  const entry = 'virtual:entry';
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: entry, external: /^three($|\/)/ },
    },
  });
  const { output } = result as Rolldown.RolldownOutput;
  expect(output).toHaveLength(1);
  return output[0].code;
}
