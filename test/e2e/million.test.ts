import type { Page } from 'playwright';
import { type BatchedMesh, type InstancedMesh, PerspectiveCamera, Raycaster, Vector2 } from 'three';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Autopilot } from '../../demo/control/Autopilot.js';
import { Galaxy } from '../../demo/worlds/million/Galaxy.js';
import { MILLION_ROUTE } from '../../demo/worlds/million/route.js';
import { control, distinctColours, openStill, picture, press, report, settled } from './acts.js';
import type { Demo } from './demo.js';
import { violations } from './violations.js';

const SECONDS = 20;
const COUNT = 20_000;
const FAR = 320;

describe('the demo, million', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    demo = await openStill(`world=million&t=${SECONDS}&instances=${COUNT}`, { width: 640, height: 560 });
    page = demo.page;
    await indexed();
  });
  afterAll(() => demo?.close());

  const drawn = async () => {
    const rows = await report(page);
    return [rows['Drawn, accelerated']!, rows['Drawn, plain three']!].map((text) => Number(text.replace(',', '')));
  };
  /** Frames until the code that indexes instances is loaded, and both ways have drawn. */
  const indexed = async () => {
    for (let turn = 0; turn < 20; turn++) await settled(page);
  };
  const choose = async (label: string, name: string) => {
    await page.locator('#settings').click();
    await control(page, label).locator('select').selectOption({ label: name });
    await settled(page);
    await page.locator('#settings').click();
    await indexed();
  };

  it('has as many instances as the address asks for, and draws those in view', async () => {
    expect((await report(page)).figure).toBe('20,000');
    const [index, three] = await drawn();
    expect(index).toBe(three);
    expect(index).toBeGreaterThan(100);
    expect(index).toBeLessThan(COUNT / 4);
    expect((await page.evaluate(distinctColours)).left).toBeGreaterThan(100);
  });

  it('shows what a frame costs in both ways', async () => {
    const text = await page.locator('.hud.million').textContent();
    expect(text).toMatch(/[\d.]+× ?(faster|slower) than plain three|Same ?as plain three/);
    expect(text).toMatch(/Accelerated[\d.]+ ms/);
    expect(text).toMatch(/Plain three[\d.]+ ms/);
  });

  it('draws the same picture in both ways', async () => {
    const pictures = new Set<string>();
    for (let turn = 0; turn < 2; turn++) {
      pictures.add(await page.evaluate(picture));
      await press(page, 'm');
    }
    expect(pictures.size).toBe(1);
  });

  it('picks the instance under the pointer, which three hits first', async () => {
    const pane = (await page.locator('#player').boundingBox())!;
    let picks = 0;
    for (const [x, y] of [
      [0.5, 0.5],
      [0.3, 0.6],
      [0.8, 0.55],
      [0.6, 0.45],
      [0.2, 0.5],
    ] as const) {
      await page.mouse.move(Math.round(pane.x + x * pane.width), Math.round(pane.y + y * pane.height));
      await settled(page);
      const expected = pickByThree(pane, x, y);
      expect((await report(page)).Picked).toBe(expected === null ? 'none' : expected.toLocaleString('en'));
      if (expected !== null) picks++;
    }
    expect(picks).toBeGreaterThan(0);
    await page.mouse.move(5, 5);
  });

  it('leaves out what is small, in the way of the index alone', async () => {
    const [before] = await drawn();
    await page.locator('#settings').click();
    const smallest = control(page, 'Batch leaves out').locator('input');
    await smallest.fill('6');
    await smallest.press('Enter');
    await page.locator('#settings').click();
    await indexed();
    const [index, three] = await drawn();
    expect(three).toBe(before);
    expect(index).toBeLessThan(0.9 * three!);
    expect(new URL(page.url()).searchParams.get('minPixels')).toBe('6');
    await page.locator('#settings').click();
    await smallest.fill('0');
    await smallest.press('Enter');
    await page.locator('#settings').click();
  });

  it('draws an InstancedMesh by what is in view, and plain three all of it', async () => {
    const before = await page.evaluate(picture);
    await choose('Mesh', 'InstancedMesh');
    const [index, three] = await drawn();
    expect(three).toBe(COUNT);
    expect(index).toBeLessThan(COUNT / 4);
    expect(await page.evaluate(picture)).toBe(before);
    await choose('Mesh', 'BatchedMesh');
  });

  it('goes over to WebGPURenderer and back', async () => {
    const [, before] = await drawn();
    await page.locator('#settings').click();
    const renderer = control(page, 'Renderer').locator('select');
    await renderer.selectOption({ label: 'WebGPU' });
    await page.waitForFunction(() => window.__demo.report.Renderer !== 'WebGL', undefined, { timeout: 60_000 });
    await page.locator('#settings').click();
    await indexed();
    const [index, three] = await drawn();
    expect([index, three]).toEqual([before, before]);
    expect(await page.locator('#player canvas').count()).toBe(1);
    await choose('Renderer', 'WebGL');
    expect(await page.locator('#player canvas').count()).toBe(0);
    expect((await report(page)).Renderer).toBe('WebGL');
  });

  it('is accessible, with its controls on the panel', async () => {
    await page.locator('#settings').click();
    expect(await violations(page)).toEqual([]);
    await page.locator('#settings').click();
  });

  it('gives way to a world with two views', async () => {
    await page.locator('[data-world=range]').click();
    await page.waitForFunction(() => window.__demo.world === 'range');
    await settled(page);
    expect(await page.locator('#above').isVisible()).toBe(true);
    expect(await page.locator('.hud.million').count()).toBe(0);
  });

  it('did all this without a warning', () => expect(demo.messages).toEqual([]));
});

let galaxy: BatchedMesh | InstancedMesh | null = null;

/** The instance that plain three hits first at a place of the pane. */
function pickByThree({ x, y, width, height }: Box, right: number, down: number): number | null {
  galaxy ??= new Galaxy('instanced', COUNT).mesh;
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
  return raycaster.intersectObject(galaxy)[0]?.instanceId ?? null;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
