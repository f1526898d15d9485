import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AcceleratedScene,
  type AccelerateOptions,
  accelerate,
  createIndex,
  type DrawLimits,
  explain,
  SceneIndex,
} from '../../src/index.js';
import { STRUCTURES } from '../../src/standalone.js';
import { loadAllBatching } from '../batching/Stage.js';
import { drawnTriangles } from '../helpers/drawnTriangles.js';
import { CanvasStandIn, drawn, loadOcclusion } from '../helpers/occlusion.js';
import { casterPasses, frustumOf, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { allOf } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

beforeAll(async () => {
  await loadAllBatching();
  await loadOcclusion();
});

const HEIGHT = 720;
const shape = new THREE.BoxGeometry();
const paint = new THREE.MeshBasicMaterial();

/** How large the ball around the bounds of an object is in a view, by projecting its top and bottom at its distance. */
function pixelsOf(object: THREE.Object3D, view: THREE.Camera, height: number): number {
  const ball = new THREE.Box3().setFromObject(object, true).getBoundingSphere(new THREE.Sphere());
  const away = ball.center.distanceTo(placeOf(view));
  const [top, bottom] = [1, -1].map((up) =>
    new THREE.Vector3(0, up * ball.radius, -away).applyMatrix4(view.projectionMatrix),
  );
  return (Math.abs(top.y - bottom.y) / 2) * height;
}

function distanceOf(object: THREE.Object3D, view: THREE.Camera): number {
  const box = new THREE.Box3().setFromObject(object, true);
  return view instanceof THREE.PerspectiveCamera ? box.distanceToPoint(placeOf(view)) : depthOf(box, view);
}

const placeOf = ({ matrixWorld }: THREE.Object3D): THREE.Vector3 =>
  new THREE.Vector3().setFromMatrixPosition(matrixWorld);

/** How far away the nearest point of a box is along a view. */
function depthOf(box: THREE.Box3, view: THREE.Camera): number {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
    const side = (bit: number): 'min' | 'max' => ((i >> bit) & 1 ? 'max' : 'min');
    return -new THREE.Vector3(box[side(0)].x, box[side(1)].y, box[side(2)].z).applyMatrix4(view.matrixWorldInverse).z;
  });
  return Math.max(0, Math.min(...corners));
}

/** What is left out of pictures, by the numbers of three, and remembered from one to the next. */
class Truth {
  readonly #out = new Set<THREE.Object3D>();

  keeps(object: THREE.Object3D, views: readonly THREE.Camera[], limits: DrawLimits): boolean {
    const { minPixels = 0, maxDistance = Number.POSITIVE_INFINITY } = limits;
    const box = new THREE.Box3().setFromObject(object, true);
    // So far away it is not even looked at, and not remembered.
    if (views.every((view) => depthOf(box, view) > 1.25 * maxDistance)) return false;
    const slack = this.#out.has(object) ? 0.1 : 0;
    const isSeen = views.some(
      (view) =>
        pixelsOf(object, view, HEIGHT) >= (1 + slack) * minPixels &&
        distanceOf(object, view) <= (1 - slack) * maxDistance,
    );
    if (isSeen) this.#out.delete(object);
    else this.#out.add(object);
    return isSeen;
  }
}

function strewn(seed: number, count = 120): THREE.Scene {
  const next = random(seed);
  const scene = new THREE.Scene();
  const group = scene.add(new THREE.Group()).children[0];
  for (let i = 0; i < count; i++) {
    const thing = new THREE.Mesh(shape, paint);
    thing.position.set(next() * 200 - 100, next() * 60 - 30, next() * 200 - 100);
    thing.rotation.set(next() * 6, next() * 6, 0);
    thing.scale.setScalar(0.02 * 300 ** next());
    (i % 3 ? group : scene).add(thing);
  }
  return scene;
}

const KINDS: readonly [what: string, make: () => THREE.PerspectiveCamera | THREE.OrthographicCamera][] = [
  ['a perspective', () => new THREE.PerspectiveCamera(60, 16 / 9, 0.1, 300)],
  ['a reversed depth', () => Object.assign(new THREE.PerspectiveCamera(40, 2, 0.1, 300), { _reversedDepth: true })],
  ['no perspective', () => new THREE.OrthographicCamera(-40, 40, 22.5, -22.5, 0, 300)],
];

describe.each(KINDS)('with a camera of %s', (_what, make) => {
  it.each(seeds(20))(
    'draws what is large and near, and what was until it is a tenth too small or far, seed %i',
    (seed) => {
      const next = random(seed);
      const scene = strewn(seed);
      const limits = { minPixels: 4 + 8 * next(), maxDistance: 60 + 60 * next() };
      accelerate(scene, limits);
      const camera = make();
      camera.position.set(0, 0, 120);
      camera.updateProjectionMatrix();
      const truth = new Truth();
      let changes = 0;
      for (let frame = 0; frame < 25; frame++) {
        camera.position.add(new THREE.Vector3(next() * 4 - 2, next() * 2 - 1, next() * 8 - 6));
        // Without perspective distances are along the view: they change as it turns.
        camera.rotation.y = camera instanceof THREE.PerspectiveCamera ? next() - 0.5 : 0;
        camera.zoom = 0.7 + next() * 0.6;
        camera.updateProjectionMatrix();
        if (next() < 0.3) scene.children[1 + Math.floor(next() * 20)].position.z += next() * 10 - 5;
        const seen = new Set(drawn(scene, camera));
        const frustum = frustumOf(camera);
        for (const thing of allOf(scene)) {
          if (!(thing instanceof THREE.Mesh)) continue;
          if (!frustum.intersectsBox(new THREE.Box3().setFromObject(thing, true))) continue;
          const isKept = truth.keeps(thing, [camera], limits);
          if (!isKept) changes++;
          // The renderer's own test of a listed object, by its ball, is not ours.
          expect(seen.has(thing) || (isKept && !thing.intersectsFrustum(frustum))).toBe(isKept);
        }
      }
      expect(changes).toBeGreaterThan(50);
    },
  );

  it.each(STRUCTURES)('cull with limits forgets earlier answers, structure %s', (name) => {
    const scene = strewn(7);
    const index = new SceneIndex(scene, { structure: createIndex(name) });
    const camera = make();
    for (let i = 0; i < 10; i++) {
      camera.position.set(10 * i - 50, i, 100 - 10 * i);
      const limits = { minPixels: 3 + i, maxDistance: 150 - 12 * i };
      const inView = index.cull(camera);
      const expected = inView.filter((object) => new Truth().keeps(object, [camera], limits));
      expect(index.cull(camera, { ...limits, height: HEIGHT })).toEqual(expected);
    }
  });
});

it('of several views, one that sees an object is enough', () => {
  const scene = strewn(3);
  const index = accelerate(scene, { maxDistance: 60, minPixels: 5 });
  const views = [-80, 80].map((x) => {
    const view = new THREE.PerspectiveCamera(70, 1, 0.1, 300);
    view.position.set(x, 0, 60);
    view.updateMatrixWorld();
    return Object.assign(view, { viewport: new THREE.Vector4(0, 0, 640, HEIGHT) });
  });
  const camera = new THREE.ArrayCamera(views as never[]);
  const limits = { minPixels: 5, maxDistance: 60 };
  const expected = index.cull(camera).filter((object) => new Truth().keeps(object, views, limits));
  expect(expected.length).toBeGreaterThan(5);
  expect(index.cull(camera, { ...limits, height: 1 })).toEqual(expected);
  const frusta = new THREE.FrustumArray();
  frusta.setFromArrayCamera(camera);
  const seen: THREE.Object3D[] = [];
  withinRender(new CanvasStandIn(), scene, camera, () => {
    scene.layers.test(camera.layers);
    // Where it walks, it may get children.
    scene.traverse((o) => (o as THREE.Mesh).isMesh && o.intersectsFrustum(frusta as never) && seen.push(o));
  });
  expect(new Set(seen)).toEqual(new Set(expected.filter((object) => object.intersectsFrustum(frusta as never))));
});

/** A mesh at a distance before a camera, in an accelerated scene. */
function single(options: AccelerateOptions): {
  index: AcceleratedScene;
  scene: THREE.Scene;
  camera: THREE.PerspectiveCamera;
  thing: THREE.Mesh;
  isDrawnAt(distance: number): boolean;
} {
  const scene = new THREE.Scene();
  const thing = new THREE.Mesh(shape, paint);
  const index = accelerate(scene.add(thing), options);
  const camera = new THREE.PerspectiveCamera(50, 16 / 9, 0.1, 1000);
  const isDrawnAt = (distance: number): boolean => {
    thing.position.z = -distance - 0.5;
    return drawn(scene, camera).includes(thing);
  };
  return { index, scene, camera, thing, isDrawnAt };
}

it('what was left out has to come a tenth nearer, once for each camera', () => {
  const { isDrawnAt } = single({ maxDistance: 100 });
  expect([99, 101, 95, 89, 95, 101].map(isDrawnAt)).toEqual([true, false, false, true, true, false]);
  // However suddenly it comes from far away.
  expect([99, 110, 95].map(isDrawnAt)).toEqual([false, false, false]);
});

it('an object that comes anew is drawn, whatever had its place', () => {
  const { scene, thing, camera, index, isDrawnAt } = single({ maxDistance: 100 });
  expect(isDrawnAt(101)).toBe(false);
  scene.remove(thing);
  scene.updateMatrixWorld();
  const next = new THREE.Mesh(shape, paint);
  next.position.z = -97;
  scene.add(next);
  expect(drawn(scene, camera)).toEqual([next]);
  next.position.z = -110;
  expect(drawn(scene, camera)).toEqual([]);
  index.setStructure(createIndex('grid'));
  next.position.z = -97;
  expect(drawn(scene, camera)).toEqual([next]);
});

const THINGS: readonly [what: string, make: () => THREE.Object3D, isLeftOut: [small: boolean, far: boolean]][] = [
  ['a mesh', () => new THREE.Mesh(shape, paint), [true, true]],
  ['a line', () => new THREE.Line(shape), [true, true]],
  ['points', () => new THREE.Points(shape), [false, true]],
  ['a sprite', () => new THREE.Sprite(), [false, true]],
  ['an instanced mesh', () => new THREE.InstancedMesh(shape, paint, 1), [true, true]],
  ['what is never culled', () => Object.assign(new THREE.Mesh(shape, paint), { frustumCulled: false }), [false, false]],
];

it.each(THINGS)('%s', (_what, make, isLeftOut) => {
  const limits: DrawLimits[] = [{ minPixels: 100 }, { maxDistance: 40 }];
  const found = limits.map((options) => {
    const { scene, camera } = single(options);
    const thing = make();
    thing.position.z = -50;
    if (thing instanceof THREE.InstancedMesh) thing.setMatrixAt(0, new THREE.Matrix4());
    scene.add(thing);
    return !drawn(scene, camera).includes(thing);
  });
  expect(found).toEqual(isLeftOut);
});

it('a LOD is left out as a whole, and updated all the same', () => {
  const { scene, camera, index } = single({ maxDistance: 40 });
  const lod = new THREE.LOD();
  for (const distance of [0, 30]) lod.addLevel(new THREE.Mesh(shape, paint), distance);
  scene.add(lod);
  lod.position.z = -60;
  expect(drawn(scene, camera)).not.toContain(lod.levels[1].object);
  expect(lod.getCurrentLevel()).toBe(1);
  expect(explain(index, lod, camera).join()).toContain('farther than 40');
  lod.position.z = -20;
  expect(drawn(scene, camera)).toContain(lod.levels[0].object);
});

it('what lies below an object that is left out is asked by itself', () => {
  const { scene, camera, thing } = single({ minPixels: 40 });
  const child = new THREE.Mesh(shape, paint);
  child.scale.setScalar(10);
  scene.add(thing.add(child));
  thing.position.z = -100;
  expect(drawn(scene, camera)).toEqual([child]);
});

it('shadows keep what is left out', () => {
  const { scene, camera, thing } = single({ minPixels: 100, maxDistance: 10 });
  const sun = new THREE.DirectionalLight();
  sun.castShadow = thing.castShadow = true;
  sun.position.set(0, 10, -60);
  sun.target.position.z = thing.position.z = -60;
  scene.add(sun, sun.target);
  const renderer = new CanvasStandIn();
  const passes = casterPasses(renderer as never, scene, camera);
  expect(passes.get(camera)).toEqual([]);
  expect(passes.get(sun)).toEqual([thing]);
});

it('draw lists of batches are without what is left out', () => {
  const scene = strewn(5, 300);
  for (const object of allOf(scene)) object.castShadow = true;
  const camera = new THREE.PerspectiveCamera(60, 16 / 9, 0.1, 300);
  const sun = new THREE.OrthographicCamera(-200, 200, 200, -200, -200, 200);
  camera.updateMatrixWorld();
  sun.updateMatrixWorld();
  const limits = { maxDistance: 70 };
  const index = accelerate(scene, { ...limits, batch: { atLeast: 4 } });
  const frames = Array.from({ length: 8 }, () => {
    scene.updateMatrixWorld();
    return drawnTriangles(scene, camera, sun);
  });
  const kept = index.cull(camera).filter((object) => new Truth().keeps(object, [camera], limits));
  expect(kept.length).toBeGreaterThan(10);
  const { main, shadow, calls } = frames[7];
  expect(main.length).toBe(12 * kept.length);
  expect(calls).toBeLessThan(4);
  expect(shadow.length).toBe(12 * 300);
});

it('explain says how small or far an object was', () => {
  const { index, camera, thing, isDrawnAt } = single({ minPixels: 20, maxDistance: 100 });
  const told = (distance: number): string => {
    isDrawnAt(distance);
    return explain(index, thing, camera).join();
  };
  expect(told(10)).toBe('It is drawn.');
  expect(told(80)).toBe('It is not drawn: it is smaller than 20 pixels (16.6).');
  expect(told(63)).toMatch(
    /^It is not drawn: it was smaller than 20 pixels, and is not a tenth larger yet \(21[.]\d\)[.]$/,
  );
  expect(told(200)).toBe('It is not drawn: it is farther than 100 from the camera (200).');
  const far = single({ maxDistance: 100 });
  for (const distance of [110, 95]) far.isDrawnAt(distance);
  expect(explain(far.index, far.thing, far.camera)).toEqual([
    'It is not drawn: it was farther than 100 from the camera, and is not a tenth nearer yet (95).',
  ]);
});
