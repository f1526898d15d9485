import type { Page } from 'playwright';
import { Camera, type Mesh, type Object3D, PerspectiveCamera, Scene } from 'three';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Autopilot } from '../../demo/control/Autopilot.js';
import { plainCull } from '../../demo/measure/plainCull.js';
import { Daylight } from '../../demo/worlds/forest/Daylight.js';
import { Ground } from '../../demo/worlds/forest/Ground.js';
import { heightAt } from '../../demo/worlds/forest/land.js';
import { NEAR } from '../../demo/worlds/forest/lens.js';
import { FOREST_ROUTE } from '../../demo/worlds/forest/route.js';
import { Trees } from '../../demo/worlds/forest/Trees.js';
import {
  control,
  distinctColours,
  openStill,
  picture,
  press,
  readCanvas,
  report,
  settled,
  shareOfOthers,
} from './acts.js';
import type { Demo } from './demo.js';
import { violations } from './violations.js';

const SECONDS = 12;
const TREES = 3000;
const FAR = 120;
const SUN = 40;

describe('the demo, forest', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    demo = await openStill(`world=forest&t=${SECONDS}&trees=${TREES}&far=${FAR}&sun=${SUN}`, {
      width: 640,
      height: 560,
    });
    page = demo.page;
  });
  afterAll(() => demo?.close());

  const mode = (name: string) => page.locator(`[data-mode=${name}]`);
  const calls = async () => {
    const rows = await report(page);
    return {
      accelerated: Number(rows['Draw calls, accelerated']!.replace(',', '')),
      batched: Number(rows['Draw calls, batched']!.replace(',', '')),
      plain: Number(rows['Draw calls, plain three']!.replace(',', '')),
    };
  };

  it('has as many trees as the address asks for, each of two meshes', async () => {
    const { Trees: trees, figure } = await report(page);
    expect(trees).toBe('3,000');
    expect(Number(figure!.replace(',', ''))).toBeGreaterThan(2 * TREES);
  });

  it('shows what a frame costs in both ways, and a ratio once enough frames were measured', async () => {
    const text = () => page.locator('.hud.forest').textContent();
    expect(await text()).toContain('–measuring…');
    const ratio = /[\d.]+× ?(faster|slower) than plain three|Same ?as plain three/;
    for (let turn = 0; turn < 30 && !ratio.test((await text())!); turn++) await settled(page);
    expect(await text()).toMatch(ratio);
    expect(await text()).toMatch(/Accelerated[\d.]+ ms/);
    expect(await text()).toMatch(/Plain three[\d.]+ ms/);
  });

  it('has three draw what its own culling finds, and the index as good as the same', async () => {
    const { accelerated, plain } = await calls();
    const { clientWidth, clientHeight } = await page
      .locator('#player')
      .evaluate(({ clientWidth, clientHeight }) => ({ clientWidth, clientHeight }));
    expect(plain).toBe(drawsOfPlainThree(clientWidth / clientHeight));
    // The boxes of the index are tighter than three's spheres.
    expect(accelerated).toBeLessThanOrEqual(plain);
    expect(accelerated).toBeGreaterThan(0.85 * plain);
  });

  it('draws the same picture in all ways', async () => {
    const pictures: { base64: string }[] = [];
    for (const name of ['index', 'batched', 'three']) {
      await mode(name).click();
      expect(await mode(name).getAttribute('aria-pressed')).toBe('true');
      // Now and then a frame is drawn in another way: not all of these.
      for (let turn = 0; turn < 3; turn++) pictures.push(await page.evaluate(readCanvas));
    }
    for (const other of pictures.slice(1)) expect(shareOfOthers(pictures[0]!, other)).toBeLessThanOrEqual(0.001);
    expect((await calls()).batched).toBeLessThanOrEqual(40);
    const { left, right } = await page.evaluate(distinctColours);
    expect(left).toBeGreaterThan(100);
    expect(right).toBeGreaterThan(100);
  });

  it('switches by the keyboard, and remembers the way in the address', async () => {
    await mode('index').click();
    for (const name of ['batched', 'three']) {
      await press(page, 'm');
      expect(await mode(name).getAttribute('aria-pressed')).toBe('true');
      expect(new URL(page.url()).searchParams.get('mode')).toBe(name);
    }
    await press(page, 'm');
    expect(new URL(page.url()).searchParams.get('mode')).toBe(null);
  });

  it('draws less without shadows, and other pictures for another sun', async () => {
    const before = await calls();
    const shown = await page.evaluate(picture);
    await page.locator('#settings').click();
    await control(page, 'Height of the sun').locator('input').fill('60');
    await control(page, 'Height of the sun').locator('input').press('Enter');
    await settled(page);
    expect(await page.evaluate(picture)).not.toBe(shown);
    await control(page, 'Shadows').locator('input').uncheck();
    await settled(page);
    await page.locator('#settings').click();
    await settled(page);
    const after = await calls();
    expect(after.plain).toBeLessThan(before.plain);
    expect(after.accelerated).toBeLessThan(before.accelerated);
    expect(new URL(page.url()).searchParams.get('shadows')).toBe('0');
  });

  it('flies by keys, above the ground', async () => {
    const eye = () => page.evaluate(() => window.__demo.eye);
    const before = await eye();
    await page.locator('#player').focus();
    await page.keyboard.down('w');
    await settled(page);
    await settled(page);
    await page.keyboard.up('w');
    const [x, y, z] = await eye();
    expect(Math.hypot(x! - before[0]!, z! - before[2]!)).toBeGreaterThan(0.02);
    expect(y).toBeGreaterThan(heightAt(x!, z!));
  });

  it('plants other trees', async () => {
    await page.locator('#settings').click();
    const trees = control(page, 'Trees').locator('input');
    await trees.fill('1000');
    await trees.press('Enter');
    await settled(page);
    expect((await report(page)).Trees).toBe('1,000');
  });

  it('is accessible, with its controls on the panel', async () => expect(await violations(page)).toEqual([]));

  it('gives way to a world with two views', async () => {
    await page.locator('[data-world=range]').click();
    await page.waitForFunction(() => window.__demo.world === 'range');
    await settled(page);
    expect(await page.locator('#above').isVisible()).toBe(true);
    expect(await page.locator('.hud.forest').count()).toBe(0);
  });

  it('did all this without a warning', () => expect(demo.messages).toEqual([]));
});

/** Draw calls of the same forest as plain three culls it: what the camera sees, and what casts shadows. */
function drawsOfPlainThree(aspect: number): number {
  const daylight = new Daylight();
  const trees = new Trees();
  trees.plant(TREES);
  const scene = new Scene().add(...daylight.objects, new Ground().object, trees.object);
  const body = new Camera();
  new Autopilot(FOREST_ROUTE).jump(body, SECONDS);
  const camera = new PerspectiveCamera(60, aspect, NEAR, FAR);
  camera.position.copy(body.position);
  camera.quaternion.copy(body.quaternion);
  camera.updateMatrixWorld();
  daylight.rise(SUN);
  daylight.follow(camera, heightAt);
  scene.updateMatrixWorld();
  const seen: Object3D[] = [];
  plainCull(scene, camera, seen);
  const { shadow } = daylight.sun;
  shadow.updateMatrices(daylight.sun);
  let cast = 0;
  scene.traverse((object) => {
    if ((object as Mesh).isMesh && object.castShadow && shadow.getFrustum().intersectsObject(object as Mesh)) cast++;
  });
  return seen.length + cast;
}
