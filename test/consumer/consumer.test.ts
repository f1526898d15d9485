import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChrome } from '../chrome.mjs';
import { followReadme, openReadmePage } from './followReadme.mjs';
import { describeImportMaps } from './importMaps.js';
import { packLibrary } from './packLibrary.mjs';

let folder: string;
let tarball: string;
let project: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'three-scene-index-consumer-'));
  project = join(folder, 'project');
  tarball = packLibrary(folder);
  cpSync(fileURLToPath(new URL('project', import.meta.url)), project, { recursive: true });
  run('npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
  mkdirSync(installed());
  run('tar', '-xzf', tarball, '-C', installed(), '--strip-components=1');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where the package is as npm would put it; the newcomer below has npm do it. */
const installed = (file = ''): string => join(project, 'node_modules/three-scene-index', file);

/** What a program says; throws, with all that it said, when it fails. */
function run(program: string, ...args: string[]): string {
  try {
    const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' };
    return execFileSync(program, args, { cwd: project, encoding: 'utf8', stdio: 'pipe', env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}:\n${stdout}\n${stderr}`);
  }
}
const node = (...args: string[]): string => run(process.execPath, ...args);

/** The entries of the package, by the names under which they are imported. */
function entries(): string[] {
  const { name, exports } = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  return paths.map((path) => path.replace('.', name));
}

describe('the types of the package', () => {
  // Declarations of React Three Fiber are none for Node's resolution in TypeScript 5.4.
  test.each([
    ['typescript-5.4', 'ESNext', 'bundler', ['core.ts', 'Page.tsx']],
    ['typescript', 'NodeNext', 'NodeNext', ['core.ts', 'Page.tsx']],
  ])('hold for %s, %s, %s, those of libraries checked', (compiler, module, moduleResolution, files) => {
    const config = join(project, 'tsconfig.json');
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], jsx: 'react-jsx' },
      ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: [] },
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files }));
    node(`node_modules/${compiler}/bin/tsc`, '-p', config);
  });

  test('are found by every resolution of modules that there is', () => {
    node('node_modules/@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only');
  });
});

describe('the package', () => {
  test('is small: under 500 kB packed, without source maps, and with one file for pages of at most 162 kB', () => {
    expect(statSync(tarball).size).toBeLessThan(500_000);
    expect(gzipSync(readFileSync(installed('dist/three-scene-index.min.js'))).length).toBeLessThan(162_000);
    const files = readdirSync(installed('dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  test('says what its functions do where an editor shows it', () => {
    const declarations = (name: string) => readFileSync(installed(`dist/${name}.d.ts`), 'utf8');
    expect(declarations('render/accelerate')).toMatch(/\*\/\nexport declare function accelerate</);
    expect(declarations('contract/SpatialIndex')).toMatch(/\*\/\n {4}queryBox\(/);
  });

  test('says that its React entry is code of the client', () => {
    expect(readFileSync(installed('dist/react.js'), 'utf8')).toMatch(/^["']use client["'];/);
  });

  test('can be imported by Node, where there is no window', () => {
    const code = `for (const name of ${JSON.stringify(entries())}) console.log(name, Object.keys(await import(name)).length > 0);`;
    const said = node('--input-type=module', '--eval', code).trim().split('\n');
    expect(said).toEqual(entries().map((name) => `${name} true`));
  });

  test('works in a worker thread of Node', () => {
    const work =
      "import('three-scene-index/core').then(({ Packed }) => { const index = new Packed(); index.add([0, 0, 0, 1, 1, 1]);" +
      "require('node:worker_threads').parentPort.postMessage(index.queryPoint(0, 0, 0).length); });";
    const code = `const { Worker } = require('node:worker_threads'); new Worker(${JSON.stringify(work)}, { eval: true }).on('message', console.log);`;
    expect(node('--eval', code).trim()).toBe('1');
  });

  test('is rendered on a server', () => {
    node('node_modules/vite/bin/vite.js', 'build', '--ssr', 'server.tsx', '--outDir', 'server', '--logLevel', 'warn');
    expect(node('server/server.js')).toMatch(/<h1>\d/);
  });

  test('is built into a page, and into its worker', async () => {
    node('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn');
    const server = await preview({
      root: project,
      configFile: false,
      preview: { host: '127.0.0.1', port: 0, open: false },
      logLevel: 'warn',
    });
    const browser = await chromium.launch(findChrome());
    try {
      const page = await browser.newPage();
      await page.goto(server.resolvedUrls?.local[0] ?? '');
      await page.getByText('11 found').waitFor();
    } finally {
      await browser.close();
      await server.close();
    }
  });

  test('is what the example of the README says, in an empty project', async () => {
    const { said, seconds } = await followReadme(join(folder, 'newcomer'), tarball);
    expect(said).toBe('33 of 1000 in view, one hit');
    console.log(`a newcomer's clock: ${seconds.toFixed(1)} s`);
  });

  // With all of its meshes it is opened by `npm run newcomer`: drawn one by one by a processor, they take a minute.
  test('is what the page of the README draws, which takes all from a CDN, with some of its meshes', async () => {
    const { separate, batched, colours, errors } = await openReadmePage(project, 500);
    expect(errors).toEqual([]);
    expect(separate).toBeGreaterThan(5 * batched);
    expect(colours).toBeGreaterThan(100);
  }, 600_000);
});

describeImportMaps(() => installed('dist'));
