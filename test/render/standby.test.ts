import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AcceleratedScene,
  accelerate,
  explain,
  findPairs,
  Octree,
  queryScreen,
  report,
  SceneIndex,
  SceneIndexHelper,
  stats,
  VisibilityTracker,
} from '../../src/index.js';
import { loadAllBatching } from '../batching/Stage.js';
import { eye } from '../helpers/cameras.js';
import { accelerated } from '../helpers/indexed.js';
import { mainPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { boxMesh, mixedScene, rowOfBoxes, vary } from '../helpers/scene.js';
import { catchWarnings } from '../helpers/warnings.js';
import { loadProspects } from '../model/scene/loadBatches.js';

const standby = true;
/** More pictures than it takes to find out what pays. */
const LONG = 400;

beforeAll(loadProspects);
beforeAll(loadAllBatching);

const properties = (scene: THREE.Scene): unknown =>
  [scene, scene.layers, ...scene.children].map((each) => Object.getOwnPropertyNames(each).sort());

/** True while there is an index; asking it anything would make it. */
const isAwake = (scene: THREE.Scene): boolean => Object.hasOwn(scene, 'onBeforeRender');

type Each = (picture: number) => void;

/** Draws pictures, and returns before which of them there was an index first; -1 for none. */
function draw(scene: THREE.Scene, camera: THREE.Camera, pictures: number, each: Each = () => {}): number {
  for (let picture = 0; picture < pictures; picture++) {
    each(picture);
    mainPass(scene, camera);
    if (isAwake(scene)) return picture;
  }
  return -1;
}

/** A row of meshes of which the camera sees the first ones, static or not. */
function street(count: number, isStatic: boolean): THREE.Scene {
  const scene = rowOfBoxes(count, 40);
  for (const mesh of scene.children) {
    (mesh as THREE.Mesh).geometry.computeBoundingSphere();
    Object.assign(mesh, { static: isStatic });
  }
  return scene;
}

const move =
  (scene: THREE.Scene): Each =>
  (picture) => {
    for (const mesh of scene.children) mesh.position.y = picture % 2;
  };
const crowd = (count: number): THREE.Scene => rowOfBoxes(count, 0.01);

/** Casts rays at a crowd, and returns the number of all hits. */
function castAt(scene: THREE.Scene, casts: number): number {
  const ray = new THREE.Raycaster(new THREE.Vector3(3, 0, 9), new THREE.Vector3(0, 0, -1));
  let hits = 0;
  for (let i = 0; i < casts; i++) hits += ray.intersectObject(scene).length;
  return hits;
}

/** Sees about ten of a street's meshes, and all of a crowd. */
const camera = eye(0, 0, 60);

describe('at rest', () => {
  it('a scene has two methods of its own, its objects have nothing, and what it draws is three alone', () => {
    const scene = crowd(200);
    const plain = properties(scene) as string[][];
    const index = accelerate(scene, { standby });
    expect(draw(scene, camera, LONG)).toBe(-1);
    plain[0] = [...plain[0], 'onAfterRender', 'raycast'].sort();
    expect(properties(scene)).toEqual(plain);
    expect(scene.children.every((mesh) => (mesh as { _listeners?: unknown })._listeners === undefined)).toBe(true);
    index.dispose();
  });

  const NEVER: [string, () => THREE.Scene, (scene: THREE.Scene) => Each, boolean][] = [
    ['all is in view', () => crowd(600), () => () => {}, false],
    ['all is in view and moves', () => crowd(600), move, false],
    ['little is in view of few that may move', () => street(100, false), () => () => {}, false],
    ['an index would spare some microseconds', () => street(600, false), () => () => {}, false],
    ['little is in view, and all moves', () => street(600, false), move, false],
    ['it moves every other picture', () => street(600, false), (scene) => (p) => move(scene)(p >> 1), false],
    ['there are few meshes for batches', () => crowd(50), () => () => {}, true],
    ['there are few moving meshes for batches', () => crowd(200), move, true],
    ['there is nothing', () => new THREE.Scene(), () => () => {}, true],
  ];

  it.each(NEVER)('it stays while %s', (_label, make, each, batch) => {
    const scene = make();
    accelerated(scene, { standby, batch });
    expect(draw(scene, camera, 2 * LONG, each(scene))).toBe(-1);
  });

  it('keeps its structure from other scenes', () => {
    const structure = new Octree();
    const index = accelerate(crowd(9), { standby, structure });
    expect(() => accelerate(crowd(9), { structure })).toThrow(/already belongs to a SceneIndex/);
    index.dispose();
    accelerated(crowd(9), { structure });
  });
});

describe('it wakes', () => {
  const instanced = (): THREE.Scene => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 300);
    return new THREE.Scene().add(mesh);
  };
  const WAKES: [string, () => THREE.Scene, (scene: THREE.Scene) => Each, boolean][] = [
    ['little is in view of what is static', () => street(600, true), () => () => {}, false],
    ['little is in view of many that may move', () => street(4000, false), () => () => {}, false],
    ['many meshes are alike, for batches', () => crowd(600), () => () => {}, true],
    ['very many meshes are alike and move, for batches', () => crowd(2000), move, true],
    ['there are many instances', instanced, () => () => {}, false],
    [
      'rays are cast',
      () => crowd(2000),
      (scene) => () => {
        for (let i = 0; i < 8; i++) new THREE.Raycaster(camera.position).intersectObject(scene);
      },
      false,
    ],
  ];

  it.each(WAKES)('where %s', (_label, make, each, batch) => {
    const scene = make();
    const count = mainPass(scene, camera).drawn.length;
    const plain = properties(scene);
    const index = accelerate(scene, { standby, batch });
    const first = draw(scene, camera, LONG, each(scene));
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(LONG);
    expect(batch || mainPass(scene, camera).drawn.length).toBe(batch || count);
    index.dispose();
    expect(properties(scene)).toEqual(plain);
  });

  it.each([
    ['soon where batches spare much', 3000, 0, 60],
    ['after the first frames of a page where they spare little', 300, 120, 1000],
  ])('%s', (_label, count, from, to) => {
    const scene = crowd(count);
    accelerated(scene, { standby, batch: true });
    const first = draw(scene, camera, to);
    expect(first).toBeGreaterThan(from);
  });

  it('with an update, and as a whole', () => {
    const scene = street(600, true);
    accelerated(scene, { standby });
    scene.matrixWorldAutoUpdate = false;
    expect(draw(scene, camera, LONG)).toBe(-1);
    scene.updateMatrixWorld();
    expect(isAwake(scene)).toBe(true);
  });

  it('for a ray that wants the first hit alone, which gets it', () => {
    const scene = crowd(20);
    accelerated(scene, { standby });
    const ray = new THREE.Raycaster(new THREE.Vector3(0, 0, 9), new THREE.Vector3(0, 0, -1));
    expect(ray.intersectObject(scene).length).toBeGreaterThan(2);
    expect(isAwake(scene)).toBe(false);
    expect(ray.intersectObject(scene)).toEqual(ray.intersectObject(Object.assign(scene)));
    expect(Object.assign(ray, { firstHitOnly: true }).intersectObject(scene).length).toBe(1);
    expect(isAwake(scene)).toBe(true);
  });

  it('for many rays without a picture, with the same hits; not for few, or at few objects', () => {
    const [scene, few, plain] = [crowd(2000), crowd(200), crowd(2000)];
    for (const each of [scene, few, plain]) each.updateMatrixWorld();
    accelerated(scene, { standby });
    accelerated(few, { standby });
    expect(castAt(scene, 31)).toBe(castAt(plain, 31));
    for (let picture = 0; picture < 9; picture++) {
      mainPass(scene, camera);
      expect(castAt(scene, 3)).toBe(castAt(plain, 3));
    }
    expect(isAwake(scene)).toBe(false);
    for (let i = 0; i < 99; i++) expect(castAt(scene, 1)).toBe(castAt(plain, 1));
    expect(isAwake(scene)).toBe(true);
    castAt(few, 999);
    expect(isAwake(few)).toBe(false);
  });

  it('for rays without a picture, of which those that follow look at what they may hit alone', () => {
    const scene = crowd(2000);
    scene.updateMatrixWorld();
    const { matrixWorld } = scene.children[1999];
    const { elements } = matrixWorld;
    let reads = 0;
    Object.defineProperty(matrixWorld, 'elements', {
      get() {
        reads++;
        return elements;
      },
    });
    accelerated(scene, { standby });
    castAt(scene, 32);
    expect(isAwake(scene)).toBe(true);
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    castAt(scene, 32);
    expect(reads).toBe(0);
  });

  it('for rays without a picture at a model in it, or at its children; not at a small one, or at a list of others', () => {
    const [scene, plain] = [0, 1].map(() => {
      const { children } = crowd(2000);
      return new THREE.Scene().add(new THREE.Group().add(...children), new THREE.Group().add(...crowd(100).children));
    });
    for (const each of [scene, plain]) each.updateMatrixWorld();
    const index = accelerated(scene, { standby });
    const ray = new THREE.Raycaster(new THREE.Vector3(3, 0, 9), new THREE.Vector3(0, 0, -1));
    const casts: ((scene: THREE.Scene) => number)[] = [
      ({ children: [, few] }) => ray.intersectObject(few).length,
      ({ children: [top] }) => ray.intersectObjects([...top.children]).length,
      ({ children: [top] }) => ray.intersectObject(top, false).length,
      ({ children: [top] }) => ray.intersectObject(top).length,
    ];
    const isWoken = casts.map((cast) => {
      for (let i = 0; i < 40; i++) expect(cast(scene)).toBe(cast(plain));
      return isAwake(scene);
    });
    expect(isWoken).toEqual([false, false, false, true]);
    index.dispose();
    accelerated(scene, { standby });
    for (let i = 0; i < 40; i++) ray.intersectObjects(scene.children);
    expect(isAwake(scene)).toBe(true);
  });

  it('for rays without a picture ever later, where it does not pay', () => {
    const scene = crowd(2000);
    accelerated(scene, { standby });
    const needed = [0, 1, 2].map(() => {
      let casts = 0;
      for (mainPass(scene, camera); !isAwake(scene); casts++) castAt(scene, 1);
      for (let picture = 0; isAwake(scene) && picture < 2000; picture++) mainPass(scene, camera);
      return casts;
    });
    expect(needed).toEqual([32, 128, 512]);
  });

  it('goes to rest when it does not pay any more, and waits longer each time', () => {
    const scene = crowd(600);
    const plain = properties(scene) as string[][];
    const index = accelerated(scene, { standby });
    const cast: Each = () => {
      for (let i = 0; i < 8; i++) new THREE.Raycaster(camera.position).intersectObject(scene);
    };
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      waits.push(draw(scene, camera, 2000, cast));
      for (let picture = 0; isAwake(scene) && picture < 2000; picture++) mainPass(scene, camera);
      expect(isAwake(scene)).toBe(false);
    }
    expect(waits[1]).toBeGreaterThan(2 * waits[0]);
    expect(waits[2]).toBeGreaterThan(2 * waits[1]);
    plain[0] = [...plain[0], 'onAfterRender', 'raycast'].sort();
    expect(properties(scene)).toEqual(plain);
    expect(scene.children.every((mesh) => !(mesh as { _listeners?: object })._listeners)).toBe(true);
    expect(index.size).toBe(600);
  });
});

describe('whatever is asked makes the index at once and for good, with the answers of one that never rested', () => {
  const box = new THREE.Box3(new THREE.Vector3(-30, -9, -9), new THREE.Vector3(90, 9, 9));
  const ray = new THREE.Raycaster(new THREE.Vector3(40, 0, 9), new THREE.Vector3(0, 0, -1));
  const ids = (objects: readonly { id: number }[], [first]: readonly { id: number }[]) =>
    objects.map(({ id }) => id - first.id).sort((a, b) => a - b);
  const QUESTIONS: Record<string, (index: AcceleratedScene, meshes: readonly THREE.Object3D[]) => unknown> = {
    size: (index) => index.size,
    structure: (index) => index.structure,
    counters: (index) => Object.keys(index.counters),
    has: (index, [one]) => index.has(one),
    getBox: (index, [, one]) => index.getBox(one, new THREE.Box3())?.max.toArray(),
    cull: (index, all) => ids(index.cull(camera), all),
    queryBox: (index, all) => ids(index.queryBox(box), all),
    nearest: (index, all) =>
      ids(
        index.nearest(new THREE.Vector3(70, 1, 0), 2).map(({ object }) => object),
        all,
      ),
    raycast: (index) => index.raycast(ray).map(({ distance }) => distance),
    raycastFirst: (index) => index.raycastFirst(ray)?.distance,
    setStatic: (index, [one]) => index.setStatic(one),
    remove: (index, [one]) => [index.remove(one), index.size],
    batch: (index, [one]) => index.batch(one),
    stats: (index) => stats(index).items,
    explain: (index, [one]) => explain(index, one, camera),
    report: (index) => report(index).length,
    findPairs: (index) => findPairs(index).length,
    queryScreen: (index, all) => ids(queryScreen(index, camera, new THREE.Vector2(), new THREE.Vector2(1, 1)), all),
    SceneIndexHelper: (index) => new SceneIndexHelper(index).type,
    VisibilityTracker: (index) => new VisibilityTracker(index, camera).size,
  };

  it.each(Object.entries(QUESTIONS))('%s', (_name, ask) => {
    const [scene, twin] = [street(70, false), street(70, false)];
    const index = accelerated(scene, { standby });
    const expected = accelerated(twin);
    draw(scene, camera, 3);
    for (let i = 0; i < 3; i++) mainPass(twin, camera);
    expect(isAwake(scene)).toBe(false);
    expect(ask(index, scene.children)).toEqual(ask(expected, twin.children));
    expect(isAwake(scene)).toBe(true);
    for (let i = 0; i < 2 * LONG; i++) {
      move(scene)(i);
      mainPass(scene, camera);
    }
    expect(isAwake(scene)).toBe(true);
    expect(ids(index.cull(camera), scene.children)).toEqual(ids(expected.cull(camera), twin.children));
  });

  it('by the world matrices as they are', () => {
    const scene = street(70, false);
    const index = accelerated(scene, { standby });
    const [mesh] = scene.children;
    mesh.position.y = 500;
    const queried = new THREE.Box3().setFromObject(new THREE.Object3D());
    const at = (y: number) =>
      index.queryBox(queried.setFromCenterAndSize(new THREE.Vector3(0, y, 0), new THREE.Vector3(1, 1, 1)));
    expect([at(0), at(500)]).toEqual([[mesh], []]);
    expect(mesh.matrixWorld.elements[13]).toBe(0);
    scene.updateMatrixWorld();
    expect([at(0), at(500)]).toEqual([[], [mesh]]);
  });
});

describe('disposed of', () => {
  it.each<[string, (scene: THREE.Scene, index: AcceleratedScene) => unknown]>([
    ['before the first picture', () => {}],
    ['at rest', (scene) => draw(scene, camera, 3)],
    ['while waking', (scene) => Object.assign(scene, { matrixWorldAutoUpdate: false }) && draw(scene, camera, LONG)],
    ['awake', (scene) => draw(scene, camera, LONG)],
    ['awake for good', (_scene, index) => index.size],
  ])('%s, it leaves the scene as it was, and an empty index', (_label, act) => {
    const scene = street(600, true);
    const plain = properties(scene);
    const index = accelerate(scene, { standby });
    act(scene, index);
    index.dispose();
    expect(properties(scene)).toEqual(plain);
    expect([index.size, index.has(scene.children[0])]).toEqual([0, false]);
    expect(() => index.update()).toThrow('SceneIndex.update: the index was disposed');
  });

  it('by another acceleration, at rest or not', () => {
    const scene = street(600, true);
    const plain = properties(scene);
    for (const pictures of [1, LONG, 1]) {
      const index = accelerate(scene, { standby });
      draw(scene, camera, pictures);
      accelerate(scene, { standby });
      expect(() => index.update()).toThrow(/when its scene was accelerated again/);
    }
    accelerate(scene).dispose();
    expect(properties(scene)).toEqual(plain);
  });
});

describe('a scene that cannot be followed', () => {
  const warnings = catchWarnings();

  it('is drawn by three alone, with one warning; questions throw', () => {
    const scene = street(600, true);
    Object.preventExtensions(scene.children[3]);
    const index = accelerated(scene, { standby });
    const count = mainPass(scene, camera).drawn.length;
    expect(draw(scene, camera, 2 * LONG)).toBe(-1);
    expect(mainPass(scene, camera).drawn.length).toBe(count);
    expect(warnings()).toEqual([expect.stringMatching(/^accelerate: falling back to plain three: .*extensible/)]);
    expect(() => index.size).toThrow(/extensible/);
    expect(() => index.cull(camera)).toThrow(/extensible/);
  });

  it('is cast at by three alone, with one warning', () => {
    const [scene, plain] = [crowd(2000), crowd(2000)];
    for (const each of [scene, plain]) each.updateMatrixWorld();
    Object.preventExtensions(scene.children[3]);
    accelerated(scene, { standby });
    expect(castAt(scene, 99)).toBe(castAt(plain, 99));
    expect(isAwake(scene)).toBe(false);
    expect(warnings()).toEqual([expect.stringMatching(/^accelerate: falling back to plain three: .*extensible/)]);
  });
});

describe('while an index comes and goes', () => {
  const idOf = ({ object }: { object: THREE.Object3D }): number => object.id;

  it.each([1])('pictures and picks are those of plain three, seed %i', (seed) => {
    const next = random(seed);
    const scene = mixedScene(next, 200);
    vary(scene, next);
    for (let i = 0; i < 300; i++) scene.add(boxMesh(3 * i, 0, 0));
    const index = accelerate(scene, { standby });
    const camera = eye(0, 0, 90);
    let changes = 0;
    let wasAwake = false;
    for (let step = 0; step < 470; step++) {
      const isCalm = step % 350 < 120;
      camera.position.set(90 * Math.sin(step / 40), 10, 90 * Math.cos(step / 40));
      camera.lookAt(0, 0, 0);
      const all = [...scene.children];
      if (!isCalm) for (const object of all) object.position.x += next() - 0.5;
      if (next() < 0.1) scene.add(boxMesh(next() * 50, next() * 50, 0));
      if (next() < 0.1) scene.remove(all[Math.floor(next() * all.length)]);
      if (next() < 0.1) all[Math.floor(next() * all.length)].visible = next() < 0.5;
      const drawn = mainPass(scene, camera).drawn.map(({ object }) => object);
      if (isAwake(scene) !== wasAwake) changes++;
      wasAwake = isAwake(scene);
      const plain = unaccelerated(scene);
      // Casts are what an index pays for here.
      for (let cast = 0; isCalm && cast < 16; cast++) {
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2(next() - 0.5, next() - 0.5), camera);
        const hits = ray.intersectObject(scene).map(idOf);
        if (cast === 0) expect(hits, `cast ${step}`).toEqual(ray.intersectObject(plain).map(idOf));
      }
      const expected = new Set(mainPass(plain, camera).drawn.map(({ object }) => object));
      expect(
        drawn.filter((object) => !expected.delete(object)),
        `too much in picture ${step}`,
      ).toEqual([]);
      // Of an object at the edge of the view three draws what has its sphere in it, an index what has its box in it.
      if (expected.size === 0 || step % 3 > 0) continue;
      const fresh = new SceneIndex(scene);
      expect(
        fresh.cull(camera).filter((object) => expected.has(object)),
        `too little in picture ${step}`,
      ).toEqual([]);
      fresh.dispose();
    }
    expect(changes).toBeGreaterThanOrEqual(2);
    index.dispose();
  });

  /** The same objects in a scene that three alone draws and casts at, by the matrices that they have. */
  function unaccelerated(scene: THREE.Scene): THREE.Scene {
    const nothing = { value() {} };
    return Object.create(scene, {
      children: { value: [...scene.children] },
      layers: { value: new THREE.Layers() },
      matrixWorldAutoUpdate: { value: false },
      onBeforeRender: nothing,
      onAfterRender: nothing,
      raycast: nothing,
    });
  }
});
