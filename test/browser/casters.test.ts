import * as THREE from 'three';
import { Reflector } from 'three/addons/objects/Reflector.js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { accelerate, LooseOctree, type SceneIndex } from '../../src/index.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { differences } from '../helpers/pictures.js';
import { random } from '../helpers/random.js';
import { box, colour, picture, renderer, SIZE } from './stories.js';

// Shadow maps in software take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
renderer.shadowMap.enabled = true;
beforeAll(loadCasters);
let index: SceneIndex | null = null;
/** Those of the test that runs. */
const shadows: THREE.LightShadow[] = [];
afterEach(() => {
  index?.dispose();
  for (const shadow of shadows.splice(0)) shadow.dispose();
  renderer.shadowMap.autoUpdate = true;
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
function sunAt(x: number, y: number, z: number, reach = 60): THREE.DirectionalLight {
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

/** A camera that looks down at a place of the avenue 30 to the right. */
function besides(view: THREE.PerspectiveCamera): THREE.PerspectiveCamera {
  const other = view.clone();
  other.position.set(30, 20, 0);
  other.lookAt(30, 0, 0);
  return other;
}

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

interface Cost {
  plain: number;
  fast: number;
}

/** Fails unless the picture is the same without some of the casters; tells the draws. */
function expectSame(scene: THREE.Scene, view: THREE.Camera, label: string, cost: Cost = { plain: 0, fast: 0 }): Cost {
  const draw = () => renderer.render(scene, view);
  index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }) });
  const plain = picture(draw);
  cost.plain += renderer.info.render.calls;
  index.dispose();
  index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }), cullCasters: true });
  const fast = picture(draw);
  cost.fast += renderer.info.render.calls;
  index.dispose();
  expect(differences(fast, plain), label).toBe(0);
  return cost;
}

describe.each(Object.keys(LIGHTS))('shadows of a %s light', (kind) => {
  test.each([
    ['PCF', THREE.PCFShadowMap],
    ['VSM', THREE.VSMShadowMap],
    ['unfiltered', THREE.BasicShadowMap],
  ] as [string, THREE.ShadowMapType][])('%s, are the same of fewer casters, seeds 1 to 20', (_label, type) => {
    // three has no variance shadows of point lights.
    if (kind === 'point' && type === THREE.VSMShadowMap) return;
    renderer.shadowMap.type = type;
    const cost = { plain: 0, fast: 0 };
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed);
      // Without a ground the maps are empty behind what is in view.
      const scene = casters(next, 60, seed % 2 === 0);
      shine(scene, LIGHTS[kind](next), next);
      expectSame(scene, camera(next), `seed ${seed}`, cost);
    }
    expect(cost.fast).toBeLessThan(0.8 * cost.plain);
  });
});

/** Boxes on a ground seen from above, a mile of them along X, in light that comes along it. */
function avenue(): { scene: THREE.Scene; view: THREE.PerspectiveCamera; shadow: THREE.LightShadow } {
  const scene = casters(random(1), 0);
  const height = new THREE.MeshLambertMaterial({ color: 0xaa4444 });
  for (let x = -50; x <= 50; x += 5) {
    const mesh = new THREE.Mesh(box, height);
    mesh.position.set(x, 2, 0);
    mesh.scale.set(1, 4, 1);
    mesh.castShadow = true;
    scene.add(mesh);
  }
  const shadow = shine(scene, sunAt(-40, 10, 0));
  shadow.mapSize.set(1024, 1024);
  const view = new THREE.PerspectiveCamera(30, 1, 1, 20.1);
  view.position.set(0, 20, 0);
  view.lookAt(0, 0, 0);
  return { scene, view, shadow };
}

describe('a caster', () => {
  test('out of view whose long shadow falls into it is drawn, one whose shadow falls elsewhere is not', () => {
    const { scene, view } = avenue();
    const { plain, fast } = expectSame(scene, view, 'avenue');
    const inView = 4;
    expect(plain).toBe(21 + inView);
    // Shadows are 16 long: of the 21 boxes those at -20 to 5 reach what is seen.
    expect(fast).toBe(6 + inView);
  });

  test('behind what is in view, as the light sees it, softens variance shadows at its edges', () => {
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

  test('is drawn with several views at once when it matters to any', () => {
    const { scene, view } = avenue();
    const other = besides(view);
    const views = new THREE.ArrayCamera([view, other]);
    views.cameras.forEach((one, i) => {
      one.viewport = new THREE.Vector4((i * SIZE) / 2, 0, SIZE / 2, SIZE);
      one.updateMatrixWorld();
    });
    expectSame(scene, views, 'two views');
    expectSame(scene, view, 'one of them');
  });

  test('far from the origin casts as well', () => {
    for (const kind of Object.keys(LIGHTS)) {
      for (let seed = 31; seed < 35; seed++) {
        const next = random(seed);
        const scene = casters(next, 60);
        shine(scene, LIGHTS[kind](next), next);
        const view = camera(next);
        for (const object of [...scene.children, view]) object.position.x += 20_000;
        expectSame(scene, view, `${kind}, seed ${seed}`);
      }
    }
  });

  test('is drawn where a mirror in view shows its shadow', () => {
    const { scene, view } = avenue();
    const mirror = new Reflector(new THREE.PlaneGeometry(12, 6), { textureWidth: SIZE, textureHeight: SIZE });
    mirror.position.set(0, 2, -3);
    mirror.rotation.set(-0.3, 0.9, 0);
    // A mirror hides while it looks at the scene, so maps made then would lack its own shadow.
    mirror.castShadow = true;
    (mirror.material as THREE.Material).side = THREE.DoubleSide;
    mirror.renderOrder = -1;
    scene.add(mirror);
    view.far = 60;
    view.updateProjectionMatrix();
    view.position.set(4, 12, 16);
    view.lookAt(2, 1, -3);
    expectSame(scene, view, 'mirror');
    mirror.removeFromParent();
    const { plain, fast } = expectSame(scene, view, 'no mirror');
    expect(fast).toBeLessThan(plain);
    mirror.dispose();
  });

  test.each(['renderer', 'light'])('is in a map that is kept, as autoUpdate of the %s is off', (whose) => {
    const { scene, view, shadow } = avenue();
    const other = besides(view);
    const keep = (isKept: boolean) => {
      (whose === 'light' ? shadow : renderer.shadowMap).autoUpdate = !isKept;
    };
    const run = (): Uint8Array[] => {
      keep(false);
      const first = picture(() => renderer.render(scene, view));
      keep(true);
      const kept = picture(() => renderer.render(scene, other));
      (whose === 'light' ? shadow : renderer.shadowMap).needsUpdate = true;
      const renewed = picture(() => renderer.render(scene, view));
      scene.children[14].position.z = 3;
      const later = picture(() => renderer.render(scene, other));
      scene.children[14].position.z = 0;
      keep(false);
      const last = picture(() => renderer.render(scene, other));
      return [first, kept, renewed, later, last];
    };
    const plain = run();
    index = accelerate(scene, { cullCasters: true });
    run().forEach((pixels, i) => {
      expect(differences(pixels, plain[i]), `picture ${i}`).toBe(0);
    });
    // A map that was made by the index last, and kept after it.
    picture(() => renderer.render(scene, view));
    index.dispose();
    keep(true);
    const kept = picture(() => renderer.render(scene, other));
    expect(differences(kept, plain[1])).toBe(0);
  });

  test('is drawn when the scene is rendered once more in the midst of a shadow pass', () => {
    const { scene, view } = avenue();
    shine(scene, sunAt(40, 12, 5));
    const other = besides(view);
    const target = new THREE.WebGLRenderTarget(8, 8);
    let isBusy = false;
    scene.children[10].onBeforeShadow = () => {
      if (isBusy) return;
      isBusy = true;
      const before = renderer.getRenderTarget();
      renderer.shadowMap.autoUpdate = false;
      renderer.setRenderTarget(target);
      renderer.render(scene, other);
      renderer.setRenderTarget(before);
      renderer.shadowMap.autoUpdate = true;
      isBusy = false;
    };
    expectSame(scene, view, 'render within a shadow pass');
    target.dispose();
  });
});
