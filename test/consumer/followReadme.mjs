import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { findChrome } from '../chrome.mjs';

const readme = new URL('../../README.md', import.meta.url);

const PAGE = `<!doctype html>
<title>A newcomer</title>
<output></output>
<script>console.log = (text) => (document.querySelector('output').textContent = text)</script>
<script type="module" src="/main.ts"></script>
`;

/**
 * What a newcomer does: installs the package into an empty Vite project, with the first example of the README for its
 * code, starts the development server and looks.
 * @param {string} folder Where the project is to be; made.
 * @param {string} tarball The packed library.
 * @returns {Promise<{ said: string, seconds: number }>} What the page shows, and how long all this took.
 */
export async function followReadme(folder, tarball) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'newcomer', private: true, type: 'module' }));
  writeFileSync(join(folder, 'index.html'), PAGE);
  const start = performance.now();
  const names = ['vite', 'three', '@types/three', tarball];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...names], {
    cwd: folder,
    stdio: 'pipe',
  });
  const [, example] = readFileSync(readme, 'utf8').match(/```ts\n(.*?)```/s);
  writeFileSync(join(folder, 'main.ts'), example);
  const server = spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', NO_COLOR: '1' },
  });
  const browser = await chromium.launch(findChrome());
  try {
    const url = await urlOf(server);
    const page = await browser.newPage();
    await page.goto(url);
    const output = page.locator('output:not(:empty)');
    await output.waitFor();
    return { said: await output.innerText(), seconds: (performance.now() - start) / 1000 };
  } finally {
    await browser.close();
    server.kill();
  }
}

/** The address that a development server says it has. */
function urlOf(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (text) => {
      said += text;
      const url = said.match(/http:\/\/127\.0\.0\.1:\d+\//);
      if (url !== null) resolve(url[0]);
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.on('exit', () => reject(new Error(`no server: ${said}`)));
  });
}
