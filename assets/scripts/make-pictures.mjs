// Takes the pictures of the README from the demo: node assets/scripts/make-pictures.mjs
// Frame rates and times in them are those of a software renderer on the machine that takes them.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { findChrome } from '../../test/chrome.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PICTURES = {
  town: '?theme=dark&t=4',
  cities: '?world=cities&theme=dark&t=3',
  satellites: '?world=satellites&theme=dark&t=40',
  collisions: '?world=collisions&theme=light',
  forest: '?world=forest&theme=light&t=4',
};

process.chdir(root);
await build({ mode: 'demo', logLevel: 'warn' });
const server = await preview({ mode: 'demo', preview: { port: 0, open: false } });
const browser = await chromium.launch(findChrome());
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
for (const [name, search] of Object.entries(PICTURES)) {
  await page.goto(server.resolvedUrls.local[0] + search);
  await page.evaluate(() => window.__demo.ready);
  // Long enough for the graphs to fill and the resolution to settle.
  await page.waitForTimeout(6000);
  await page.screenshot({ path: `${root}assets/readme/${name}.png` });
}
await browser.close();
await server.close();
