import { Box3, Group, type Mesh, type Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, type ObjectPair, PairTracker, SceneIndex, STRUCTURES } from '../../src/index.js';
import { entriesOf, indexOf } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';

const keyOf = (a: Object3D, b: Object3D): string => [a.id, b.id].sort((x, y) => x - y).join(' ');

const keysOf = (pairs: readonly ObjectPair[]): string[] => pairs.map(({ a, b }) => keyOf(a, b)).sort();

/** The pairs there must be: by the bounds of every two objects, their layers and their rest. */
function bruteForce(index: SceneIndex, resting: Set<Object3D>): Set<string> {
  const all = entriesOf(index);
  const keys = new Set<string>();
  for (const [i, { object: a, box: boxA }] of all.entries()) {
    for (const { object: b, box: boxB } of all.slice(i + 1)) {
      if (a.layers.test(b.layers) && boxA.intersectsBox(boxB) && !(resting.has(a) && resting.has(b)))
        keys.add(keyOf(a, b));
    }
  }
  return keys;
}

describe.each(STRUCTURES)('pairs of a scene in motion, in %s,', (structure) => {
  it.each([1, 2, 3])('come and go as by brute force, seed %i', (seed) => {
    const next = random(seed);
    const group = new Group();
    const scene = new Scene().add(group);
    const at = (): number => next() * 6;
    const make = (): Mesh => boxMesh(at(), at(), at(), 0.5 + next());
    const meshes = Array.from({ length: 40 }, make);
    scene.add(...meshes);
    const index = new SceneIndex(scene, { structure: createIndex(structure, { capacity: 3 }) });
    const tracker = new PairTracker(index);
    const resting = new Set<Object3D>();
    let before = new Set<string>();
    const counts = { entered: 0, stayed: 0, left: 0 };
    for (let round = 0; round < 80; round++) {
      for (let step = 0; step < 6; step++) {
        const k = Math.floor(next() * meshes.length);
        const mesh = meshes[k];
        const what = next();
        if (what < 0.45) mesh.position.set(at(), at(), at());
        else if (what < 0.6) mesh.layers.set(Math.floor(next() * 3));
        else if (what < 0.65) mesh.layers.enable(Math.floor(next() * 3));
        else if (what < 0.75) {
          // One goes and another comes, which may take over its id.
          mesh.removeFromParent();
          resting.delete(mesh);
          meshes[k] = make();
          scene.add(meshes[k]);
        } else if (what < 0.85) (mesh.parent === scene ? group : scene).attach(mesh);
        else if (what < 0.95) {
          index.setStatic(mesh, !resting.has(mesh));
          if (!resting.delete(mesh)) resting.add(mesh);
        } else {
          index.setStructure(createIndex(STRUCTURES[Math.floor(next() * STRUCTURES.length)], { capacity: 3 }));
        }
        // A new parent is not static, so neither is what comes to it.
        if (mesh.parent && resting.has(mesh) && what >= 0.75 && what < 0.85) resting.delete(mesh);
      }
      if (next() < 0.1) group.position.x += next();
      // Objects at rest go by where they were when they were last looked at.
      index.update();
      const now = bruteForce(index, resting);
      tracker.update();
      const entered = [...now].filter((key) => !before.has(key));
      const left = [...before].filter((key) => !now.has(key));
      expect(keysOf(tracker.pairs), `round ${round}`).toEqual([...now].sort());
      expect(keysOf(tracker.entered)).toEqual(entered.sort());
      expect(keysOf(tracker.left)).toEqual(left.sort());
      counts.entered += entered.length;
      counts.left += left.length;
      counts.stayed += now.size - entered.length;
      before = now;
    }
    expect(Math.min(counts.entered, counts.stayed, counts.left)).toBeGreaterThan(50);
  });
});

it('a pair tracker tells of no pair of which a getter of another object has taken one away', () => {
  const [a, b, last] = [boxMesh(), boxMesh(0.5), boxMesh(0.2)];
  const index = indexOf(a, b, last);
  const tracker = new PairTracker(index);
  expect(tracker.pairs).toEqual([]);
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
  const [a, far] = [boxMesh(), new Box3().setFromObject(boxMesh(500))];
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
