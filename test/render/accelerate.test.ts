import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, createIndex, LooseOctree, STRUCTURES } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { countAlive } from '../helpers/garbage.js';
import { accelerated } from '../helpers/indexed.js';
import { frustumOf, mainPass, shadowPass } from '../helpers/passes.js';
import { CHANGES, type Pile, pile } from '../helpers/pile.js';
import { random } from '../helpers/random.js';
import { allOf, boxMesh, lod, mixedScene, vary } from '../helpers/scene.js';
import { atWidth, seeds } from '../helpers/width.js';

/** A mixed scene with everything that a pass treats in a way of its own. */
function busyScene(next: () => number, count: number): THREE.Scene {
  const scene = mixedScene(next, count);
  const parents = allOf(scene);
  vary(scene, next);
  for (const object of parents) {
    if (next() < 0.05) object.layers.set(2);
    object.castShadow = next() < 0.7;
  }
  for (let i = 0; i < 6; i++) {
    const light = i % 2 ? new THREE.PointLight() : new THREE.DirectionalLight();
    light.add(boxMesh(next() * 10, 0, 0));
    parents[Math.floor(next() * parents.length)].add(light);
  }
  return scene;
}

function randomCamera(next: () => number): THREE.Camera {
  const isFlat = next() < 0.3;
  const camera = isFlat
    ? new THREE.OrthographicCamera(-9, 9, 9, -9, 1, 60)
    : new THREE.PerspectiveCamera(20 + next() * 60, 1, 0.1, 20 + next() * 80);
  camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
  camera.lookAt(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
  if (next() < 0.4) camera.layers.enable(1);
  camera.updateMatrixWorld();
  return camera;
}

const drawnBy = (scene: THREE.Scene, camera: THREE.Camera = eye(0, 0, 10), isSorted = true): THREE.Object3D[] =>
  mainPass(scene, camera, isSorted).drawn.map(({ object }) => object);
const down = (x: number): THREE.Raycaster =>
  new THREE.Raycaster(new THREE.Vector3(x, 0, 9), new THREE.Vector3(0, 0, -1));
/** Boxes too far away to be seen, so that a list pays. */
const farAway = (count: number): THREE.Object3D[] => Array.from({ length: count }, (_, i) => boxMesh(3 * i, 0, -600));

describe.each(STRUCTURES)('a scene accelerated by %s', (structure) => {
  const CAMERAS = atWidth(20, 8);
  const begin = (scene: THREE.Scene) => accelerate(scene, { structure: createIndex(structure, { capacity: 4 }) });

  it.each(seeds(3, 1))('is drawn as without, less what its bounds show to be out of view, seed %i', (seed) => {
    const next = random(seed);
    const scene = busyScene(next, 200);
    let index = begin(scene);
    /** True unless the bounds of an object, or of the LOD it lies in, show that it is out of view. */
    const isInView = (object: THREE.Object3D, frustum: THREE.Frustum): boolean => {
      for (let entry: THREE.Object3D | null = object; entry !== null; entry = entry.parent) {
        const box = index.getBox(entry, new THREE.Box3());
        if (box !== null) return frustum.intersectsBox(box);
      }
      return false;
    };
    let count = 0;
    for (let i = 0; i < CAMERAS; i++) {
      const camera = randomCamera(next);
      const frustum = frustumOf(camera);
      const look = () => [mainPass(scene, camera), shadowPass(scene, camera, camera.layers)] as const;
      const [fast, fastCast] = look();
      index.dispose();
      const [slow, slowCast] = look();
      index = begin(scene);
      const orders = new Map(slow.drawn.map(({ object, groupOrder }) => [object, groupOrder]));
      const drawn = new Set(fast.drawn.map(({ object }) => object));
      expect(drawn.size, 'drawn twice').toBe(fast.drawn.length);
      for (const { object, groupOrder } of fast.drawn) expect(orders.get(object), object.name).toBe(groupOrder);
      for (const object of orders.keys()) {
        if (!drawn.has(object)) expect(isInView(object, frustum), `${object.name} is missing`).toBe(false);
      }
      expect(new Set(fast.lights)).toEqual(new Set(slow.lights));
      const wanted = slowCast.filter((object) => fastCast.includes(object) || isInView(object, frustum));
      expect(fastCast.length).toBe(new Set(fastCast).size);
      expect(fastCast.map((object) => object.name).sort()).toEqual(wanted.map((object) => object.name).sort());
      count += drawn.size;
    }
    index.dispose();
    expect(count).toBeGreaterThan(10 * CAMERAS);
  });
});

it.each([1, 2, 3, 4])('a renderer that does not sort draws in the order of the scene, seed %i', (seed) => {
  const [plain, fast] = [pile(random(seed)), pile(random(seed))];
  const index = accelerated(fast.scene, { structure: new LooseOctree({ capacity: 4 }) });
  const names = ({ scene, camera }: Pile): string[] => drawnBy(scene, camera, false).map(({ name }) => name);
  for (const [label, change] of CHANGES) {
    change(plain, null);
    change(fast, index);
    const expected = names(plain);
    expect(expected.length).toBeGreaterThan(20);
    expect(expected.length).toBeLessThan(64);
    for (let i = 0; i < 2; i++) expect(names(fast), label).toEqual(expected);
    // Picks number the scene anew, for ties.
    new THREE.Raycaster(new THREE.Vector3(0, 0, 50), new THREE.Vector3(0, 0, -1)).intersectObject(fast.scene);
    expect(names(fast), label).toEqual(expected);
    mainPass(fast.scene, fast.camera);
    expect(names(fast), label).toEqual(expected);
  }
});

describe('accelerate', () => {
  it('refuses what is no scene', () => {
    const scene = new THREE.Scene();
    expect(() => accelerate(null as never)).toThrow(TypeError);
    expect(() => accelerate(scene, { structure: new LooseOctree({ capacity: 0 }) })).toThrow(RangeError);
    accelerate(scene).dispose();
  });

  it('draws and picks what was taken out of the index, but not of the scene', () => {
    const mesh = boxMesh();
    const group = new THREE.Group().add(mesh);
    const scene = new THREE.Scene().add(group, boxMesh(3));
    accelerated(scene).remove(group);
    expect(drawnBy(scene)).toHaveLength(2);
    mesh.position.x = 1;
    drawnBy(scene);
    expect(mesh.matrixWorld.elements[12]).toBe(1);
    expect(down(1).intersectObject(scene)[0].object).toBe(mesh);
    scene.remove(group);
    expect(drawnBy(scene)).toHaveLength(1);
  });

  it('draws what comes between the matrix pass and the walk, and inside callbacks', () => {
    const scene = new THREE.Scene().add(boxMesh());
    accelerated(scene);
    scene.updateMatrixWorld();
    scene.matrixWorldAutoUpdate = false;
    const [late, hidden] = [boxMesh(), boxMesh(2)];
    scene.add(late);
    expect(drawnBy(scene)).toContain(late);
    scene.add(hidden);
    hidden.visible = false;
    expect(drawnBy(scene)).toHaveLength(2);
  });

  it('draws what comes to a LOD out of view between the matrix pass and the walk', () => {
    const object = lod();
    object.position.x = 500;
    const scene = new THREE.Scene().add(object, ...farAway(5));
    accelerated(scene);
    expect(drawnBy(scene)).toEqual([]);
    scene.matrixWorldAutoUpdate = false;
    const late = boxMesh(-500);
    object.levels[1].object.add(late);
    late.matrixWorld.identity();
    expect(drawnBy(scene)).toEqual([late]);
  });

  it('leaves a root its own matrix method, and calls it', () => {
    let calls = 0;
    class Own extends THREE.Scene {
      override updateMatrixWorld(force?: boolean): void {
        calls++;
        super.updateMatrixWorld(force);
      }
    }
    const mesh = boxMesh(5);
    const scene = new Own().add(mesh);
    const index = accelerated(scene);
    calls = 0;
    mesh.position.x = 7;
    scene.updateMatrixWorld();
    expect(calls).toBe(1);
    expect(mesh.matrixWorld.elements[12]).toBe(7);
    expect(index.getBox(mesh, new THREE.Box3())?.max.x).toBe(7.5);
    index.dispose();
    expect(Object.hasOwn(scene, 'updateMatrixWorld')).toBe(false);
  });

  it('draws what was added to the index before it came into the scene', () => {
    const scene = new THREE.Scene().add(...farAway(4));
    const index = accelerated(scene);
    const [mesh, light] = [boxMesh(), new THREE.PointLight()];
    index.add(mesh.add(light));
    expect(drawnBy(scene)).toEqual([]);
    scene.add(mesh);
    for (let i = 0; i < 2; i++) {
      const { drawn, lights } = mainPass(scene, eye(0, 0, 10));
      expect(drawn).toEqual([{ object: mesh, groupOrder: 0 }]);
      expect(lights).toEqual([light]);
    }
    expect(down(0).intersectObject(scene)[0].object).toBe(mesh);
    scene.remove(mesh);
    expect(mainPass(scene, eye(0, 0, 10))).toMatchObject({ drawn: [], lights: [] });
    expect(Object.hasOwn(mesh, 'raycast')).toBe(false);
  });

  it.each<[string, (object: THREE.LOD) => void]>([
    ['a light in a level', ({ levels }) => levels[1].object.add(new THREE.PointLight())],
    ['a light beside the levels', (object) => object.add(new THREE.Group().add(new THREE.PointLight()))],
    ['a level that is never culled', (lod) => lod.addLevel(Object.assign(boxMesh(), { frustumCulled: false }), 50)],
    ['culling switched off', ({ levels }) => Object.assign(levels[1].object, { frustumCulled: false })],
    [
      'a raycast of its own',
      ({ levels: [{ object }] }) => {
        object.raycast = (_, hits) => void hits.push({ distance: 1, point: new THREE.Vector3(), object });
      },
    ],
    [
      'a line',
      ({ levels }) => {
        const points = [new THREE.Vector3(-1, 1, 0), new THREE.Vector3(1, 1, 0)];
        levels[0].object.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points)));
      },
    ],
  ])('meets what comes to a LOD later: %s', (_label, change) => {
    const camera = eye(0, 0, 10, { far: 100 });
    const rays = [2.3, 502].map((x) => {
      const raycaster = Object.assign(down(x), { camera });
      raycaster.params.Line.threshold = 2;
      return raycaster;
    });
    const [near, far] = [lod(), lod()];
    far.position.x = 500;
    const scene = new THREE.Scene().add(...farAway(9), near, far);
    // The level that a LOD out of view shows is known from the first pass on.
    const look = (): unknown[] => {
      const { drawn, lights } = mainPass(scene, camera);
      const ids = drawn.map(({ object }) => object.id).sort();
      const hits = rays.map((raycaster) => raycaster.intersectObject(scene).map(({ object }) => object.id));
      return [ids, lights.map((light) => light.id).sort(), hits];
    };
    const index = accelerate(scene);
    mainPass(scene, camera);
    for (const object of [near, far]) change(object);
    const fast = [look(), look()];
    index.dispose();
    const plain = look();
    expect(fast).toEqual([plain, plain]);
  });

  it('draws what was taken out of the index in the order of its group', () => {
    const [a, b, c] = [boxMesh(-2), boxMesh(), boxMesh(2)];
    const inner = Object.assign(new THREE.Group().add(c), { renderOrder: 7 });
    const group = Object.assign(new THREE.Group().add(a, inner), { renderOrder: 5 });
    const scene = new THREE.Scene().add(group, b, ...farAway(9));
    const index = accelerated(scene);
    index.remove(a);
    index.remove(inner);
    const { drawn } = mainPass(scene, eye(0, 0, 10));
    expect(drawn).toHaveLength(3);
    expect([a, b, c].map((mesh) => drawn.find(({ object }) => object === mesh)?.groupOrder)).toEqual([5, 0, 7]);
  });

  it('keeps nothing alive of what it drew, sorted or not, once that is out of the scene', async () => {
    const scene = new THREE.Scene().add(...farAway(200));
    accelerated(scene);
    // A function of its own, whose variables are gone afterwards.
    const comeAndGo = (isSorted: boolean): WeakRef<THREE.Object3D>[] => {
      const group = Object.assign(new THREE.Group().add(...[0, 1, 2].map((x) => boxMesh(x))), { renderOrder: 3 });
      scene.add(group);
      expect(drawnBy(scene, eye(0, 0, 10), isSorted)).toHaveLength(3);
      scene.remove(group);
      return allOf(group).map((object) => new WeakRef(object));
    };
    const refs = [comeAndGo(true), comeAndGo(false)].flat();
    scene.updateMatrixWorld();
    expect(await countAlive(refs)).toBe(0);
  });
});
