import { Box3, Group, Layers, type Mesh, type Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { createIndex, PairTracker, type PairTrackerOptions, SceneIndex, STRUCTURES } from '../../src/index.js';
import { entriesOf } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';

const KINDS = ['enter', 'stay', 'leave'] as const;

const keyOf = (a: Object3D, b: Object3D): string => [a.id, b.id].sort((x, y) => x - y).join(' ');

/** Collects what the tracker fires, in the order in which it does: kind and both objects. */
function listen(tracker: PairTracker): string[] {
  const log: string[] = [];
  for (const kind of KINDS)
    tracker.addEventListener(kind, ({ type, a, b }) => {
      expect(type).toBe(kind);
      log.push(`${kind} ${keyOf(a, b)}`);
    });
  return log;
}

/** The pairs there must be: by the bounds of every two objects, their masks and their rest. */
function bruteForce(index: SceneIndex, masks: Map<Object3D, Layers>, resting: Set<Object3D>): Set<string> {
  const all = entriesOf(index);
  const keys = new Set<string>();
  for (const [i, { object: a, box: boxA }] of all.entries()) {
    for (const { object: b, box: boxB } of all.slice(i + 1)) {
      const meet = (masks.get(a) ?? a.layers).test(b.layers) && (masks.get(b) ?? b.layers).test(a.layers);
      if (meet && boxA.intersectsBox(boxB) && !(resting.has(a) && resting.has(b))) keys.add(keyOf(a, b));
    }
  }
  return keys;
}

function mask(...numbers: number[]): Layers {
  const layers = new Layers();
  layers.disableAll();
  for (const n of numbers) layers.enable(n);
  return layers;
}

describe.each(STRUCTURES)('pairs of a scene in motion, in %s,', (structure) => {
  it.each([1, 2, 3])('enter, stay and leave as by brute force, seed %i', (seed) => {
    const next = random(seed);
    const group = new Group();
    const scene = new Scene().add(group);
    const at = (): number => next() * 6;
    const make = (): Mesh => boxMesh(at(), at(), at(), 0.5 + next());
    const meshes = Array.from({ length: 40 }, make);
    scene.add(...meshes);
    const index = new SceneIndex(scene, { structure: createIndex(structure, { capacity: 3 }) });
    const tracker = new PairTracker(index);
    const log = listen(tracker);
    const masks = new Map<Object3D, Layers>();
    const resting = new Set<Object3D>();
    let before = new Set<string>();
    const counts = { enter: 0, stay: 0, leave: 0 };
    for (let round = 0; round < 80; round++) {
      for (let step = 0; step < 6; step++) {
        const k = Math.floor(next() * meshes.length);
        const mesh = meshes[k];
        const what = next();
        if (what < 0.45) mesh.position.set(at(), at(), at());
        else if (what < 0.55) mesh.layers.set(Math.floor(next() * 3));
        else if (what < 0.65) {
          const own = next() < 0.4 ? null : mask(0, Math.floor(next() * 3));
          tracker.setMask(mesh, own);
          if (own) masks.set(mesh, own);
          else masks.delete(mesh);
        } else if (what < 0.75) {
          // One goes and another comes, which may take over its id.
          mesh.removeFromParent();
          masks.delete(mesh);
          resting.delete(mesh);
          tracker.setMask(mesh, null);
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
      const now = bruteForce(index, masks, resting);
      log.length = 0;
      tracker.update();
      const expected = [
        ...[...before].filter((key) => !now.has(key)).map((key) => `leave ${key}`),
        ...[...now].map((key) => `${before.has(key) ? 'stay' : 'enter'} ${key}`),
      ];
      expect([...log].sort(), `round ${round}`).toEqual(expected.sort());
      expect(tracker.size).toBe(now.size);
      const listed = [
        ...tracker.left.map(({ a, b }) => `leave ${keyOf(a, b)}`),
        ...tracker.entered.map(({ a, b }) => `enter ${keyOf(a, b)}`),
      ];
      expect(listed).toEqual(log.filter((line) => !line.startsWith('stay')));
      // Ends come first, then beginnings.
      expect(log.map((line) => line.split(' ')[0])).toEqual(
        log.map((line) => line.split(' ')[0]).sort((a, b) => ORDER[a] - ORDER[b]),
      );
      for (const line of log) counts[line.split(' ')[0] as 'enter']++;
      before = now;
    }
    expect(Math.min(counts.enter, counts.stay, counts.leave)).toBeGreaterThan(50);
  });
});

const ORDER: { [kind: string]: number } = { leave: 0, enter: 1, stay: 2 };

describe('a pair tracker', () => {
  function two(options?: PairTrackerOptions) {
    const [a, b] = [boxMesh(), boxMesh(0.5)];
    const scene = new Scene().add(a, b);
    const index = new SceneIndex(scene);
    const tracker = new PairTracker(index, options);
    const log = listen(tracker);
    const step = (): string[] => {
      index.update();
      log.length = 0;
      tracker.update();
      return log.map((line) => line.split(' ')[0]);
    };
    return { scene, index, tracker, a, b, log, step };
  }

  it('tells of touching, and nothing before its first update', () => {
    const { tracker, a, b, step, log } = two();
    expect([tracker.size, log]).toEqual([0, []]);
    expect(step()).toEqual(['enter']);
    expect(step()).toEqual(['stay']);
    b.position.x = 1;
    expect(step()).toEqual(['stay']);
    b.position.x = 1.01;
    expect(step()).toEqual(['leave']);
    expect(step()).toEqual([]);
    a.position.x = 0.5;
    expect(step()).toEqual(['enter']);
  });

  it('goes by layers as they are now, although nothing moved', () => {
    const { tracker, a, b, step } = two();
    expect(step()).toEqual(['enter']);
    a.layers.set(1);
    expect(step()).toEqual(['leave']);
    b.layers.enable(1);
    expect(step()).toEqual(['enter']);
    // The mask of each must meet the layers of the other; nothing of it is left on the object.
    const keys = Object.keys(a);
    tracker.setMask(a, mask(5));
    expect(Object.keys(a)).toEqual(keys);
    expect(step()).toEqual(['leave']);
    b.layers.enable(5);
    expect(step()).toEqual(['enter']);
    tracker.setMask(b, mask(0));
    expect(step()).toEqual(['leave']);
    const copied = mask(1);
    tracker.setMask(b, copied);
    copied.set(9);
    expect(step()).toEqual(['enter']);
    tracker.setMask(a, null);
    tracker.setMask(b, null);
    expect(step()).toEqual(['stay']);
  });

  it('does not pair what rests with what rests, unless told to', () => {
    for (const staticPairs of [false, true]) {
      const { index, a, b, step } = two({ staticPairs });
      index.setStatic(a);
      expect(step()).toEqual(['enter']);
      index.setStatic(b);
      expect(step()).toEqual([staticPairs ? 'stay' : 'leave']);
      index.setStatic(a, false);
      expect(step()).toEqual([staticPairs ? 'stay' : 'enter']);
    }
  });

  it('searches only when the index changed', () => {
    const { index, tracker, a, step } = two();
    const far = new Box3().setFromObject(boxMesh(500));
    step();
    for (const isMoved of [false, true]) {
      if (isMoved) a.position.x = 0.1;
      index.update();
      index.queryBox(far);
      const { nodesVisited } = index.counters;
      tracker.update();
      expect(index.counters.nodesVisited !== nodesVisited).toBe(isMoved);
    }
  });
});
