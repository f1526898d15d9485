import * as THREE from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { accelerate, createIndex, LooseOctree, type SceneIndex, STRUCTURES } from '../../src/index.js';
import { countAlive } from '../helpers/garbage.js';
import { frustumOf, mainPass, shadowPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { boxMesh, lod, mixedScene } from '../helpers/scene.js';
import { atWidth, seeds } from '../helpers/width.js';

let index: SceneIndex | null = null;
afterEach(() => index?.dispose());

/** A mixed scene with everything that a pass treats in a way of its own. */
function busyScene(next: () => number, count: number): THREE.Scene {
  const scene = mixedScene(next, count);
  scene.traverse((object) => {
    if (next() < 0.05) object.visible = false;
    if (next() < 0.1) object.layers.set(1 + Math.floor(next() * 2));
    if (next() < 0.05) object.frustumCulled = false;
    if (next() < 0.3) object.renderOrder = Math.floor(next() * 3);
    object.castShadow = next() < 0.7;
  });
  scene.visible = true;
  const parents: THREE.Object3D[] = [];
  scene.traverse((object) => parents.push(object));
  for (let i = 0; i < 6; i++) {
    const light = i % 2 ? new THREE.PointLight() : new THREE.DirectionalLight();
    light.add(boxMesh(next() * 10, 0, 0));
    parents[Math.floor(next() * parents.length)].add(light);
  }
  return scene;
}

function randomCamera(next: () => number): THREE.Camera {
  const camera =
    next() < 0.7
      ? new THREE.PerspectiveCamera(20 + next() * 60, 1, 0.1, 20 + next() * 80)
      : new THREE.OrthographicCamera(-9, 9, 9, -9, 1, 60);
  camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
  camera.lookAt(next() * 20 - 10, next() * 20 - 10, next() * 20 - 10);
  if (next() < 0.4) camera.layers.enable(1);
  camera.updateMatrixWorld();
  return camera;
}

/** Fails unless a pass draws what it draws without the index, less what its bounds show to be out of view. */
function expectSamePass(scene: THREE.Scene, camera: THREE.Camera, plain: () => ReturnType<typeof mainPass>): number {
  const fast = mainPass(scene, camera);
  const slow = plain();
  const frustum = frustumOf(camera);
  const orders = new Map(slow.drawn.map(({ object, groupOrder }) => [object, groupOrder]));
  expect(new Set(fast.drawn.map(({ object }) => object)).size, 'drawn twice').toBe(fast.drawn.length);
  for (const { object, groupOrder } of fast.drawn) expect(orders.get(object), object.name).toBe(groupOrder);
  const drawn = new Set(fast.drawn.map(({ object }) => object));
  for (const { object } of slow.drawn) {
    if (drawn.has(object)) continue;
    expect(isInView(object, frustum), `${object.name} is missing`).toBe(false);
  }
  expect(new Set(fast.lights)).toEqual(new Set(slow.lights));
  return fast.drawn.length;
}

/** True unless the bounds of an object, or of the LOD it lies in, show that it is out of view. */
function isInView(object: THREE.Object3D, frustum: THREE.Frustum): boolean {
  for (let entry: THREE.Object3D | null = object; entry !== null; entry = entry.parent) {
    const box = (index as SceneIndex).getBox(entry, new THREE.Box3());
    if (box !== null) return frustum.intersectsBox(box);
  }
  return false;
}

/** The pass of three itself over the same scene: with the index taken off, and put on again. */
function withoutIndex<T>(scene: THREE.Scene, structure: (typeof STRUCTURES)[number], run: () => T): T {
  index?.dispose();
  const result = run();
  index = accelerate(scene, { index: createIndex(structure, { capacity: 4 }) });
  return result;
}

const CAMERAS = atWidth(20, 8);
const RAYS = atWidth(100, 40);

describe.each(STRUCTURES)('a scene accelerated by %s', (structure) => {
  it.each(seeds(4, 1))('is drawn as without, seed %i', (seed) => {
    const next = random(seed);
    const scene = busyScene(next, 200);
    index = accelerate(scene, { index: createIndex(structure, { capacity: 4 }) });
    let drawn = 0;
    for (let i = 0; i < CAMERAS; i++) {
      const camera = randomCamera(next);
      drawn += expectSamePass(scene, camera, () => withoutIndex(scene, structure, () => mainPass(scene, camera)));
      const fast = shadowPass(scene, camera, camera.layers);
      const slow = withoutIndex(scene, structure, () => shadowPass(scene, camera, camera.layers));
      const frustum = frustumOf(camera);
      const wanted = slow.filter((object) => fast.includes(object) || isInView(object, frustum));
      expect(fast.length).toBe(new Set(fast).size);
      expect(fast.map((object) => object.name).sort()).toEqual(wanted.map((object) => object.name).sort());
    }
    expect(drawn).toBeGreaterThan(10 * CAMERAS);
  });

  it.each(seeds(2, 1))('is picked as without, seed %i', (seed) => {
    const next = random(seed);
    const scene = mixedScene(next, 150);
    const raycaster = new THREE.Raycaster();
    raycaster.camera = new THREE.PerspectiveCamera();
    let count = 0;
    for (let i = 0; i < RAYS; i++) {
      raycaster.ray.origin.set(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(120);
      raycaster.ray.direction.set(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(40);
      raycaster.ray.direction.sub(raycaster.ray.origin).normalize();
      const slow = raycaster.intersectObject(scene);
      index = accelerate(scene, { index: createIndex(structure, { capacity: 4 }) });
      const fast = raycaster.intersectObject(scene);
      const lists = [scene.children, scene.children.filter((_, k) => k % 2 === 0)];
      const fastLists = lists.flatMap((list) => [
        raycaster.intersectObjects(list),
        raycaster.intersectObjects(list, false),
      ]);
      index.dispose();
      const tell = (hits: typeof slow): unknown[] => hits.map((hit) => ({ ...hit, object: hit.object.uuid }));
      expect(tell(fast)).toEqual(tell(slow));
      const slowLists = lists.flatMap((list) => [
        raycaster.intersectObjects(list),
        raycaster.intersectObjects(list, false),
      ]);
      expect(fastLists.map(tell)).toEqual(slowLists.map(tell));
      count += slow.length;
    }
    expect(count).toBeGreaterThan(0.3 * RAYS);
  });
});

describe('accelerate', () => {
  it('leaves nothing behind', () => {
    const scene = busyScene(random(9), 60);
    scene.updateMatrixWorld();
    const objects: THREE.Object3D[] = [];
    scene.traverse((object) => objects.push(object));
    const tell = (): unknown =>
      objects.map((object) =>
        [object, object.layers].map((target) =>
          Object.entries(Object.getOwnPropertyDescriptors(target)).map(([name, { get, enumerable, writable }]) =>
            [name, get === undefined, enumerable, writable].join(),
          ),
        ),
      );
    const before = tell();
    index = accelerate(scene);
    mainPass(scene, randomCamera(random(3)));
    index.dispose();
    expect(tell()).toEqual(before);
  });

  it('refuses a root that is accelerated already, and what is no object', () => {
    const scene = new THREE.Scene();
    index = accelerate(scene);
    expect(() => accelerate(scene)).toThrow(/accelerated already/);
    index.dispose();
    accelerate(scene).dispose();
    expect(() => accelerate(null as never)).toThrow(TypeError);
    expect(() => accelerate(scene, { index: new LooseOctree({ capacity: 0 }) })).toThrow(RangeError);
    accelerate(scene).dispose();
  });

  it('shows the real children to everyone else', () => {
    const scene = new THREE.Scene();
    const mesh = boxMesh();
    scene.add(mesh);
    index = accelerate(scene);
    mainPass(scene, randomCamera(random(1)));
    expect(scene.children).toEqual([mesh]);
    const found: THREE.Object3D[] = [];
    scene.traverse((object) => found.push(object));
    expect(found).toEqual([scene, mesh]);
    scene.layers.test(mesh.layers);
    expect(scene.children).toEqual([mesh]);
  });

  it('draws what is below a mesh or a light once', () => {
    const scene = new THREE.Scene();
    const ground = boxMesh(0, 0, 0, 10);
    const light = new THREE.PointLight();
    const inner = boxMesh(1, 0, 0);
    light.add(boxMesh(2, 0, 0));
    inner.add(boxMesh(0.1, 0, 0), light);
    scene.add(ground.add(inner));
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 40;
    for (let i = 0; i < 3; i++) {
      const { drawn, lights } = mainPass(scene, camera);
      expect(drawn.length).toBe(4);
      expect(new Set(drawn.map(({ object }) => object)).size).toBe(4);
      expect(lights).toEqual([light]);
    }
    expect(inner.children.length).toBe(2);
  });

  it('draws and picks what was taken out of the index, but not of the scene', () => {
    const scene = new THREE.Scene();
    const group = new THREE.Group();
    const mesh = boxMesh();
    scene.add(group.add(mesh), boxMesh(3, 0, 0));
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    index.remove(group);
    expect(mainPass(scene, camera).drawn.length).toBe(2);
    mesh.position.x = 1;
    mainPass(scene, camera);
    expect(mesh.matrixWorld.elements[12]).toBe(1);
    const raycaster = new THREE.Raycaster(new THREE.Vector3(1, 0, 10), new THREE.Vector3(0, 0, -1));
    expect(raycaster.intersectObject(scene)[0].object).toBe(mesh);
    scene.remove(group);
    expect(mainPass(scene, camera).drawn.length).toBe(1);
  });

  it('draws what comes between the matrix pass and the walk, and inside callbacks', () => {
    const scene = new THREE.Scene();
    scene.add(boxMesh());
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    scene.updateMatrixWorld();
    scene.matrixWorldAutoUpdate = false;
    const late = boxMesh();
    scene.add(late);
    expect(mainPass(scene, camera).drawn.map(({ object }) => object)).toContain(late);
    const hidden = boxMesh(2, 0, 0);
    scene.add(hidden);
    hidden.visible = false;
    expect(mainPass(scene, camera).drawn.length).toBe(2);
  });

  it('draws what comes to a LOD out of view between the matrix pass and the walk', () => {
    const scene = new THREE.Scene();
    const object = lod();
    object.position.x = 500;
    scene.add(object, ...[0, 1, 2, 3, 4].map((x) => boxMesh(x, 0, -500)));
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    expect(mainPass(scene, camera).drawn).toEqual([]);
    scene.matrixWorldAutoUpdate = false;
    const late = boxMesh(-500, 0, 0);
    object.levels[1].object.add(late);
    late.matrixWorld.identity();
    expect(mainPass(scene, camera).drawn.map((drawn) => drawn.object)).toEqual([late]);
  });

  it('is right again after an exception in a callback', () => {
    const scene = new THREE.Scene();
    const parent = boxMesh();
    parent.castShadow = true;
    parent.add(boxMesh(1, 0, 0));
    scene.add(parent);
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    camera.updateMatrixWorld();
    parent.onBeforeShadow = () => {
      throw new Error('by the user');
    };
    expect(() => shadowPass(scene, camera, camera.layers)).toThrow('by the user');
    parent.onBeforeShadow = () => {};
    expect(mainPass(scene, camera).drawn.length).toBe(2);
    expect(mainPass(scene, camera).drawn.length).toBe(2);
  });

  it('leaves a root its own matrix method, and calls it', () => {
    let calls = 0;
    class Own extends THREE.Scene {
      override updateMatrixWorld(force?: boolean): void {
        calls++;
        super.updateMatrixWorld(force);
      }
    }
    const scene = new Own();
    const mesh = boxMesh(5, 0, 0);
    scene.add(mesh);
    index = accelerate(scene);
    calls = 0;
    mesh.position.x = 7;
    scene.updateMatrixWorld();
    expect(calls).toBe(1);
    expect(mesh.matrixWorld.elements[12]).toBe(7);
    expect(index.getBox(mesh, new THREE.Box3())?.max.x).toBe(7.5);
    index.dispose();
    expect(Object.hasOwn(scene, 'updateMatrixWorld')).toBe(false);
  });

  it('follows a mesh whose children come and go', () => {
    const scene = new THREE.Scene();
    const parent = boxMesh();
    scene.add(parent);
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    expect(mainPass(scene, camera).drawn.length).toBe(1);
    const child = boxMesh(1, 0, 0);
    parent.add(child);
    expect(mainPass(scene, camera).drawn.length).toBe(2);
    parent.remove(child);
    expect(mainPass(scene, camera).drawn.length).toBe(1);
    scene.remove(parent);
    expect(mainPass(scene, camera).drawn.length).toBe(0);
    expect(Object.getOwnPropertyDescriptor(parent, 'children')?.get).toBeUndefined();
    expect(parent).toBeInstanceOf(THREE.Mesh);
  });

  it('draws what was added to the index before it came into the scene', () => {
    const scene = new THREE.Scene();
    for (let i = 0; i < 4; i++) scene.add(boxMesh(i, 0, -500));
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    const [mesh, light] = [boxMesh(), new THREE.PointLight()];
    index.add(mesh.add(light));
    expect(mainPass(scene, camera).drawn).toEqual([]);
    scene.add(mesh);
    for (let i = 0; i < 2; i++) {
      const { drawn, lights } = mainPass(scene, camera);
      expect(drawn).toEqual([{ object: mesh, groupOrder: 0 }]);
      expect(lights).toEqual([light]);
    }
    expect(
      new THREE.Raycaster(new THREE.Vector3(0, 0, 9), new THREE.Vector3(0, 0, -1)).intersectObject(scene)[0].object,
    ).toBe(mesh);
    scene.remove(mesh);
    expect(mainPass(scene, camera)).toMatchObject({ drawn: [], lights: [] });
    expect(Object.hasOwn(mesh, 'raycast')).toBe(false);
  });

  it('meets what comes to a LOD later, or changes there', () => {
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    const [ray, distant] = [2.3, 502].map(
      (x) => new THREE.Raycaster(new THREE.Vector3(x, 0, 9), new THREE.Vector3(0, 0, -1)),
    );
    for (const raycaster of [ray, distant]) {
      raycaster.camera = camera;
      raycaster.params.Line.threshold = 2;
    }
    const hit = { distance: 1, point: new THREE.Vector3() };
    const changes: ((object: THREE.LOD) => void)[] = [
      (object) => object.levels[1].object.add(new THREE.PointLight()),
      (object) => object.add(new THREE.Group().add(new THREE.PointLight())),
      (object) => {
        object.addLevel(boxMesh(), 50);
        object.levels[2].object.frustumCulled = false;
      },
      (object) => {
        object.levels[1].object.frustumCulled = false;
      },
      (object) => {
        object.levels[0].object.raycast = function (_, hits) {
          hits.push({ ...hit, object: this });
        };
      },
      (object) => {
        const points = [new THREE.Vector3(-1, 1, 0), new THREE.Vector3(1, 1, 0)];
        object.levels[0].object.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points)));
      },
    ];
    changes.forEach((change, i) => {
      const scene = new THREE.Scene();
      const [near, far] = [lod(), lod()];
      far.position.x = 500;
      for (let k = 0; k < 9; k++) scene.add(boxMesh(3 * k, 0, -500));
      scene.add(near, far);
      // The level that a LOD out of view shows is known from the first pass on.
      const tell = (): unknown[] => {
        const { drawn, lights } = mainPass(scene, camera);
        const ids = drawn.map(({ object }) => object.id).sort();
        const hits = [ray, distant].map((raycaster) => raycaster.intersectObject(scene).map(({ object }) => object.id));
        return [ids, lights.map((light) => light.id).sort(), hits];
      };
      index = accelerate(scene);
      mainPass(scene, camera);
      for (const object of [near, far]) change(object);
      const [early, late] = [tell(), tell()];
      index.dispose();
      const plain = tell();
      expect(early, `change ${i}`).toEqual(plain);
      expect(late, `change ${i}`).toEqual(plain);
    });
  });

  it('draws what was taken out of the index in the order of its group', () => {
    const scene = new THREE.Scene();
    const group = new THREE.Group();
    const [a, b, c] = [boxMesh(-2, 0, 0), boxMesh(), boxMesh(2, 0, 0)];
    const inner = new THREE.Group();
    inner.renderOrder = 7;
    group.renderOrder = 5;
    scene.add(group.add(a, inner.add(c)), b);
    for (let i = 0; i < 9; i++) scene.add(boxMesh(3 * i, 0, -500));
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    index = accelerate(scene);
    index.remove(a);
    index.remove(inner);
    const { drawn } = mainPass(scene, camera);
    expect(new Map(drawn.map(({ object, groupOrder }) => [object, groupOrder]))).toEqual(
      new Map([
        [a, 5],
        [b, 0],
        [c, 7],
      ]),
    );
  });

  it('keeps nothing alive of what it drew, sorted or not, once that is out of the scene', async () => {
    const scene = new THREE.Scene();
    for (let i = 0; i < 200; i++) scene.add(boxMesh(3 * i, 0, -500));
    index = accelerate(scene);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    camera.position.z = 10;
    // A function of its own, whose variables are gone afterwards.
    const comeAndGo = (isSorted: boolean): WeakRef<THREE.Object3D>[] => {
      const group = new THREE.Group();
      group.renderOrder = 3;
      group.add(...[0, 1, 2].map((x) => boxMesh(x, 0, 0)));
      scene.add(group);
      expect(mainPass(scene, camera, isSorted).drawn.length).toBe(3);
      scene.remove(group);
      return [group, ...group.children].map((object) => new WeakRef(object));
    };
    const refs = [comeAndGo(true), comeAndGo(false)].flat();
    scene.updateMatrixWorld();
    expect(await countAlive(refs)).toBe(0);
  });
});
