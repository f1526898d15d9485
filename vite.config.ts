import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from 'vitest/config';
import type { BrowserConfigOptions } from 'vitest/node';
import { serveFolder } from './assets/scripts/serveFolder.mjs';
import { pageText } from './demo/docs/site/pageText.mjs';
import { findChrome } from './test/chrome.mjs';
import { atWidth } from './test/helpers/width.js';

/** Whoever imports the package by its name gets its sources. */
export const PACKAGE: { find: RegExp; replacement: string }[] = [
  { find: /^three-scene-index$/, replacement: sourceOf('index') },
  { find: /^three-scene-index\/core$/, replacement: sourceOf('standalone') },
  { find: /^three-scene-index\/(.+)$/, replacement: sourceOf('$1') },
];

function sourceOf(entry: string): string {
  return fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url));
}

export default defineConfig(({ mode }) => {
  if (mode === 'test') return tests();
  if (mode === 'one-file') return oneFile();
  return mode === 'production' ? library() : demo();
});

const PEERS = /^(three|react|@react-three\/fiber)($|\/)/;

function library(): ViteUserConfig {
  return {
    build: {
      target: 'es2022',
      lib: {
        entry: {
          index: 'src/index.ts',
          core: 'src/standalone.ts',
          inspector: 'src/inspector.ts',
          interest: 'src/interest.ts',
          levels: 'src/levels.ts',
          react: 'src/react.ts',
        },
        formats: ['es'],
      },
      rolldownOptions: {
        external: PEERS,
        output: {
          // So that bundlers leave out what is not used, and load later what is imported later. The declarations have the
          // comments.
          comments: { annotation: true, jsdoc: false, legal: true },
          preserveModules: true,
          preserveModulesRoot: 'src',
          entryFileNames: ({ name }) => (name === 'standalone' ? 'core.js' : '[name].js'),
          // Frameworks with components on the server take it for code of the browser.
          banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
        },
      },
      // The modules are as readable as their sources.
      sourcemap: false,
      minify: false,
      copyPublicDir: false,
    },
  };
}

/** All of the main entry and the core in one minified module, for pages without a bundler. */
function oneFile(): ViteUserConfig {
  return {
    build: {
      target: 'es2022',
      lib: { entry: 'src/oneFile.ts', formats: ['es'], fileName: () => 'three-scene-index.min.js' },
      rolldownOptions: { external: PEERS, output: { minify: true, codeSplitting: false } },
      emptyOutDir: false,
      copyPublicDir: false,
    },
  };
}

function demo(): ViteUserConfig {
  return {
    root: 'demo',
    // A missing file is a 404, as on a static host.
    appType: 'mpa',
    base: './',
    publicDir: false,
    resolve: { alias: PACKAGE },
    assetsInclude: ['**/*.glb', '**/*.bin'],
    plugins: [contentSecurityPolicy(), guides(), serveFolder('assets/tiles')],
    build: {
      target: 'es2022',
      outDir: '../dist-demo',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      // The polyfill would be an inline script, which the policy forbids.
      modulePreload: { polyfill: false },
      // three alone is larger than the default limit.
      chunkSizeWarningLimit: 1500,
      rolldownOptions: { input: pages() },
    },
    worker: { format: 'es' },
  };
}

/** The pages of the demo: its own, the gallery, the reader, and one in the folder of each example. */
function pages(): string[] {
  const examples = readdirSync('demo/examples').map((name) => `demo/examples/${name}/index.html`);
  return [
    'demo/index.html',
    'demo/examples/index.html',
    'demo/read/index.html',
    ...examples.filter((page) => existsSync(page)),
  ];
}

/** `guide.md?guide` is the text of a guide, with its tables and what it includes. */
function guides(): Plugin {
  return {
    name: 'guides',
    load: (id) => (id.endsWith('.md?guide') ? `export default ${JSON.stringify(pageText(id.split('?')[0]!))}` : null),
  };
}

/** Only in the build: the development server needs inline scripts and a web socket. */
function contentSecurityPolicy(): Plugin {
  const policyOf = (path: string) => [
    "default-src 'none'",
    // WebAssembly, which the library uses where it may.
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self' blob: data:",
    "font-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    // Examples post their code to where it can be tried out.
    path.startsWith('/examples/') ? 'form-action https://stackblitz.com' : "form-action 'none'",
  ];
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { path }) => [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content: policyOf(path).join('; ') },
          injectTo: 'head-prepend',
        },
      ],
    },
  };
}

/**
 * Tests that want a process of their own: of what is kept and allocated, and of kernels, of which there are not many
 * at a time, so that the indices of other tests may have them all.
 */
const ISOLATED = [
  // With a module of arrays of its own.
  'test/model/moved.test.ts',
  // Of code that cannot be loaded.
  'test/batching/offline.test.ts',
  'test/leaks/**/*.test.ts',
  'test/packed/{allocation,kernelMemory,kernels,pairs,anywhere}.test.ts',
  'test/occlusion/edges.test.ts',
  'test/scene/visibilityTracker.test.ts',
  'test/determinism/**/*.test.ts',
  'test/model/scripts.test.ts',
  // Mostly programs of their own, which wait for one another.
  'test/consumer/consumer.test.ts',
];

/** Left to runs of full width, which is the only one that these have, as those above. */
const AT_LENGTH = [
  'test/batching/{states,pairs,BatchGeometry,levels/makeLevels,levels/cellDraws}.test.ts',
  'test/consumer/**',
  'test/contract/hostileOrders.test.ts',
  'test/core/shapes/{planes,shapes}.test.ts',
  'test/demo/street.test.ts',
  'test/instances/table/InstanceIndex.test.ts',
  'test/model/scene/sceneChecks.test.ts',
  'test/occlusion/keepRows.test.ts',
  'test/render/occlusion/{cost,hiddenInstances}.test.ts',
  'test/packed/{distribute,sameRows,shape,updateAll}.test.ts',
  'test/render/{instances,limits}.test.ts',
  'test/scene/twoCopies.test.ts',
  'test/scene/ask/{decisions,oddRays}.test.ts',
  'test/scene/follow/{manyObjects,steadyMotion}.test.ts',
  'test/trees/{maintain,nodes,validate}.test.ts',
  'test/trees/grid/grid.test.ts',
  'test/trees/octree/{entries,maxDepth}.test.ts',
];

/** What tests in browsers import: found late, a dependency reloads the page in mid-test. */
export const BROWSER_DEPENDENCIES: string[] = [
  '3d-tiles-renderer',
  '@react-three/drei',
  '@react-three/fiber',
  'react',
  'react-dom/client',
  'react/jsx-dev-runtime',
  'three',
  'three/tsl',
  'three/webgpu',
  'three/addons/csm/CSM.js',
  'three/addons/inspector/Extension.js',
  'three/addons/inspector/Inspector.js',
  'three/addons/libs/meshopt_decoder.module.js',
  'three/addons/libs/meshopt_simplifier.module.js',
  'three/addons/lights/SunLight.js',
  'three/addons/loaders/DRACOLoader.js',
  'three/addons/loaders/GLTFLoader.js',
  'three/addons/loaders/KTX2Loader.js',
  'three/addons/objects/Reflector.js',
  'three/addons/pipelines/MeshletDrawingPipeline.js',
  'three/addons/postprocessing/EffectComposer.js',
  'three/addons/postprocessing/GTAOPass.js',
  'three/addons/postprocessing/OutlinePass.js',
  'three/addons/postprocessing/OutputPass.js',
  'three/addons/postprocessing/RenderPass.js',
  'three/addons/postprocessing/SSAOPass.js',
  'three/addons/tsl/display/OutlineNode.js',
  'three/addons/tsl/display/TRAANode.js',
];

/** Every page of the demo, drawn in software, takes a quarter of an hour: a run of full width takes a part of it. */
const E2E = process.env.DEMO ? ['test/e2e/**/*.test.ts'] : atWidth(['test/e2e/worlds.test.ts'], []);

/** A busy machine is no reason to fail: these are for what never ends. */
export const PATIENT = { testTimeout: 180_000, hookTimeout: 180_000 };

function tests(): ViteUserConfig {
  return {
    test: {
      coverage: {
        provider: 'v8',
        include: ['src/core/**/*.ts'],
        reporter: ['text'],
        thresholds: { branches: 100 },
      },
      projects: [
        {
          resolve: { alias: PACKAGE },
          test: {
            name: 'unit',
            ...PATIENT,
            setupFiles: ['test/settle.ts', 'test/noFailures.ts'],
            // Else each file would load the library, three and the oracles anew, a third of all that these tests take.
            isolate: false,
            // The default leaves a core to the watcher; of two that is half.
            maxWorkers: '100%',
            sequence: { groupOrder: 0 },
            include: ['test/**/*.test.ts'],
            exclude: [
              'test/{browser,inspector,recipes,e2e,bench,versions,leaks}/**',
              ...ISOLATED,
              ...atWidth([], AT_LENGTH),
            ],
          },
        },
        {
          test: {
            name: 'isolated',
            ...PATIENT,
            setupFiles: ['test/noFailures.ts'],
            // Beside pages, which are drawn one at a time and leave a part of a processor.
            sequence: { groupOrder: 1 },
            include: atWidth(ISOLATED, []),
          },
        },
        // The oldest three of the package, and of accelerate.
        withThree('three-168', [
          'versions/oldest',
          atWidth('scene/{ask/culling,follow/following,queries}', 'scene/ask/culling'),
        ]),
        withThree('three-186', [
          'versions/oldestAccelerated',
          atWidth('render/{accelerate,instances}', 'render/accelerate'),
          atWidth('instances/{table/InstanceIndex,drawn/drawLists,drawn/levels}', 'instances/drawn/drawLists'),
          '{render/shadowFilter,batching/shaderTexts,three/digests}',
          ...atWidth(['model/scene/sceneScripts', 'batching/MaterialFamilies'], []),
        ]),
        {
          plugins: [threeWithoutWebGL()],
          test: {
            name: 'three-webgpu',
            ...PATIENT,
            setupFiles: ['test/noFailures.ts'],
            sequence: { groupOrder: 1 },
            include: ['test/versions/withoutWebGL.test.ts'],
          },
        },
        // Two pages at a time: what one draws leaves a processor idle while it compiles.
        inPage('browser', atWidth(EVERYWHERE, ['test/browser/pictures.test.ts']), atWidth([BATCHING], [])),
        inPage('browser-batching', atWidth([BATCHING], [])),
        inPage('browser-webgpu', atWidth([WITHOUT_WEBGL], []), [], [threeWithoutWebGL()]),
        // Pictures of instances, whose drawing r186 did otherwise, and what it calls in which order.
        {
          resolve: { alias: [...PACKAGE, { find: /^three(?=$|\/)/, replacement: 'three-186' }] },
          define: { 'process.env.FULL': JSON.stringify(process.env.FULL ?? '') },
          optimizeDeps: { include: ['three-186', 'three-186/webgpu'] },
          test: {
            name: 'browser-186',
            ...PATIENT,
            setupFiles: ['test/noFailures.ts'],
            sequence: { groupOrder: 1 },
            include: atWidth(['test/browser/instances.test.ts'], []),
            browser: inChromium(),
          },
        },
        // Its plugins are loaded where they are needed.
        ...atWidth(['test/recipes/vite.config.ts'], []),
        {
          test: {
            name: 'e2e',
            ...PATIENT,
            sequence: { groupOrder: 1 },
            include: E2E,
            globalSetup: 'test/e2e/serve.ts',
            fileParallelism: false,
          },
        },
      ],
    },
  };
}

const EVERYWHERE = ['test/{browser,inspector}/**/*.test.ts', 'test/react/**/*.test.tsx'];
const BATCHING = 'test/browser/{batching*,webgpu}.test.ts';
/** One suite of each kind that draws with `WebGPURenderer`. */
const WITHOUT_WEBGL = 'test/browser/{webgpu,batchingWebgpu,instances,levels,occlusion,occlusionProbe}.test.ts';

/**
 * Gives the sources the build of three that has no `WebGLRenderer`, as the import map of three's own WebGPU examples does.
 * Tests keep the other: the two share their classes.
 */
function threeWithoutWebGL(): Plugin {
  const sources = fileURLToPath(new URL('src/', import.meta.url));
  return {
    name: 'three-without-webgl',
    enforce: 'pre',
    resolveId(name, importer) {
      return name === 'three' && importer?.startsWith(sources) ? this.resolve('three/webgpu', importer) : null;
    },
  };
}

/** Tests that share a page of Chromium: else each file would load three and the library anew. */
function inPage(
  name: string,
  include: string[],
  exclude: string[] = [],
  plugins: Plugin[] = [],
): TestProjectConfiguration {
  return {
    plugins,
    resolve: { alias: PACKAGE },
    // The width of a run, for pages too.
    define: { 'process.env.FULL': JSON.stringify(process.env.FULL ?? '') },
    optimizeDeps: { include: BROWSER_DEPENDENCIES },
    test: {
      name,
      ...PATIENT,
      setupFiles: ['test/noFailures.ts'],
      isolate: false,
      sequence: { groupOrder: 1 },
      include,
      exclude,
      browser: inChromium(),
    },
  };
}

export function inChromium(): BrowserConfigOptions {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    instances: [{ browser: 'chromium' }],
    provider: playwright({
      // A getter, so that runs without this project do not unpack a browser.
      get launchOptions() {
        return findChrome();
      },
    }),
  };
}

/**
 * Tests that run with another version of three: an alias of it in package.json. Each file has modules of its own, as some load
 * modules anew, and three with them.
 */
function withThree(name: string, tests: string[]): TestProjectConfiguration {
  return {
    resolve: { alias: [{ find: /^three(?=$|\/)/, replacement: name }] },
    test: {
      name,
      ...PATIENT,
      setupFiles: ['test/noFailures.ts'],
      sequence: { groupOrder: 1 },
      include: tests.map((test) => `test/${test}.test.ts`),
      // Left to Node, addons would bring in the three of the other tests.
      server: { deps: { inline: [name] } },
    },
  };
}
