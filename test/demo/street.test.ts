import { PerspectiveCamera, Scene, Vector3 } from 'three';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Autopilot } from '../../demo/control/Autopilot.js';
import { StreetWorld } from '../../demo/worlds/street/StreetWorld.js';
import { type AcceleratedScene, accelerate, SceneIndex } from '../../src/index.js';
import { drawn, loadOcclusion } from '../helpers/occlusion.js';
import { random } from '../helpers/random.js';

/** Walls are painted on a canvas, of which there is none here. */
const paper = new Proxy({}, { get: () => () => ({ addColorStop() {} }), set: () => true });
const SOLID = /^(Shop|Tower) /;

let world: StreetWorld;
let index: SceneIndex;
let accelerated: AcceleratedScene;
const scene = new Scene();

beforeAll(async () => {
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => paper }) });
  await loadOcclusion();
  world = new StreetWorld({ buffer: false });
  index = new SceneIndex(world.root);
  scene.add(world.root);
  accelerated = accelerate(scene, { occlusion: true });
});
afterAll(() => {
  accelerated.dispose();
  index.dispose();
  world.dispose();
  vi.unstubAllGlobals();
});

/** A camera on the route, where the eyes are after so many seconds. */
function walker(seconds: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, 16 / 9, world.near, 260);
  new Autopilot(world.route).jump(camera, seconds);
  camera.position.y += world.boom.up;
  camera.updateMatrixWorld();
  return camera;
}

describe('the street', () => {
  it('hides most of what is in view on the way', () => {
    let all = 0;
    let kept = 0;
    for (let seconds = 3; seconds < 150; seconds += 12) {
      const camera = walker(seconds);
      all += index.cull(camera).length;
      kept += drawn(scene, camera).length;
    }
    expect(kept).toBeLessThan(0.4 * all);
    expect(kept).toBeGreaterThan(100);
  });

  it('leads a walker past all walls', () => {
    const { eyes } = world.route;
    eyes.forEach((from, i) => {
      const to = eyes[(i + 1) % eyes.length]!;
      for (let t = 0; t < 1; t += 0.1) {
        const at = from.clone().lerp(to, t);
        const kept = at.clone();
        world.confine(kept);
        expect(kept.distanceTo(at), `${at.x}, ${at.z}`).toBeLessThan(1e-9);
      }
    });
  });

  it.each([1, 2, 3])('keeps a walker out of walls, seed %i', (seed) => {
    const next = random(seed);
    const solid: Vector3[] = [];
    const position = walker(100 * next()).position.setY(0);
    let angle = 6 * next();
    for (let step = 0; step < 800; step++) {
      if (next() < 0.05) angle = 6 * next();
      position.x += 0.08 * Math.cos(angle);
      position.z += 0.08 * Math.sin(angle);
      world.confine(position);
      const eye = position.clone().setY(1);
      if (index.queryPoint(eye).some(({ name }) => SOLID.test(name))) solid.push(eye);
    }
    expect(solid).toEqual([]);
  });

  it('takes what is added, and lets it go', () => {
    const before = index.size;
    const crate = world.add(new Vector3(3, 0, 4));
    index.update();
    expect([index.size, index.has(crate)]).toEqual([before + 1, true]);
    expect(world.describe(crate)).toMatchObject({ title: crate.name, where: 'Added' });
    world.remove(crate);
    index.update();
    expect(index.size).toBe(before);
  });
});
