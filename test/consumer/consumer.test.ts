import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright';
import { preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChrome } from '../chrome.mjs';
import { exampleOf, openReadmePage } from './followReadme.mjs';
import { packLibrary } from './packLibrary.mjs';

let folder: string;
let tarball: string;
let project: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'three-scene-index-consumer-'));
  project = join(folder, 'project');
  tarball = packLibrary(folder);
  cpSync(fileURLToPath(new URL('project', import.meta.url)), project, { recursive: true });
  await run('npm', 'install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', tarball);
  browser = await chromium.launch(findChrome());
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const installed = (file = ''): string => join(project, 'node_modules/three-scene-index', file);

/** What a program says; throws, with all that it said, when it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  try {
    const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' };
    return (await promisify(execFile)(program, args, { cwd: project, env, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}:\n${stdout}\n${stderr}`);
  }
}
const node = (...args: string[]): Promise<string> => run(process.execPath, ...args);

/** The entries of the package, by the names under which they are imported. */
function entries(): string[] {
  const { name, exports } = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  return paths.map((path) => path.replace('.', name));
}

// Beside each other, as each takes one processor for long.
describe.concurrent('the types of the package', () => {
  // Declarations of React Three Fiber are none for Node's resolution in TypeScript 5.4.
  test.each([
    ['typescript-5.4', 'ESNext', 'bundler', ['core.ts', 'Page.tsx']],
    ['typescript', 'NodeNext', 'NodeNext', ['core.ts', 'Page.tsx']],
  ])('hold for %s, %s, %s, those of libraries checked', async (compiler, module, moduleResolution, files) => {
    const config = join(project, `${compiler}.json`);
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], jsx: 'react-jsx' },
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] },
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    await node(`node_modules/${compiler}/bin/tsc`, '-p', config);
  });

  test('are found by every resolution of modules that there is', async () => {
    await node('node_modules/@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only');
  });
});

describe('the package', () => {
  test('is small: under 550 kB packed, without source maps, and with one file for pages of at most 188 kB', () => {
    expect(statSync(tarball).size).toBeLessThan(550_000);
    const bytes = gzipSync(readFileSync(installed('dist/three-scene-index.min.js')), { level: 9 }).length;
    expect(bytes).toBeLessThan(188_000);
    const readme = readFileSync(installed('README.md'), 'utf8');
    const [, said] = readme.match(/^\| size, all in one file \| ([\d.]+) kB \|/m) ?? [];
    expect(Math.abs(Number(said) - bytes / 1000), 'run `npm run bench:sizes`').toBeLessThan(2);
    const files = readdirSync(installed('dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  test('has all of the main entry and the core in the one file, and only what scenes need in the main entry', async () => {
    const names = async (entry: string): Promise<string[]> => {
      const code = `console.log(JSON.stringify(Object.keys(await import('${entry}'))));`;
      return JSON.parse(await node('--input-type=module', '--eval', code));
    };
    const [main, core, all] = await Promise.all(
      ['', '/core', '/three-scene-index.min.js'].map((path) => names(`three-scene-index${path}`)),
    );
    expect(all.sort()).toEqual([...new Set([...main, ...core])].sort());
    const isForScenes = (name: string) =>
      !/^(BruteForce|Bvh|Grid|STRUCTURES|Hits|Id|Capsule|Sector|Oriented|enable)/.test(name);
    expect(main.filter((name) => !isForScenes(name))).toEqual([]);
    expect(core).toContain('Bvh');
  });

  test('says what its functions do where an editor shows it', () => {
    const declarations = (name: string) => readFileSync(installed(`dist/${name}.d.ts`), 'utf8');
    expect(declarations('render/accelerate')).toMatch(/\*\/\nexport declare function accelerate</);
    expect(declarations('contract/SpatialIndex')).toMatch(/\*\/\n {4}queryBox\(/);
  });

  test('says that its React entry is code of the client', () => {
    expect(readFileSync(installed('dist/react.js'), 'utf8')).toMatch(/^["']use client["'];/);
  });

  test('can be imported by Node, where there is no window', async () => {
    const code = `for (const name of ${JSON.stringify(entries())}) console.log(name, Object.keys(await import(name)).length > 0);`;
    const said = await node('--input-type=module', '--eval', code);
    expect(said.trim().split('\n')).toEqual(entries().map((name) => `${name} true`));
  });

  test('works in a worker thread of Node', async () => {
    const work =
      "import('three-scene-index/core').then(({ Packed }) => { const index = new Packed(); index.add([0, 0, 0, 1, 1, 1]);" +
      "require('node:worker_threads').parentPort.postMessage(index.queryPoint(0, 0, 0).length); });";
    const code = `const { Worker } = require('node:worker_threads'); new Worker(${JSON.stringify(work)}, { eval: true }).on('message', console.log);`;
    expect((await node('--eval', code)).trim()).toBe('1');
  });

  test('is rendered on a server', async () => {
    await node(
      'node_modules/vite/bin/vite.js',
      'build',
      '--ssr',
      'server.tsx',
      '--outDir',
      'server',
      '--logLevel',
      'warn',
    );
    expect(await node('server/server.js')).toMatch(/<h1>\d/);
  });

  test('is built into a page, with the example of the README, and into its worker', async () => {
    writeFileSync(join(project, 'readme.ts'), exampleOf());
    await node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn');
    const server = await preview({
      root: project,
      configFile: false,
      preview: { host: '127.0.0.1', port: 0, open: false },
      logLevel: 'warn',
    });
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    try {
      await page.goto(server.resolvedUrls?.local[0] ?? '');
      await page.getByText('11 found').waitFor();
      expect(said).toEqual(['33 of 1000 in view, one hit']);
    } finally {
      await page.close();
      await server.close();
    }
  });

  // With all of its meshes it is opened by `npm run newcomer`: drawn one by one by a processor, they take a minute.
  test('is what the page of the README draws, which takes all from a CDN, with some of its meshes', async () => {
    const { separate, batched, colours, errors } = await openReadmePage(project, 500);
    expect(errors).toEqual([]);
    expect(separate).toBeGreaterThan(5 * batched);
    expect(colours).toBeGreaterThan(100);
  }, 600_000);
});

describe('a page without a bundler', () => {
  const three = { three: '/three/build/three.module.js' };
  const inspector = {
    ...three,
    'three/webgpu': '/three/build/three.webgpu.js',
    'three/tsl': '/three/build/three.tsl.js',
    'three/addons/': '/three/examples/jsm/',
  };

  /** As in three's own WebGPU examples. */
  const webgpu = { ...inspector, three: '/three/build/three.webgpu.js', 'three-scene-index': '/dist/index.js' };

  /** What comes of code in a new page with an import map; errors as texts. */
  async function evaluate(imports: object, code: string): Promise<unknown> {
    const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
    const page = await browser.newPage();
    await page.route('**/*', (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html });
      const file = path.startsWith('/dist/') ? installed(path) : join(project, 'node_modules', path);
      return route.fulfill({ contentType: 'text/javascript', body: readFileSync(file, 'utf8') });
    });
    await page.goto('http://package.test/');
    const result = await page.evaluate(`(async () => { ${code} })().catch(String)`);
    await page.close();
    return result;
  }

  test.each([
    ['what servers and workers need, with nothing else', {}, /^(core|interest)\.js$/, 2],
    ['all of the main entry, at once or later, with three alone', three, /^(?!inspector|levels\.|react).*\.js$/, 100],
    ['the tab of the Inspector, with parts of three', inspector, /^inspector\.js$/, 1],
    ['all but React, with the build of three that has no WebGLRenderer', webgpu, /^(?!levels\.|react).*\.js$/, 100],
  ])('loads %s', async (_, imports, wanted, least) => {
    const files = readdirSync(installed('dist'), { recursive: true, encoding: 'utf8' });
    const modules = files.filter((file) => wanted.test(file));
    expect(modules.length).toBeGreaterThanOrEqual(least);
    const code = `for (const file of ${JSON.stringify(modules)}) await import('/dist/' + file); return 'all';`;
    expect(await evaluate(imports, code)).toBe('all');
  });

  test.each(['three-scene-index', '/dist/three-scene-index.min.js'])(
    'draws batches by %s with the import map of the WebGPU examples of three',
    async (library) => {
      const code = `const THREE = await import('three');
      const { accelerate, explain } = await import('${library}');
      const renderer = new THREE.WebGPURenderer();
      renderer.setSize(64, 64);
      await renderer.init();
      renderer.info.autoReset = false;
      const scene = new THREE.Scene();
      const [box, paint] = [new THREE.BoxGeometry(), new THREE.MeshStandardMaterial()];
      for (let i = 0; i < 60; i++) scene.add(new THREE.Mesh(box, paint).translateX(i / 10 - 3));
      const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100).translateZ(9);
      const index = accelerate(scene, { batch: true });
      await index.ready;
      for (let frame = 0; frame < 4; frame++) {
        renderer.info.reset();
        renderer.render(scene, camera);
      }
      return [renderer.info.render.drawCalls, ...explain(index, scene.children[7], camera)];`;
      // One more converts colours for the canvas.
      expect(await evaluate(webgpu, code)).toEqual([2, 'It is drawn in a batch of 60 draws.']);
    },
  );

  test('makes levels of detail in the worker', async () => {
    const code = `const { makeInWorker } = await import('/dist/batching/levels/inWorker.js');
      const side = 33, cells = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)]);
      const inner = cells.filter(([x, y]) => x + 1 < side && y + 1 < side).map(([x, y]) => y * side + x);
      const { counts } = await makeInWorker({
        positions: new Float32Array(cells.flatMap(([x, y]) => [x, y, 0])),
        attributes: [],
        index: new Uint32Array(inner.flatMap((i) => [i, i + 1, i + side, i + 1, i + side + 1, i + side])),
      }, () => {});
      return counts[0] / inner.length;`;
    expect(await evaluate({}, code)).toBeLessThan(1);
  });

  test('asks once for a worker that the page forbids', async () => {
    const code = `const { makeInWorker } = await import('/dist/batching/levels/inWorker.js');
      const source = () => ({ positions: new Float32Array(9), attributes: [], index: new Uint32Array([0, 1, 2]) });
      const policy = document.createElement('meta');
      Object.assign(policy, { httpEquiv: 'Content-Security-Policy', content: "worker-src 'none'" });
      document.head.append(policy);
      let violations = 0;
      document.addEventListener('securitypolicyviolation', () => violations++);
      const tries = [source(), source(), source()].map((each) => makeInWorker(each, () => {}));
      const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected').length;
      await makeInWorker(source(), () => {}).catch(() => {});
      return [violations, refused];`;
    expect(await evaluate({}, code)).toEqual([1, 3]);
  });
});
