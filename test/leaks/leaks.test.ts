import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import {
  accelerate,
  classify,
  createIndex,
  findPairs,
  PairTracker,
  SceneIndex,
  SceneIndexHelper,
  sweep,
  VisibilityTracker,
} from '../../src/index.js';
import { STRUCTURES } from '../../src/standalone.js';
import { eye } from '../helpers/cameras.js';
import { countAlive } from '../helpers/garbage.js';
import { random } from '../helpers/random.js';
import { allOf, mixedScene } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';

const CAMERA = eye(0, 0, 100);

/** Asks an index all that may remember an object. */
function askAll(index: SceneIndex): void {
  const everywhere = new THREE.Box3(new THREE.Vector3(-1e4, -1e4, -1e4), new THREE.Vector3(1e4, 1e4, 1e4));
  index.update();
  index.cull(CAMERA);
  classify(index, CAMERA, { inside: [], intersecting: [], culled: [] });
  index.queryBox(everywhere);
  index.nearest(new THREE.Vector3(), 10);
  findPairs(index);
  sweep(index, everywhere, new THREE.Vector3(1, 0, 0));
  const ray = new THREE.Raycaster(new THREE.Vector3(-1e3, 0, 0), new THREE.Vector3(1, 0, 0));
  ray.camera = CAMERA;
  index.raycast(ray);
  index.raycastFirst(ray);
  ray.intersectObject(index.root);
}

const MAKERS: [label: string, make: (scene: THREE.Scene) => SceneIndex][] = [
  ...STRUCTURES.map((structure): [string, (scene: THREE.Scene) => SceneIndex] => [
    structure,
    (scene) => new SceneIndex(scene, { structure: createIndex(structure) }),
  ]),
  ['an accelerated scene', (scene) => accelerate(scene)],
];

/** What holds objects is the same for all structures. */
const SOME = MAKERS.filter(([label]) => /looseOctree|accelerated/.test(label));

describe.each(SOME)('of what was removed from %s', (_label, make) => {
  it('nothing is alive: 10,000 objects, their geometries and materials', async () => {
    const scene = new THREE.Scene();
    const index = make(scene);
    const visibility = new VisibilityTracker(index, CAMERA);
    const pairs = new PairTracker(index);
    const helper = new SceneIndexHelper(index);
    const next = random(3);
    // A function of its own, whose variables are gone afterwards.
    const comeAndGo = (way: number): WeakRef<object>[] => {
      const group = new THREE.Group();
      scene.add(group);
      const refs: WeakRef<object>[] = [new WeakRef(group)];
      for (let i = 0; i < 2500; i++) {
        const [geometry, material] = [new THREE.BoxGeometry(), new THREE.MeshBasicMaterial()];
        const mesh = new THREE.Mesh(geometry, material);
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
      // Helpers, and what is left out, are known though they are not followed.
      const [left, ...helpers] = [group.children[way], ...[0, 1].map(() => new SceneIndexHelper(index))];
      scene.add(helpers[0]);
      group.add(helpers[1]);
      index.update();
      index.remove(left);
      refs.push(...helpers.map((each) => new WeakRef(each)));
      scene.remove(helpers[0]);
      if (way === 0) group.removeFromParent();
      else if (way === 1) scene.clear();
      else if (way === 2) for (const child of [...group.children]) group.remove(child);
      else index.remove(group);
      group.removeFromParent();
      return refs;
    };
    const refs = [0, 1, 2, 3].flatMap(comeAndGo);
    expect(refs.length).toBe(4 * (3 + 3 * 2500));
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
    const kept = new THREE.Scene();
    const use = (scene: THREE.Scene, isDisposed: boolean): WeakRef<object>[] => {
      scene.add(new THREE.Mesh(new THREE.BoxGeometry()));
      const index = make(scene);
      askAll(index);
      if (isDisposed) index.dispose();
      return [new WeakRef(index), new WeakRef(scene)];
    };
    const [disposed] = use(kept, true);
    const dropped = use(new THREE.Scene(), false);
    expect(await countAlive([disposed, ...dropped])).toBe(0);
    expect(kept.children).toHaveLength(1);
  });

  it.each(MAKERS)('leaves no listener and no property behind: %s', (_label, make) => {
    const scene = mixedScene(random(12), 120);
    const all = allOf(scene);
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
    new VisibilityTracker(index, CAMERA).update();
    new PairTracker(index).update();
    askAll(index);
    expect(tell()).not.toEqual(before);
    index.dispose();
    expect(tell()).toEqual(before);
  });
});
