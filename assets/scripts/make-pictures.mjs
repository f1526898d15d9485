// Makes the moving pictures of the README from the demo: node assets/scripts/make-pictures.mjs
// Needs img2webp, which the package `webp` of Debian and Homebrew has. In both themes a flight over the town, and a still
// of it for readers who prefer reduced motion.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { findChrome } from '../../test/chrome.mjs';

/** Seconds of the flight: behind these it passes through a tower. */
const FROM = 1;
const TO = 11;
const FRAMES = 80;
/** Milliseconds that a frame is shown. */
const SHOWN = 100;
const MOST_BYTES = 1_500_000;
const VIEWPORT = { width: 800, height: 680 };

const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);
await build({ mode: 'demo', logLevel: 'warn' });
const server = await preview({ mode: 'demo', preview: { port: 0, open: false } });
const browser = await chromium.launch(findChrome());
for (const theme of ['dark', 'light']) {
  const folder = mkdtempSync(join(tmpdir(), 'three-scene-index-pictures-'));
  const frames = [];
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  for (let frame = 0; frame < FRAMES; frame++) {
    // The way there and back again has no seam.
    const seconds = FROM + ((TO - FROM) * (1 - Math.cos((2 * Math.PI * frame) / FRAMES))) / 2;
    frames.push(join(folder, `${String(frame).padStart(3, '0')}.png`));
    await takePicture(page, theme, seconds, frames[frame]);
  }
  await page.close();
  const still = `assets/readme/town-${theme}-still.webp`;
  execFileSync('cwebp', ['-quiet', '-q', '80', frames[FRAMES / 4], '-o', still]);
  console.log(still, statSync(still).size);
  const film = `assets/readme/town-${theme}.webp`;
  for (let quality = 70; ; quality -= 5) {
    const options = ['-loop', '0', '-min_size', '-lossy', '-q', String(quality), '-m', '6', '-d', String(SHOWN)];
    execFileSync('img2webp', [...options, ...frames, '-o', film]);
    const { size } = statSync(film);
    console.log(film, 'quality', quality, size);
    if (size <= MOST_BYTES) break;
  }
  rmSync(folder, { recursive: true });
}
await browser.close();
await server.close();

/** The two views of the town after so many seconds of its flight. */
async function takePicture(page, theme, seconds, path) {
  await page.goto(`${server.resolvedUrls.local[0]}?theme=${theme}&t=${seconds.toFixed(3)}&animate=0`);
  await page.evaluate(() => globalThis.__demo.ready);
  const box = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('canvas')].map((canvas) => canvas.getBoundingClientRect());
    const [x, y] = ['left', 'top'].map((side) => Math.min(...boxes.map((box) => box[side])));
    const [right, bottom] = ['right', 'bottom'].map((side) => Math.max(...boxes.map((box) => box[side])));
    return { x, y, width: right - x, height: bottom - y };
  });
  await page.screenshot({ path, clip: box });
}
