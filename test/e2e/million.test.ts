import { type BatchedMesh, PerspectiveCamera, Raycaster, Vector2 } from 'three';
import { beforeAll, expect, it } from 'vitest';
import { Autopilot } from '../../demo/control/Autopilot.js';
import { galaxyOf, MILLION_ROUTE } from '../../demo/worlds/million/Galaxy.js';
import * as demo from './acts.js';

const SECONDS = 20;
const COUNT = 20_000;
const FAR = 320;
/** Where rays go through the player's view, below what is written on it. */
const PLACES = Array.from({ length: 135 }, (_, i) => [(0.5 + (i % 15)) / 15, 0.3 + Math.floor(i / 15) / 14] as const);

demo.describeDemo('the demo, million', `world=million&t=${SECONDS}&instances=${COUNT}`, () => {
  /** Until the code that indexes instances is loaded, and both ways have drawn. */
  const indexed = async () => {
    for (let turn = 0; turn < 20; turn++) await demo.settled();
  };
  beforeAll(async () => {
    await indexed();
    await demo.press('m');
    await demo.press('m');
  });
  const drawn = async () => [await demo.reported('drawn-index'), await demo.reported('drawn-three')];

  it('has as many instances as the address asks for, and draws those in view', async () => {
    expect((await demo.report()).total).toBe('20,000');
    const [index, three] = await drawn();
    expect(index).toBe(three);
    expect(index).toBeGreaterThan(100);
    expect(index).toBeLessThan(COUNT / 4);
    expect((await demo.distinctColours()).left).toBeGreaterThan(100);
  });

  it('is seen from above, what is in view in the colours of the classes', async () => {
    const { size, pixels } = await demo.readCanvas();
    const width = Number.parseInt(size, 10);
    const isGreen = (pixel: number) => ((pixel >> 8) & 255) > (pixel & 255) + 50;
    const green = pixels.filter((pixel, i) => i % width > width / 2 && isGreen(pixel)).length;
    expect(green).toBeGreaterThan(20);
    expect(green).toBeLessThan(0.2 * pixels.length);
    const labels = await demo.page.locator('#above .legend').innerText();
    for (const label of ['Node depth', 'Intersecting']) expect(labels).not.toContain(label);
  });

  it('shows what a frame costs in both ways', async () => {
    const text = () => demo.page.locator('.hud.million').textContent();
    for (const part of [/Index[\d.]+ ms/, /Plain three[\d.]+ ms/]) {
      for (let turn = 0; turn < 200 && !part.test((await text())!); turn++) await demo.settled();
      expect(await text()).toMatch(part);
      await demo.press('m');
    }
  });

  it('draws the same picture in both ways', async () => {
    const before = await demo.readCanvas();
    await demo.press('m');
    expect(demo.shareOfOthers(before, await demo.readCanvas())).toBe(0);
    await demo.press('m');
  });

  it('picks a box', async () => {
    const card = demo.page.locator('#card');
    const pane = (await demo.page.locator('#player').boundingBox())!;
    const [x, y] = PLACES.find(([x, y]) => pickByThree(pane, x, y) !== null)!;
    await demo.clickPane('#player', x, y);
    expect(await card.innerText()).toMatch(/^Box [\d,]+/);
    for (const act of ['alone', 'hide']) {
      expect(await card.locator(`[data-act=${act}]`).getAttribute('title')).toContain('An instance is no object');
    }
    await demo.page.keyboard.press('Escape');
    expect(await card.isVisible()).toBe(false);
  });

  it('picks the instance under the pointer, which three hits first', async () => {
    const pane = (await demo.page.locator('#player').boundingBox())!;
    const expected = PLACES.map(([x, y]) => pickByThree(pane, x, y));
    // Not at the edge of a box, where half a pixel decides.
    const isClear = ([x, y]: readonly [number, number], i: number) =>
      [-0.004, 0.004].every((step) => pickByThree(pane, x + step, y + step) === expected[i]);
    const clear = PLACES.filter(isClear);
    const hits = clear.filter((place) => expected[PLACES.indexOf(place)] !== null);
    expect(hits.length).toBeGreaterThan(2);
    const tip = demo.page.locator('#tip');
    for (const place of [...hits, clear.find((place) => expected[PLACES.indexOf(place)] === null)!]) {
      const [x, y] = place;
      await demo.page.mouse.move(Math.round(pane.x + x * pane.width), Math.round(pane.y + y * pane.height));
      await demo.settled();
      const id = expected[PLACES.indexOf(place)]!;
      if (id === null) expect(await tip.isVisible()).toBe(false);
      else expect(await tip.innerText()).toBe(`Box ${id.toLocaleString('en')}`);
    }
    await demo.page.mouse.move(5, 5);
  });

  it('gives way to a world with two views', async () => {
    await demo.enter('range');
    expect(await demo.page.locator('#above').isVisible()).toBe(true);
    expect(await demo.page.locator('.hud.million').count()).toBe(0);
  });
});

let galaxy: BatchedMesh | null = null;

/** The instance that plain three hits first at a place of the pane. */
function pickByThree({ x, y, width, height }: Box, right: number, down: number): number | null {
  galaxy ??= galaxyOf(COUNT);
  const camera = new PerspectiveCamera(60, width / height, 0.5, FAR);
  new Autopilot(MILLION_ROUTE).jump(camera, SECONDS);
  camera.updateMatrixWorld();
  const raycaster = new Raycaster();
  const at = new Vector2(
    (2 * (Math.round(x + right * width) - x)) / width - 1,
    1 - (2 * (Math.round(y + down * height) - y)) / height,
  );
  raycaster.setFromCamera(at, camera);
  raycaster.far = FAR;
  return raycaster.intersectObject(galaxy)[0]?.batchId ?? null;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
