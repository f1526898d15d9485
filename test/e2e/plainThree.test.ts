import type { BatchedMesh, Mesh, Object3D, Scene } from 'three';
import { expect, it } from 'vitest';
import { isBuiltIn, WORLD_NAMES, worldEntry } from '../../demo/state/catalogue.js';
import * as acts from './acts.js';
import { click, describeDemo, page } from './acts.js';
import { makeGlb } from './glbs.js';

/** Draw calls and triangles of the player's view, and of a plain scene with the same children and camera after it. */
interface Drawn {
  own: { calls: number; triangles: number };
  plain: { calls: number; triangles: number };
  /** Triangles of the longest list that the demo draws in one call. */
  listed: number;
  /** Whether any scene that was rendered has an accessor of its own for its children. */
  isAccelerated: boolean;
}

/** Has each scene of the next frames rendered once more. */
const drawnTwice = (): Promise<Drawn> =>
  page.evaluate(async () => {
    const { renderer, camera } = window.__demo.view;
    const { info, render } = renderer;
    const counts = () => ({ calls: info.render.calls, triangles: info.render.triangles });
    const drawn: Drawn = { own: counts(), plain: counts(), listed: 0, isAccelerated: false };
    renderer.render = (given, by) => {
      const scene = given as Scene;
      render.call(renderer, scene, by);
      drawn.isAccelerated ||= 'get' in Object.getOwnPropertyDescriptor(scene, 'children')!;
      if (by !== camera) return;
      drawn.own = counts();
      const { children, fog, background } = scene;
      const plain = Object.assign(new (scene.constructor as typeof Scene)(), { fog, background });
      plain.children = children.map((child) => {
        if (!(child as BatchedMesh).isBatchedMesh) return child;
        // Instances are culled by the methods of their class.
        const { onBeforeRender } = Object.getPrototypeOf(child).constructor.prototype;
        return Object.assign(Object.create(child), { onBeforeRender });
      });
      info.reset();
      render.call(renderer, plain, by);
      drawn.plain = counts();
      Object.assign(info.render, drawn.own);
      scene.traverseVisible((object) => {
        const { isMesh, geometry } = object as Mesh;
        const count = isMesh ? geometry.drawRange.count : 0;
        if (count < Number.POSITIVE_INFINITY) drawn.listed = Math.max(drawn.listed, count / 3);
      });
    };
    const from = window.__demo.frames;
    dispatchEvent(new Event('resize'));
    while (window.__demo.frames < from + 2) await new Promise(requestAnimationFrame);
    renderer.render = render;
    return drawn;
  });

/** How many objects of the world three finds in the frustum, by the sphere of each. */
const inFrustum = () =>
  page.evaluate(() => {
    const { camera, root } = window.__demo.view;
    const m = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements;
    const planes = [0, 1, 2].flatMap((axis) =>
      [1, -1].map((sign) => {
        const plane = [0, 1, 2, 3].map((column) => m[4 * column + 3]! + sign * m[4 * column + axis]!);
        return plane.map((value) => value / Math.hypot(plane[0]!, plane[1]!, plane[2]!));
      }),
    );
    let count = 0;
    root.traverse((object: Object3D) => {
      const { isMesh, geometry, matrixWorld } = object as Mesh;
      if (!isMesh) return;
      const { center, radius } = geometry.boundingSphere!.clone().applyMatrix4(matrixWorld);
      const isIn = ([a, b, c, d]: number[]) => a! * center.x + b! * center.y + c! * center.z + d! >= -radius;
      if (planes.every(isIn)) count++;
    });
    return count;
  });

const figure = async (key: string) => {
  const texts = await page.locator(`.hud:visible [data-key=${key}]`).allTextContents();
  return Number(texts[0]!.replaceAll(',', ''));
};

const search = 't=6&instances=20000&entities=3000';
// Collisions have methods in place of ways to draw.
const NAMES = WORLD_NAMES.filter((name) => isBuiltIn(name) && name !== 'collisions');

describeDemo('plain three', search, () => {
  it.each([...NAMES, 'model' as const])('draws %s as three alone does', async (name) => {
    if (name === 'model') {
      await acts.drop(['a.glb', makeGlb('a')]);
      await acts.untilIn(name);
    } else if ((await acts.world()) !== name) await acts.enter(name);
    await click('#modes button:visible >> nth=0');
    await click('[data-mode=three]');
    await acts.settled();
    const { own, plain, listed, isAccelerated } = await drawnTwice();
    expect(isAccelerated).toBe(false);
    expect(own).toEqual(plain);
    const { visible, inside, intersecting } = await acts.counts();
    if (await page.locator('#hud [data-gauge=drawn]').isVisible()) expect(await figure('drawn')).toBe(own.calls);
    if (name === 'million') expect(await acts.reported('figure')).toBe(Math.floor(own.triangles / 12));
    if (name === 'museum') expect(await acts.reported('figure')).toBe(own.triangles);
    if (name === 'museum') expect(await acts.reported('Plain three')).toBe(own.triangles);
    if (name === 'street') expect((await acts.report()).figure).toBe('0 %');
    if (!worldEntry(name).isWhole && name !== 'million')
      expect([visible, inside + intersecting]).toEqual([await inFrustum(), visible]);
    const isListed = /cities|range/.test(name);
    expect(/one call/.test((await page.locator('[data-mode=three]').getAttribute('title'))!)).toBe(isListed);
    if (isListed) expect(listed).toBe(6 * visible);
  });
});
