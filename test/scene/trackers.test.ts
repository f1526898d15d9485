import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, PairTracker, SceneIndex, VisibilityTracker } from '../../src/index.js';
import { STRUCTURES } from '../../src/standalone.js';
import { eye } from '../helpers/cameras.js';
import { countAlive } from '../helpers/garbage.js';
import { accelerated, entriesOf, indexed, indexOf } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

type Objects = Iterable<THREE.Object3D>;

const idsOf = (objects: Objects): number[] => [...objects].map(({ id }) => id).sort((a, b) => a - b);
const keyOf = (a: THREE.Object3D, b: THREE.Object3D): string => idsOf([a, b]).join(' ');
const keysOf = (pairs: PairTracker['pairs']): string[] => pairs.map(({ a, b }) => keyOf(a, b)).sort();
/** What of one list is not in another, in order. */
const less = <T>(all: Iterable<T>, others: Iterable<T>): T[] => {
  const left = new Set(others);
  return [...all].filter((each) => !left.has(each));
};

/** The pairs there must be: by the bounds of every two objects, their layers and their rest. */
function pairsIn(index: SceneIndex, resting: Set<THREE.Object3D>): string[] {
  const all = entriesOf(index);
  const isPair = (i: number, k: number): boolean =>
    all[i].object.layers.test(all[k].object.layers) &&
    all[i].box.intersectsBox(all[k].box) &&
    !(resting.has(all[i].object) && resting.has(all[k].object));
  return all.flatMap(({ object }, i) =>
    all.slice(i + 1).flatMap((other, k) => (isPair(i, i + 1 + k) ? [keyOf(object, other.object)] : [])),
  );
}

function views(next: () => number): THREE.ArrayCamera {
  const places = [next() * 30 - 15, next() * 30 - 15];
  return new THREE.ArrayCamera(places.map((x) => eye(x, 0, 25, { fov: 40, far: 60, lookAt: [x, 0, 0] })));
}

/** Meshes that are edited in all ways that trackers are to notice; those that go are replaced in the list. */
class World {
  readonly group: THREE.Group = new THREE.Group();
  readonly scene: THREE.Scene = new THREE.Scene().add(this.group);
  readonly meshes: THREE.Mesh[] = [];
  readonly resting = new Set<THREE.Object3D>();
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
    for (let k = 0; k < 100; k++) this.#replace(k);
  }

  #at = (): number => this.#next() * 40 - 20;

  #replace(k: number): void {
    this.meshes[k] = boxMesh(this.#at(), this.#at(), this.#at(), 2 + 7 * this.#next());
    this.scene.add(this.meshes[k]);
  }

  edit(index: SceneIndex): void {
    const { group, meshes, resting, scene } = this;
    const next = this.#next;
    const k = Math.floor(next() * meshes.length);
    const mesh = meshes[k];
    const what = next();
    if (what < 0.2) mesh.position.set(this.#at(), this.#at(), this.#at());
    else if (what < 0.4) mesh.position.addScaledVector(new THREE.Vector3(this.#at(), this.#at(), this.#at()), 0.2);
    else if (what < 0.48) mesh.visible = next() < 0.8;
    else if (what < 0.6) mesh.layers.mask = 1 + Math.floor(next() * 3);
    else if (what < 0.64) mesh.frustumCulled = !mesh.frustumCulled;
    else if (what < 0.74) {
      // One goes and another comes, which may take over its id.
      mesh.removeFromParent();
      this.#replace(k);
    } else if (what < 0.84) {
      (mesh.parent === scene ? group : scene).attach(mesh);
      // A new parent is not static, so neither is what comes to it.
      resting.delete(mesh);
    } else if (what < 0.94) {
      index.setStatic(mesh, !resting.has(mesh));
      if (!resting.delete(mesh)) resting.add(mesh);
    } else if (what < 0.96) mesh.geometry = new THREE.BufferGeometry();
    else if (what < 0.98) group.visible = next() < 0.7;
    else group.position.set(this.#at() / 4, this.#at() / 4, this.#at() / 4);
  }
}

const MAKERS = [
  ['a plain index', indexed],
  ['an accelerated scene', accelerated],
] as const;

describe.each(MAKERS)('trackers of %s', (_label, make) => {
  it.each(seeds(9, 2))('tell the difference of what there is from update to update, seed %i', (seed) => {
    const next = random(seed);
    const structureOf = () => createIndex(STRUCTURES[Math.floor(next() * STRUCTURES.length)], { capacity: 3 });
    const world = new World(next);
    const index = make(world.scene, { structure: structureOf() });
    const moving = new THREE.PerspectiveCamera(50, 1, 0.1, 60);
    moving.position.z = 20;
    const cameras = [moving, moving, new THREE.OrthographicCamera(-12, 12, 12, -12, -10, 10), views(next)];
    const watched = cameras.map((camera) => {
      const tracker = new VisibilityTracker(index, camera);
      return { camera, tracker, before: [] as THREE.Object3D[] };
    });
    const contacts = new PairTracker(index);
    let pairs: string[] = [];
    const counts = { entered: 0, left: 0, touching: 0, apart: 0 };
    for (let round = 0; round < 60; round++) {
      for (let step = 0; step < 5; step++) world.edit(index);
      moving.translateX(next() * 4 - 2).lookAt(next() * 10 - 5, next() * 10 - 5, next() * 10 - 5);
      if (next() < 0.05) index.setStructure(structureOf());
      index.update();
      for (const view of watched) {
        if (next() < 0.1) continue;
        const { camera, tracker, before } = view;
        tracker.update();
        const culled = index.cull(camera);
        expect(tracker.visible, `round ${round}`).toEqual(culled);
        expect(idsOf(tracker.entered)).toEqual(idsOf(less(culled, before)));
        expect(idsOf(tracker.left)).toEqual(idsOf(less(before, culled)));
        const seen = world.meshes.filter((mesh) => tracker.isVisible(mesh));
        expect(idsOf(seen)).toEqual(idsOf(world.meshes.filter((mesh) => culled.includes(mesh))));
        counts.entered += tracker.entered.length;
        counts.left += tracker.left.length;
        view.before = culled;
      }
      contacts.update();
      const now = pairsIn(index, world.resting);
      expect(keysOf(contacts.pairs), `round ${round}`).toEqual(now.sort());
      expect(keysOf(contacts.entered)).toEqual(less(now, pairs));
      expect(keysOf(contacts.left)).toEqual(less(pairs, now));
      counts.touching += contacts.entered.length;
      counts.apart += contacts.left.length;
      pairs = now;
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
  });
});

type Tracker = VisibilityTracker | PairTracker;

const CAMERA = eye(0, 0, 5);

/** Each with how many it tracks of so many boxes that touch each other, all in view. */
const KINDS: [label: string, make: (index: SceneIndex) => Tracker, countOf: (boxes: number) => number][] = [
  ['VisibilityTracker', (index) => new VisibilityTracker(index, CAMERA), (boxes) => boxes],
  ['PairTracker', (index) => new PairTracker(index), (boxes) => (boxes * (boxes - 1)) / 2],
];

/** All that a tracker tracks, what has come, and what has gone. */
const listsOf = (tracker: Tracker): (readonly unknown[])[] => {
  const all = tracker instanceof PairTracker ? tracker.pairs : tracker.visible;
  return [all, tracker.entered, tracker.left];
};

describe.each(KINDS)('a %s', (label, make, countOf) => {
  function stage(boxes: number) {
    const meshes = Array.from({ length: boxes }, (_, i) => boxMesh(i / 10));
    const scene = new THREE.Scene().add(...meshes);
    const index = new SceneIndex(scene);
    const tracker = make(index);
    /** How many are tracked, have entered and have left. */
    const step = (): number[] => {
      index.update();
      tracker.update();
      return listsOf(tracker).map(({ length }) => length);
    };
    return { meshes, scene, index, tracker, step };
  }

  it('has lists that stay the same, and two of them change nothing of each other', () => {
    const { scene, meshes, index, tracker, step } = stage(3);
    const lists = listsOf(tracker);
    const all = countOf(3);
    expect(lists).toEqual([[], [], []]);
    expect(step()).toEqual([all, all, 0]);
    expect(step()).toEqual([all, 0, 0]);
    scene.remove(...meshes);
    const other = make(index);
    expect(step()).toEqual([0, 0, all]);
    expect(listsOf(tracker).every((list, i) => list === lists[i])).toBe(true);
    scene.add(...meshes);
    expect(step()).toEqual([all, all, 0]);
    other.update();
    expect(other.entered).toHaveLength(all);
  });

  it('has all leave when the index was disposed, of which no other can be made', () => {
    const { index, tracker, step } = stage(2);
    step();
    index.dispose();
    tracker.update();
    expect(listsOf(tracker).map(({ length }) => length)).toEqual([0, 0, countOf(2)]);
    expect(() => make(index)).toThrow(`${label}: the index was disposed`);
  });

  it('leaves nothing on the objects, and lets go of them', async () => {
    const { scene, meshes, step } = stage(2);
    const keys = Object.keys(meshes[0]);
    step();
    expect(Object.keys(meshes[0])).toEqual(keys);
    const gone = (() => {
      const extra = [boxMesh(0, 1.5), boxMesh(0.5, 1.5)];
      scene.add(...extra);
      expect(step()[1]).toBe(countOf(2));
      scene.remove(...extra);
      expect(step()[2]).toBe(countOf(2));
      // The list of what left is kept until the next update.
      step();
      return extra.map((mesh) => new WeakRef(mesh));
    })();
    expect(await countAlive(gone)).toBe(0);
  });
});

it('a visibility tracker is as it was when its camera or an object of the scene is broken', () => {
  const [mesh, extra] = [boxMesh(0, 0, -5, 0), boxMesh(1, 0, -5)];
  const index = indexOf(mesh);
  const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 1000);
  const tracker = new VisibilityTracker(index, camera);
  const step = (): void => {
    index.update();
    tracker.update();
  };
  step();
  index.root.add(extra);
  const { projectionMatrix } = camera;
  Object.assign(camera, { projectionMatrix: null });
  expect(step).toThrow(TypeError);
  camera.projectionMatrix = projectionMatrix;
  const { layers } = extra;
  const get = (): never => {
    throw new TypeError('mine');
  };
  Object.defineProperty(extra, 'layers', { configurable: true, get });
  mesh.visible = false;
  expect(step).toThrow('mine');
  expect([tracker.visible, tracker.isVisible(mesh)]).toEqual([[mesh], true]);
  Object.defineProperty(extra, 'layers', { value: layers });
  step();
  expect([tracker.visible, tracker.entered, tracker.left]).toEqual([[extra], [extra], [mesh]]);
});

it('a pair tracker tells of no pair of which a getter of another object has taken one away', () => {
  const [a, b, last] = [boxMesh(), boxMesh(0.5), boxMesh(0.2)];
  const index = indexOf(a, b, last);
  const tracker = new PairTracker(index);
  tracker.update();
  expect(tracker.entered).toHaveLength(3);
  const { mask } = a.layers;
  const get = (): number => {
    last.removeFromParent();
    return mask;
  };
  Object.defineProperty(a.layers, 'mask', { get });
  b.position.x = 0.4;
  index.update();
  tracker.update();
  expect([tracker.left.length, tracker.entered.length, tracker.pairs.length]).toEqual([2, 0, 1]);
});

it('a pair tracker searches only when the index changed', () => {
  const [a, far] = [boxMesh(), new THREE.Box3().setFromObject(boxMesh(500))];
  const index = indexOf(a, boxMesh(0.5));
  const tracker = new PairTracker(index);
  tracker.update();
  for (const isMoved of [false, true]) {
    if (isMoved) a.position.x = 0.1;
    index.update();
    index.queryBox(far);
    const { nodesVisited } = index.counters;
    tracker.update();
    expect(index.counters.nodesVisited !== nodesVisited).toBe(isMoved);
  }
});
