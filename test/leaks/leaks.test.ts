import {
  Box3,
  BoxGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import {
  accelerate,
  createIndex,
  findObjectPairs,
  Hits,
  IdList,
  PairTracker,
  SceneIndex,
  SceneIndexHelper,
  STRUCTURES,
  stats,
  VisibilityTracker,
  validate,
  validateScene,
} from '../../src/index.js';
import { bytesInUse, countAlive } from '../helpers/garbage.js';
import { random } from '../helpers/random.js';
import { mixedScene } from '../helpers/scene.js';

const MIB = 2 ** 20;
/** Bytes in use may grow by this much for each of a million operations. */
const STEEPEST = 0.25 * MIB;
/** What is compiled or kept by the runtime on the side comes to an end; what leaks goes on for ever. */
const MOST_TRIES = 12;
const ROUNDS = 5;

/** Slope of the line through equally spaced values (least squares). */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  let [up, down] = [0, 0];
  values.forEach((value, i) => {
    up += (i - middle) * value;
    down += (i - middle) ** 2;
  });
  return up / down;
}

/** Growth of the bytes in use per million operations: the least of some tries, which end when it is little enough. */
async function growth(operate: () => void, operations: number, tries = MOST_TRIES): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  operate();
  for (let attempt = 0; attempt < tries && least > STEEPEST; attempt++) {
    const bytes: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      operate();
      bytes.push(await bytesInUse());
    }
    least = Math.min(least, (slope(bytes) / operations) * 1e6);
  }
  return least;
}

const CAMERA = new PerspectiveCamera(60, 1, 0.1, 500);
CAMERA.position.z = 100;
CAMERA.updateMatrixWorld();

/** Asks an index all that may remember an object. */
function askAll(index: SceneIndex): void {
  const everywhere = new Box3(new Vector3(-1e4, -1e4, -1e4), new Vector3(1e4, 1e4, 1e4));
  index.update();
  index.cull(CAMERA);
  index.classify(CAMERA, { inside: [], intersecting: [], culled: [] });
  index.queryBox(everywhere);
  index.nearest(new Vector3(), 10);
  findObjectPairs(index);
  index.sweep(everywhere, new Vector3(1, 0, 0));
  const ray = new Raycaster(new Vector3(-1e3, 0, 0), new Vector3(1, 0, 0));
  ray.camera = CAMERA;
  index.raycast(ray);
  index.raycastFirst(ray);
  ray.intersectObject(index.root);
}

const MAKERS: [label: string, make: (scene: Scene) => SceneIndex][] = [
  ...STRUCTURES.map((structure): [string, (scene: Scene) => SceneIndex] => [
    structure,
    (scene) => new SceneIndex(scene, { index: createIndex(structure) }),
  ]),
  ['an accelerated scene', (scene) => accelerate(scene)],
];

/** What holds objects is the same for all structures. */
const SOME = MAKERS.filter(([label]) => /looseOctree|accelerated/.test(label));

describe.each(SOME)('of what was removed from %s', (_label, make) => {
  it('nothing is alive: 10,000 objects, their geometries and materials', async () => {
    const scene = new Scene();
    const index = make(scene);
    const visibility = new VisibilityTracker(index, CAMERA, { bands: [50] });
    const pairs = new PairTracker(index);
    const helper = new SceneIndexHelper(index);
    const next = random(3);
    // A function of its own, whose variables are gone afterwards.
    const comeAndGo = (way: number): WeakRef<object>[] => {
      const group = new Group();
      scene.add(group);
      const refs: WeakRef<object>[] = [new WeakRef(group)];
      for (let i = 0; i < 2500; i++) {
        const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
        const mesh = new Mesh(geometry, material);
        mesh.position.set(next() * 100, next() * 100, next() * 100);
        group.add(mesh);
        refs.push(new WeakRef(mesh), new WeakRef(geometry), new WeakRef(material));
      }
      index.update();
      if (way === 1) index.setStatic(group);
      askAll(index);
      visibility.update();
      pairs.update();
      helper.update();
      if (way === 0) group.removeFromParent();
      else if (way === 1) scene.clear();
      else if (way === 2) for (const child of [...group.children]) group.remove(child);
      else index.remove(group);
      group.removeFromParent();
      return refs;
    };
    const refs = [0, 1, 2, 3].flatMap(comeAndGo);
    expect(refs.length).toBe(4 * (1 + 3 * 2500));
    // The second time for the lists of what left.
    for (let i = 0; i < 2; i++) {
      visibility.update();
      pairs.update();
    }
    askAll(index);
    expect(await countAlive(refs)).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });
});

describe('an index that is let go of', () => {
  it.each(MAKERS)('is gone, disposed while its scene lives on, or together with it: %s', async (_label, make) => {
    const kept = new Scene();
    const use = (scene: Scene, isDisposed: boolean): WeakRef<object> => {
      scene.add(new Mesh(new BoxGeometry()));
      const index = make(scene);
      askAll(index);
      if (isDisposed) index.dispose();
      return new WeakRef(index);
    };
    const disposed = use(kept, true);
    const dropped = use(new Scene(), false);
    expect(await countAlive([disposed, dropped])).toBe(0);
    expect(kept.children).toHaveLength(1);
  });

  it.each(MAKERS)('leaves no listener and no property behind: %s', (_label, make) => {
    const scene = mixedScene(random(12), 120);
    const all: Object3D[] = [];
    scene.traverse((object) => all.push(object));
    // Somebody else listens, too.
    for (const object of all) if (object.id % 3 === 0) object.addEventListener('childremoved', () => {});
    const tell = (): unknown[] =>
      all.map((object) => {
        const { _listeners } = object as unknown as { _listeners?: { [type: string]: unknown[] } };
        const listeners = Object.values(_listeners ?? {}).reduce((sum, list) => sum + list.length, 0);
        const names = [...Reflect.ownKeys(object), ...Reflect.ownKeys(object.layers)].filter(
          (key) => key !== '_listeners',
        );
        return [listeners, names, object.raycast, object.updateMatrixWorld, Object.keys(object.userData)];
      });
    const before = tell();
    const index = make(scene);
    const visibility = new VisibilityTracker(index, CAMERA);
    visibility.update();
    new PairTracker(index).update();
    askAll(index);
    expect(tell()).not.toEqual(before);
    visibility.dispose();
    index.dispose();
    expect(tell()).toEqual(before);
  });
});

describe.each(STRUCTURES)('churn in %s', (name) => {
  const next = random(8);
  const box = new Float64Array(6);
  const place = (): Float64Array => {
    for (let c = 0; c < 3; c++) {
      box[c] = next() * 500;
      box[c + 3] = box[c] + next() * 3;
    }
    return box;
  };

  it('grows by at most 0.25 MiB for a million operations', { timeout: 60_000 }, async () => {
    const operations = 30_000;
    const index = createIndex(name);
    const ids: number[] = [];
    for (let i = 0; i < 500; i++) ids.push(index.add(place()));
    const list = new IdList();
    const hits = new Hits();
    const operate = (): void => {
      for (let i = 0; i < operations; i += 6) {
        const k = Math.floor(next() * ids.length);
        index.remove(ids[k]);
        ids[k] = index.add(place());
        index.update(ids[Math.floor(next() * ids.length)], place());
        index.update(ids[Math.floor(next() * ids.length)], place());
        index.queryBox(place(), list);
        index.nearest(box[0], box[1], box[2], 3, Number.POSITIVE_INFINITY, hits);
      }
    };
    expect(await growth(operate, operations)).toBeLessThanOrEqual(STEEPEST);
    expect(validate(index)).toEqual([]);
  });

  it('holds at most twice the memory of the peak, and none when all is gone', () => {
    const empty = stats(createIndex(name)).bytes;
    const index = createIndex(name);
    const live: number[] = [];
    const peak = 8000;
    for (let i = 0; i < peak; i++) live.push(index.add(place()));
    let most = 0;
    for (let round = 0; round < 12; round++) {
      // Waves: most go, and as many come elsewhere, or all move.
      for (let i = 0; i < (peak * (round % 4)) / 4; i++) {
        const k = Math.floor(next() * live.length);
        index.remove(live[k]);
        live[k] = live[live.length - 1];
        live.pop();
      }
      while (live.length < peak) live.push(index.add(place()));
      for (const id of live) index.update(id, place());
      most = Math.max(most, stats(index).bytes);
    }
    expect(validate(index)).toEqual([]);
    index.rebuild();
    expect(most).toBeLessThanOrEqual(2 * stats(index).bytes);
    for (const id of live) index.remove(id);
    expect(stats(index).bytes).toBe(empty);
  });
});

it.each(SOME)(
  'churn of a scene grows by at most 0.25 MiB for a million operations: %s',
  async (_label, make) => {
    const next = random(5);
    const scene = new Scene();
    const group = new Group();
    scene.add(group);
    const geometry = new BoxGeometry();
    const material = new MeshBasicMaterial();
    const index = make(scene);
    const visibility = new VisibilityTracker(index, CAMERA, { bands: [30, 60] });
    const pairs = new PairTracker(index);
    const seen: Object3D[] = [];
    const operations = 12_000;
    const operate = (): void => {
      for (let i = 0; i < operations; i += 4) {
        const mesh = new Mesh(geometry, material);
        mesh.position.set(next() * 100 - 50, next() * 100 - 50, next() * 100 - 50);
        (i % 8 === 0 ? scene : group).add(mesh);
        const some = group.children[Math.floor(next() * group.children.length)];
        some?.position.set(next() * 100 - 50, next() * 100 - 50, next() * 100 - 50);
        if (group.children.length > 50) group.remove(some as Mesh);
        if (scene.children.length > 50) scene.remove(scene.children[1 + Math.floor(next() * 49)]);
        if (i % 80 !== 0) continue;
        index.update();
        index.cull(CAMERA, seen);
        visibility.update();
        pairs.update();
      }
      index.update();
      visibility.update();
      pairs.update();
    };
    expect(await growth(operate, operations)).toBeLessThanOrEqual(STEEPEST);
    expect(validateScene(index)).toEqual([]);
  },
  60_000,
);

it('the measure sees a leak of one small object per hundred operations', async () => {
  const kept: object[] = [];
  // So many that what the runtime lets go of on the side is little beside them.
  const operate = (): void => {
    for (let i = 0; i < 6000; i++) kept.push({ i });
  };
  expect(await growth(operate, 600_000, 2)).toBeGreaterThan(STEEPEST);
  expect(kept.length).toBeGreaterThan(0);
});
