import * as THREE from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { accelerate, createIndex, type SceneIndex } from '../../src/index.js';
import { STRUCTURES } from '../../src/standalone.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { casterPasses, frustumOf, mainPass, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

beforeAll(loadCasters);
let index: SceneIndex | null = null;
afterEach(() => index?.dispose());

/** All that is asked of a renderer. */
const makeRenderer = (): THREE.WebGLRenderer =>
  ({ isWebGLRenderer: true, shadowMap: { autoUpdate: true, needsUpdate: false, type: THREE.PCFShadowMap } }) as never;

type Light = THREE.DirectionalLight | THREE.SpotLight;

function makeLight(next: () => number): Light {
  const isSpot = next() < 0.5;
  const light = isSpot ? new THREE.SpotLight(0xffffff, 1, 0, 0.3 + next()) : new THREE.DirectionalLight();
  const { camera } = light.shadow;
  Object.assign(camera, isSpot ? { far: 150 } : { left: -50, right: 50, top: 50, bottom: -50, near: -80, far: 150 });
  (camera as THREE.PerspectiveCamera).updateProjectionMatrix();
  light.position.set(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
  light.target.position.set(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
  light.shadow.mapSize.set(4096, 4096);
  light.castShadow = true;
  return light;
}

function boxes(next: () => number, count: number): THREE.Scene {
  const scene = new THREE.Scene();
  for (let i = 0; i < count; i++) {
    const mesh = boxMesh(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40, 0.5 + next() * 5);
    mesh.castShadow = true;
    scene.add(mesh);
  }
  return scene;
}

function makeCamera(next: () => number): THREE.PerspectiveCamera | THREE.OrthographicCamera {
  const camera =
    next() < 0.7
      ? new THREE.PerspectiveCamera(10 + next() * 60, 1, 1, 40)
      : new THREE.OrthographicCamera(-5, 5, 5, -5, 1, 40);
  camera.position.set(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
  camera.lookAt(next() * 10, next() * 10, next() * 10);
  camera.updateMatrixWorld();
  return camera;
}

/** A point in the view of a camera. */
function seenPoint(camera: THREE.PerspectiveCamera | THREE.OrthographicCamera, next: () => number): THREE.Vector3 {
  return new THREE.Vector3(next() * 2 - 1, next() * 2 - 1, next() * 2 - 1).unproject(camera);
}

/** The way from a point to a light, and beyond for a spot light: as the light's shadow camera has it. */
function wayToLight(point: THREE.Vector3, light: Light): { ray: THREE.Ray; length: number } {
  const source = new THREE.Vector3().setFromMatrixPosition(light.shadow.camera.matrixWorld);
  const direction = new THREE.Vector3().setFromMatrixColumn(light.shadow.camera.matrixWorld, 2);
  const length = light instanceof THREE.SpotLight ? source.distanceTo(point) : Number.POSITIVE_INFINITY;
  if (light instanceof THREE.SpotLight) direction.subVectors(source, point).normalize();
  return { ray: new THREE.Ray(point, direction), length };
}

/** Fails if a point in view has a caster in its light that was not drawn; tells how many were left out. */
function expectLit(
  scene: THREE.Scene,
  light: Light,
  drawn: THREE.Object3D[],
  points: THREE.Vector3[],
  label: string,
): number {
  const inLight = new THREE.Frustum().copy(light.shadow.getFrustum());
  const missing = scene.children
    .filter((child) => (child as THREE.Mesh).isMesh && !drawn.includes(child))
    .map((child) => new THREE.Box3().setFromObject(child))
    .filter((box) => inLight.intersectsBox(box));
  const target = new THREE.Vector3();
  let dark = 0;
  for (const point of points) {
    if (!inLight.containsPoint(point)) continue;
    const { ray, length } = wayToLight(point, light);
    for (const box of missing) {
      const hit = ray.intersectBox(box, target);
      // What covers the light itself, or is cut by the near plane, is no caster there.
      const isBetween = hit !== null && hit.distanceTo(point) < length && inLight.containsPoint(hit);
      if (isBetween || box.containsPoint(point)) dark++;
    }
  }
  expect(dark, label).toBe(0);
  return missing.length;
}

describe.each(STRUCTURES)('casters culled by %s', (structure) => {
  const SEEDS = seeds(40, 10);
  it(`darken no point in view, seeds 1 to ${SEEDS.length}`, () => {
    let missing = 0;
    for (const seed of SEEDS) {
      const next = random(seed);
      const scene = boxes(next, 150);
      const light = makeLight(next);
      scene.add(light, light.target);
      index = accelerate(scene, { structure: createIndex(structure, { capacity: 4 }), cullCasters: true });
      const camera = makeCamera(next);
      const drawn = casterPasses(makeRenderer(), scene, camera).get(light) as THREE.Object3D[];
      const points = Array.from({ length: 400 }, () => seenPoint(camera, next));
      missing += expectLit(scene, light, drawn, points, `seed ${seed}`);
      index.dispose();
    }
    expect(missing).toBeGreaterThan(25 * SEEDS.length);
  });
});

describe('all casters are drawn', () => {
  /** How many boxes of a row a light far to the left draws, for a camera above the middle of it. */
  function countCasters(change: (setting: Setting) => void = () => {}, begin = accelerate): number {
    const scene = new THREE.Scene();
    for (let x = -20; x <= 20; x++) {
      const mesh = boxMesh(2 * x, 0, 0);
      mesh.castShadow = true;
      scene.add(mesh);
    }
    const light = new THREE.DirectionalLight();
    light.position.set(-10, 10, 0);
    Object.assign(light.shadow.camera, { left: -50, right: 50, top: 50, bottom: -50, near: -80, far: 150 });
    (light.shadow.camera as THREE.OrthographicCamera).updateProjectionMatrix();
    light.castShadow = true;
    scene.add(light);
    const camera = new THREE.PerspectiveCamera(30, 1, 1, 12);
    camera.position.set(0, 10, 0);
    camera.lookAt(0, 0, 0);
    const setting: Setting = {
      scene,
      camera,
      light,
      renderer: makeRenderer(),
      render: () => casterPasses(setting.renderer, scene, camera).get(light)?.length ?? 0,
    };
    index = begin(scene, { cullCasters: true });
    change(setting);
    const count = setting.render();
    index.dispose();
    return count;
  }
  interface Setting {
    scene: THREE.Scene;
    camera: THREE.PerspectiveCamera;
    light: THREE.DirectionalLight;
    renderer: THREE.WebGLRenderer;
    render(): number;
  }
  const mesh = ({ scene }: Setting) => scene.children[20] as THREE.Mesh;
  const cases = Object.entries<(setting: Setting) => void>({
    'for a light that keeps its map': ({ light }) => (light.shadow.autoUpdate = false),
    'for a renderer that keeps them': ({ renderer }) => (renderer.shadowMap.autoUpdate = false),
    'by a renderer of another kind': (setting) => (setting.renderer = { isWebGPURenderer: true } as never),
    'for a light with several maps in one': ({ light }) => (light.shadow.getViewportCount = () => 2),
    'when what is in view calls back before it is drawn': (s) => (mesh(s).onBeforeRender = () => {}),
    'when it calls back after that': (s) => (mesh(s).onAfterRender = () => {}),
    'when its material calls back': (s) => {
      const material = new THREE.MeshBasicMaterial();
      material.onBeforeRender = () => {};
      mesh(s).material = [new THREE.MeshBasicMaterial(), material];
    },
    'when something in a LOD calls back': ({ scene }) => {
      const level = new THREE.Group().add(boxMesh());
      level.children[0].onBeforeRender = () => {};
      scene.add(new THREE.LOD().addLevel(level));
    },
    'when something that is left out of the index calls back': ({ scene }) => {
      const group = new THREE.Group().add(boxMesh());
      group.children[0].onBeforeRender = () => {};
      scene.add(group);
      (index as SceneIndex).remove(group);
    },
    'once the scene has got another callback': ({ scene }) => (scene.onBeforeRender = () => {}),
    'when another camera came between': ({ scene, camera, light, renderer }) => {
      const { updateMatrices } = light.shadow;
      light.shadow.updateMatrices = function (...given) {
        mainPass(scene, camera);
        updateMatrices.apply(this, given);
      };
      expect(renderer.shadowMap.needsUpdate).toBe(false);
    },
  });

  it('but not as a rule', () => {
    expect(countCasters()).toBeLessThan(20);
    expect(countCasters(({ renderer }) => (renderer.shadowMap.type = THREE.VSMShadowMap))).toBeLessThan(20);
  });

  it('until the code that leaves some out has loaded', async () => {
    vi.resetModules();
    const fresh = await import('../../src/render/accelerate.js');
    expect(countCasters(() => {}, fresh.accelerate)).toBe(41);
    await vi.dynamicImportSettled();
    expect(countCasters(() => {}, fresh.accelerate)).toBeLessThan(20);
  });

  it.each(cases)('%s', (_label, change) => {
    expect(countCasters(change)).toBe(41);
  });

  it('while one that was broken off counts as around it: until the next microtask', async () => {
    let later = (): number => 0;
    const first = countCasters(({ scene, renderer, render }) => {
      later = render;
      Object.assign(index as SceneIndex, { dispose() {} });
      const broken = () =>
        withinRender(renderer, scene, new THREE.PerspectiveCamera(), () => {
          throw new Error('by the user');
        });
      expect(broken).toThrow('by the user');
    });
    await null;
    expect([first, later() < 20]).toEqual([41, true]);
    Reflect.deleteProperty(index as SceneIndex, 'dispose');
  });

  it('when a scene is rendered within its own callback, of both pictures by their own', () => {
    let inner = 0;
    const outer = countCasters(({ scene, renderer, camera }) => {
      (index as SceneIndex).dispose();
      const other = camera.clone();
      other.position.x = 30;
      other.lookAt(30, 0, 0);
      let isBusy = false;
      scene.onBeforeRender = () => {
        if (isBusy) return;
        isBusy = true;
        inner = [...casterPasses(renderer, scene, other).values()][1].length;
        isBusy = false;
      };
      index = accelerate(scene, { cullCasters: true });
    });
    expect(outer).toBeLessThan(20);
    expect(inner).toBeLessThan(20);
  });
});

it('of casters only what the frustum of the light holds is drawn, and what is never culled', () => {
  const next = random(5);
  const scene = boxes(next, 100);
  const light = makeLight(next);
  const free = Object.assign(boxMesh(1000), { castShadow: true, frustumCulled: false });
  scene.add(light, light.target, free);
  index = accelerate(scene, { cullCasters: true });
  const drawn = casterPasses(makeRenderer(), scene, makeCamera(next)).get(light) as THREE.Object3D[];
  const inLight = frustumOf(light.shadow.camera);
  expect(drawn.filter((object) => !inLight.intersectsBox(new THREE.Box3().setFromObject(object)))).toEqual([free]);
});

it('cullCasters calls the callback that the scene has, and leaves it, and one that came since', () => {
  const scene = new THREE.Scene();
  const own = vi.fn();
  scene.onBeforeRender = own;
  index = accelerate(scene, { cullCasters: true });
  casterPasses(makeRenderer(), scene, new THREE.PerspectiveCamera());
  expect(own.mock.contexts).toEqual([scene]);
  index.dispose();
  expect(scene.onBeforeRender).toBe(own);
  const bare = new THREE.Scene();
  accelerate(bare, { cullCasters: true }).dispose();
  expect(Object.hasOwn(bare, 'onBeforeRender')).toBe(false);
  index = accelerate(bare, { cullCasters: true });
  bare.onBeforeRender = own;
  index.dispose();
  expect(bare.onBeforeRender).toBe(own);
});
