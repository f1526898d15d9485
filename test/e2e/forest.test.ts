import { Camera, type Mesh, type Object3D, PerspectiveCamera, Scene } from 'three';
import { expect, it } from 'vitest';
import { Autopilot } from '../../demo/control/Autopilot.js';
import { plainCull } from '../../demo/measure/plainCull.js';
import { Daylight } from '../../demo/worlds/forest/Daylight.js';
import { Ground } from '../../demo/worlds/forest/Ground.js';
import { heightAt } from '../../demo/worlds/forest/land.js';
import { FOREST_ROUTE, NEAR } from '../../demo/worlds/forest/route.js';
import { Trees } from '../../demo/worlds/forest/Trees.js';
import * as acts from './acts.js';
import {
  describeDemo,
  goAhead,
  onPanel,
  page,
  press,
  readCanvas,
  report,
  reported,
  setNumber,
  settled,
} from './acts.js';

const SECONDS = 12;
const TREES = 3000;
const FAR = 120;
const SUN = 40;

describeDemo('the demo, forest', `world=forest&t=${SECONDS}&trees=${TREES}&far=${FAR}&sun=${SUN}`, () => {
  const mode = (name: string) => page.locator(`[data-mode=${name}]`);
  const drawnIn = async (name: string) => {
    await acts.click(`[data-mode=${name}]`);
    // Batches come together while they are drawn.
    for (let turn = 0; turn < 20; turn++) await settled();
    return reported(`drawn-${name}`);
  };
  const calls = async () => ({
    batched: await drawnIn('batched'),
    plain: await drawnIn('three'),
    accelerated: await drawnIn('index'),
  });

  it('has as many trees as the address asks for, each of two meshes', async () => {
    expect(await reported('trees')).toBe(TREES);
    expect(await reported('own')).toBeGreaterThan(2 * TREES);
  });

  it('shows what a frame costs in each way, once enough frames were measured', async () => {
    const text = () => page.locator('.hud.forest').textContent();
    expect(await text()).toContain('–measuring…');
    for (const [name, part] of [
      ['three', /Plain three[\d.]+ ms/],
      ['index', /Index[\d.]+ ms/],
    ] as const) {
      await mode(name).click();
      for (let turn = 0; turn < 200 && !part.test((await text())!); turn++) await settled();
      expect(await text()).toMatch(part);
    }
  });

  it('has three draw what its own culling finds, and the index as good as the same', async () => {
    const { accelerated, plain } = await calls();
    const aspect = await page.locator('#player').evaluate((pane) => pane.clientWidth / pane.clientHeight);
    expect(plain).toBe(drawsOfPlainThree(aspect));
    // The boxes of the index are tighter than three's spheres.
    expect(accelerated).toBeLessThanOrEqual(plain);
    expect(accelerated).toBeGreaterThan(0.85 * plain);
  });

  it('draws the same picture in all ways', async () => {
    const pictures: { pixels: Int32Array }[] = [];
    for (const name of ['index', 'batched', 'three']) {
      await mode(name).click();
      expect(await mode(name).getAttribute('aria-pressed')).toBe('true');
      pictures.push(await readCanvas());
    }
    for (const other of pictures) expect(acts.shareOfOthers(pictures[0]!, other)).toBeLessThanOrEqual(0.001);
    expect((await calls()).batched).toBeLessThanOrEqual(40);
    const { left, right } = await acts.distinctColours();
    expect(Math.min(left, right)).toBeGreaterThan(100);
  });

  it('is seen from above, in the colours of the classes', async () => {
    expect(await page.locator('#above').isVisible()).toBe(true);
    expect(await page.locator('#above .legend').innerText()).toContain('Node depth');
    const { inside, intersecting, culled } = await acts.counts();
    expect(Math.min(inside, intersecting, culled)).toBeGreaterThan(0);
    const { right } = await acts.distinctColours();
    expect(right).toBeGreaterThan(100);
  });

  it('switches by the keyboard, and remembers the way in the address', async () => {
    await mode('index').click();
    for (const name of ['batched', 'three']) {
      await press('m');
      expect(await mode(name).getAttribute('aria-pressed')).toBe('true');
      expect(acts.parameter('mode')).toBe(name);
    }
    await press('m');
    expect(acts.parameter('mode')).toBe(null);
  });

  it('draws less without shadows, and other pictures for another sun', async () => {
    const before = await calls();
    const shown = await readCanvas();
    await setNumber('Height of the sun', '60');
    expect(acts.shareOfOthers(await readCanvas(), shown)).toBeGreaterThan(0);
    await onPanel(() => acts.control('Shadows').locator('input').uncheck());
    const after = await calls();
    expect(after.plain).toBeLessThan(before.plain);
    expect(after.accelerated).toBeLessThan(before.accelerated);
    expect(acts.parameter('shadows')).toBe('0');
  });

  it('flies by keys, above the ground', async () => {
    const [from, [x, y, z]] = await goAhead();
    expect(Math.hypot(x! - from[0]!, z! - from[2]!)).toBeGreaterThan(0.02);
    expect(y).toBeGreaterThan(heightAt(x!, z!));
  });

  it('plants other trees', async () => {
    await setNumber('Trees', '1000');
    expect((await report()).trees).toBe('1,000');
    // Its controls are looked at as well.
    await acts.click('#settings');
  });

  it('gives way to a world with two views', async () => {
    await acts.enter('range');
    expect(await page.locator('#above').isVisible()).toBe(true);
    expect(await page.locator('.hud.forest').count()).toBe(0);
  });
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
