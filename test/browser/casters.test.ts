import * as THREE from 'three';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accelerate, LooseOctree, type SceneIndex } from '../../src/index.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { differences } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { box, colour, picture, renderer, SIZE } from './stories.js';

renderer.shadowMap.enabled = true;
beforeAll(loadCasters);
let index: SceneIndex | null = null;
/** Those of the test that runs. */
const shadows: THREE.LightShadow[] = [];
afterEach(() => {
  index?.dispose();
  for (const shadow of shadows.splice(0)) shadow.dispose();
  renderer.shadowMap.type = THREE.PCFShadowMap;
});
afterAll(() => renderer.dispose());

/** Boxes that all cast and receive, as a rule on and above a ground. */
function casters(next: () => number, count: number, isGrounded = true): THREE.Scene {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x334455);
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(120, 120), new THREE.MeshLambertMaterial({ color: 0xccccaa }));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  if (isGrounded) scene.add(ground);
  scene.add(new THREE.AmbientLight(0xffffff, 0.4));
  for (let i = 0; i < count; i++) {
    const mesh = new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: colour(next) }));
    mesh.position.set(next() * 100 - 50, next() * 15, next() * 100 - 50);
    mesh.scale.set(0.5 + next() * 4, 0.5 + next() * 8, 0.5 + next() * 4);
    mesh.rotation.set(next() * 6, next() * 6, next() * 6);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
  }
  return scene;
}

/** A directional light whose map reaches so many units to each side. */
function sunAt(x: number, y: number, z: number, reach: number): THREE.DirectionalLight {
  const light = new THREE.DirectionalLight(0xffffff, 2);
  light.position.set(x, y, z);
  const sides = { left: -reach, right: reach, top: reach, bottom: -reach };
  Object.assign(light.shadow.camera, { ...sides, near: -60, far: 160 });
  return light;
}

const LIGHTS: { [kind: string]: (next: () => number) => THREE.Light } = {
  directional: (next) => sunAt(next() * 80 - 40, 10 + next() * 40, next() * 80 - 40, 70),
  spot(next) {
    const light = new THREE.SpotLight(0xffffff, 6000, 0, 0.4 + next() * 0.8, 0, 1.5);
    light.position.set(next() * 80 - 40, 10 + next() * 40, next() * 80 - 40);
    light.target.position.set(next() * 30 - 15, 0, next() * 30 - 15);
    Object.assign(light.shadow.camera, { near: 1, far: 200 });
    return light;
  },
  point(next) {
    const light = new THREE.PointLight(0xffffff, 3000, 0, 1.5);
    light.position.set(next() * 40 - 20, 3 + next() * 20, next() * 40 - 20);
    Object.assign(light.shadow.camera, { near: 0.5, far: 150 });
    return light;
  },
};

function shine(scene: THREE.Scene, light: THREE.Light, next = () => 1): THREE.LightShadow {
  light.castShadow = true;
  const { shadow } = light as THREE.DirectionalLight;
  shadow.mapSize.set(128, 128);
  shadow.bias = -0.002;
  if (next() < 0.3) shadow.radius = next() * 8;
  if (next() < 0.3) shadow.normalBias = next();
  scene.add(light);
  if ('target' in light) scene.add((light as THREE.SpotLight).target);
  shadows.push(shadow);
  return shadow;
}

function camera(next: () => number): THREE.Camera {
  const camera =
    next() < 0.7
      ? new THREE.PerspectiveCamera(20 + next() * 40, 1, 0.5, 60)
      : new THREE.OrthographicCamera(-9, 9, 9, -9, 1, 60);
  camera.position.set(next() * 60 - 30, 2 + next() * 20, next() * 60 - 30);
  camera.lookAt(next() * 40 - 20, 0, next() * 40 - 20);
  return camera;
}

/** Fails unless the picture is the same without some of the casters; tells the draws with all of them, and with fewer. */
function expectSame(scene: THREE.Scene, view: THREE.Camera, label: string): [plain: number, fast: number] {
  const [plain, fast] = [false, true].map((cullCasters) => {
    index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }), cullCasters });
    const pixels = picture(() => renderer.render(scene, view));
    index.dispose();
    return { pixels, calls: renderer.info.render.calls };
  });
  expect(differences(fast.pixels, plain.pixels), label).toBe(0);
  return [plain.calls, fast.calls];
}

describe.each(Object.keys(LIGHTS))('shadows of a %s light', (kind) => {
  test.each([
    ['PCF', THREE.PCFShadowMap],
    ['VSM', THREE.VSMShadowMap],
    ['unfiltered', THREE.BasicShadowMap],
  ] as [string, THREE.ShadowMapType][])(
    '%s, are the same of fewer casters, seeds 1 to 20, the last ones far from the origin',
    (_label, type) => {
      // three has no variance shadows of point lights.
      if (kind === 'point' && type === THREE.VSMShadowMap) return;
      renderer.shadowMap.type = type;
      let [plain, fast] = [0, 0];
      for (let seed = 1; seed <= 20; seed++) {
        const next = random(seed);
        // Without a ground the maps are empty behind what is in view.
        const scene = casters(next, 60, seed % 2 === 0);
        shine(scene, LIGHTS[kind](next), next);
        const view = camera(next);
        if (seed > 18) for (const object of [...scene.children, view]) object.position.x += 20_000;
        const [all, fewer] = expectSame(scene, view, `seed ${seed}`);
        plain += all;
        fast += fewer;
      }
      expect(fast).toBeLessThan(0.8 * plain);
    },
  );
});

test('a caster behind what is in view, as the light sees it, softens variance shadows at its edges', () => {
  const scene = casters(random(2), 0, false);
  const plate = new THREE.Mesh(new THREE.BoxGeometry(4, 0.2, 4), new THREE.MeshLambertMaterial({ color: 0xffffff }));
  const post = new THREE.Mesh(new THREE.BoxGeometry(3, 0.2, 3), new THREE.MeshLambertMaterial({ color: 0xaa4444 }));
  post.position.set(2, 1, 0);
  const floor = new THREE.Mesh(new THREE.BoxGeometry(60, 1, 60), new THREE.MeshLambertMaterial());
  floor.position.y = -3.5;
  scene.add(plate, post, floor);
  for (const mesh of [plate, post, floor]) mesh.castShadow = mesh.receiveShadow = true;
  const shadow = shine(scene, sunAt(2, 10, 0, 10));
  Object.assign(shadow.camera, { near: -10, far: 60 });
  shadow.mapSize.set(1024, 1024);
  shadow.radius = 50;
  const view = new THREE.PerspectiveCamera(40, 1, 1, 10.6);
  view.position.set(0, 10, 0.1);
  view.lookAt(0, 0, 0);
  renderer.shadowMap.type = THREE.VSMShadowMap;
  expectSame(scene, view, 'edges');
  const withFloor = picture(() => renderer.render(scene, view));
  floor.removeFromParent();
  const without = picture(() => renderer.render(scene, view));
  expect(differences(withFloor, without)).toBeGreaterThan(0);
});

test.each(['renderer', 'light'])('a caster is in a map that is kept, as autoUpdate of the %s is off', (whose) => {
  const next = random(2);
  const scene = casters(next, 60);
  const shadow = shine(scene, sunAt(-40, 20, 0, 60));
  const views = [camera(next), camera(next)];
  const take = (view: number, isKept: boolean): Uint8Array => {
    (whose === 'light' ? shadow : renderer.shadowMap).autoUpdate = !isKept;
    return picture(() => renderer.render(scene, views[view]));
  };
  const run = () => [take(0, false), take(1, true)];
  const plain = run();
  index = accelerate(scene, { cullCasters: true });
  for (const [i, pixels] of run().entries()) expect(differences(pixels, plain[i]), `picture ${i}`).toBe(0);
  // A map that was made by the index last, and kept after it.
  take(0, false);
  index.dispose();
  expect(differences(take(1, true), plain[1])).toBe(0);
  renderer.shadowMap.autoUpdate = true;
});

test('a caster is drawn with several views at once when it matters to any', () => {
  const next = random(3);
  const scene = casters(next, 60);
  shine(scene, sunAt(-40, 20, 0, 60));
  const views = [-30, 30].map((x, i) => {
    const view = new THREE.PerspectiveCamera(40, 1, 0.5, 60);
    view.position.set(x, 20, 20);
    view.lookAt(x, 0, 0);
    view.updateMatrixWorld();
    return Object.assign(view, { viewport: new THREE.Vector4((i * SIZE) / 2, 0, SIZE / 2, SIZE) });
  });
  expectSame(scene, new THREE.ArrayCamera(views), 'two views');
});
