// Takes the pictures of the gallery from the examples: node assets/scripts/make-example-pictures.mjs [name…]
// They are what the canvases show, transparent where nothing is drawn, so that they suit both themes.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { findChrome } from '../../test/chrome.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SIZE = { width: 640, height: 400 };
const PICTURE = { width: 512, height: 320, most: 25_000 };

/** What fades into the ground of the page. */
const FOGGY = ['accelerate', 'instances', 'tiles'];

/** What a hand does before a picture is taken. */
const ACTS = {
  pick: ({ mouse }) => mouse.move(335, 190),
  react: ({ mouse }) => mouse.move(330, 205, { steps: 5 }),
  async select({ mouse }) {
    await mouse.move(210, 130);
    await mouse.down();
    await mouse.move(430, 300, { steps: 3 });
  },
  async instances({ mouse }) {
    for (let x = 0; x <= 640; x += 20) await mouse.move(x, 300 + 60 * Math.sin(x / 90));
  },
};

process.chdir(root);
const asked = process.argv.slice(2);
const names = readdirSync('demo/examples').filter((name) => existsSync(`demo/examples/${name}/index.html`));
await build({ mode: 'demo', logLevel: 'warn' });
const server = await preview({ mode: 'demo', preview: { port: 0, open: false } });
const browser = await chromium.launch(findChrome());
for (const name of names.filter((one) => asked.length === 0 || asked.includes(one))) {
  const isFoggy = FOGGY.includes(name);
  const page = await browser.newPage({ viewport: SIZE, reducedMotion: isFoggy ? 'reduce' : 'no-preference' });
  await page.goto(`${server.resolvedUrls.local[0]}examples/${name}/?theme=dark`);
  // Long enough for tiles and batches to come, and for cubes to meet.
  await page.waitForTimeout(4000);
  await ACTS[name]?.(page);
  await page.waitForTimeout(1500);
  const picture = Buffer.from(await page.evaluate(takePicture, { ...PICTURE, isFoggy }), 'base64');
  writeFileSync(`demo/examples/${name}/picture.webp`, picture);
  console.log(name, picture.length);
  await page.close();
}
await browser.close();
await server.close();

/**
 * In the page: the canvas as it is in the frame that drew it, as good as the bytes allow, in base64. WebP keeps each step
 * of opacity, at whatever quality: edges with few steps take few bytes.
 */
async function takePicture({ width, height, most, isFoggy }) {
  const copy = Object.assign(document.createElement('canvas'), { width, height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  const { data: pixels } = await read();
  if (isFoggy) {
    const groundInDark = groundOf();
    document.querySelector('[title*="(T)"]').click();
    const { data: inLight } = await read();
    const groundInLight = groundOf();
    for (let i = 0; i < pixels.length; i += 4) clear(i, inLight, groundInDark, groundInLight);
  }
  for (const [steps, quality] of [16, 8, 4, 2].flatMap((steps) =>
    [0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((q) => [steps, q]),
  )) {
    const data = pixels.slice();
    for (let i = 3; i < data.length; i += 4) data[i] = (Math.round((data[i] / 255) * steps) / steps) * 255;
    context.putImageData(new ImageData(data, width), 0, 0);
    const text = copy.toDataURL('image/webp', quality).split(',')[1];
    if ((text.length * 3) / 4 <= most || (steps === 2 && quality === 0.4)) return text;
  }

  async function read() {
    // Two frames: the first may be one that began in another theme.
    for (let frame = 0; frame < 2; frame++) {
      await new Promise(requestAnimationFrame);
      context.clearRect(0, 0, width, height);
      context.drawImage(document.querySelector('canvas'), 0, 0, width, height);
    }
    return context.getImageData(0, 0, width, height);
  }

  function groundOf() {
    return getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  }

  /** Makes fog transparent: as much as a pixel goes with the ground, which is dark in one picture and light in the other. */
  function clear(i, inLight, dark, light) {
    const share = (inLight[i + 1] - pixels[i + 1]) / (light[1] - dark[1]);
    const alpha = (pixels[i + 3] / 255) * Math.min(1, Math.max(0, 1 - share));
    for (let c = 0; c < 3; c++) pixels[i + c] = alpha > 0 ? (pixels[i + c] - (1 - alpha) * dark[c]) / alpha : 0;
    pixels[i + 3] = 255 * alpha;
  }
}
