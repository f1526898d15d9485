// Where a scene in one mode is run: a process of Node, or a page of Chromium with a process of its own. Both answer
// `run(frames, isPaced)` with `{ time, calls, triangles }` of a frame, the time in microseconds of CPU.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build } from 'vite';
import { findChrome } from '../../chrome.mjs';
import { servePage } from '../browser/servePage.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Processes of Node, in which a stub stands for the graphics card. */
export async function openNode() {
  const outDir = path('../../../node_modules/.cache/bench/frames');
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: path('worker.ts'),
      outDir,
      minify: false,
      target: 'node20',
      // Files as in the package, whose names a profile shows.
      rolldownOptions: { output: { preserveModules: true, entryFileNames: '[name].js' } },
    },
  });
  const start = async (scene, count, mode) => {
    const child = fork(`${outDir}/test/bench/frames/worker.js`, [scene, String(count), mode]);
    const answer = () =>
      new Promise((resolve, reject) => {
        const fail = (code) => reject(new Error(`${scene}, ${count}, ${mode} died with ${code}`));
        child.once('exit', fail);
        child.once('message', (message) => {
          child.off('exit', fail);
          resolve(message);
        });
      });
    await answer();
    const run = (frames, isPaced = false, isProfiled = false) => {
      child.send({ frames, isPaced, isProfiled });
      return answer();
    };
    return { run, end: () => child.kill() };
  };
  return { title: `Node ${process.version}, a stub in place of WebGL`, start, close: async () => {} };
}

/** Pages of a headless Chromium. Each has a browser context, and by that a process, of its own. */
export async function openPages() {
  const { url, close } = await servePage(path('page.ts'));
  const browser = await chromium.launch(findChrome());
  const start = async (scene, count, mode) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(error));
    await page.goto(url);
    await page.evaluate((given) => globalThis.bench.open(...given), [scene, count, mode]);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    /** Microseconds for which the main thread has run. */
    const clock = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return 1e6 * metrics.find(({ name }) => name === 'ThreadTime').value;
    };
    const run = async (frames, isPaced = false) => {
      const expression = `bench.run(${frames}, ${isPaced})`;
      const before = await clock();
      // Not page.evaluate, which has the page do more.
      const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(`${scene}, ${count}, ${mode}: ${exceptionDetails.exception.description}`);
      return { time: ((await clock()) - before) / frames, ...result.value };
    };
    return { run, end: () => context.close() };
  };
  return {
    title: `Chromium ${browser.version()}`,
    start,
    close: async () => {
      await browser.close();
      await close();
    },
  };
}
