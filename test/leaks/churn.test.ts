import { Group, type Mesh, type Object3D, Scene } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { accelerate, createIndex, PairTracker, type StructureName, stats, VisibilityTracker } from '../../src/index.js';
import { Hits, IdList, STRUCTURES } from '../../src/standalone.js';
import { eye } from '../helpers/cameras.js';
import { bytesKept } from '../helpers/garbage.js';
import { random } from '../helpers/random.js';
import { boxMesh } from '../helpers/scene.js';
import { validate } from '../helpers/validate.js';
import { validateScene } from '../helpers/validateScene.js';

/** Bytes that an operation may leave behind: 0.25 MiB for a million of them. */
const BYTES_PER_OPERATION = (0.25 * 2 ** 20) / 1e6;
const OPERATIONS = 24_000;
/** Pools may grow in one round or another; what leaks grows in each. */
const ROUNDS = 3;

/** Makes something, and returns a function that adds, moves and removes that many times. */
type Churn = [label: string, make: () => () => void];

const next = random(8);
const box = new Float64Array(6);
const place = (): Float64Array => {
  for (let c = 0; c < 3; c++) {
    box[c] = next() * 500;
    box[c + 3] = box[c] + next() * 3;
  }
  return box;
};

function churnOfStructure(name: StructureName): () => void {
  const index = createIndex(name);
  const ids: number[] = [];
  for (let i = 0; i < 500; i++) ids.push(index.add(place()));
  const list = new IdList();
  const hits = new Hits();
  return () => {
    for (let i = 0; i < OPERATIONS; i += 6) {
      const k = Math.floor(next() * ids.length);
      index.remove(ids[k]);
      ids[k] = index.add(place());
      index.update(ids[Math.floor(next() * ids.length)], place());
      index.update(ids[Math.floor(next() * ids.length)], place());
      index.queryBox(place(), list);
      index.nearest(box[0], box[1], box[2], 3, Number.POSITIVE_INFINITY, hits);
    }
    expect(validate(index)).toEqual([]);
  };
}

function churnOfScene(): () => void {
  const camera = eye(0, 0, 100);
  const group = new Group();
  const scene = new Scene().add(group);
  const index = accelerate(scene);
  const visibility = new VisibilityTracker(index, camera);
  const pairs = new PairTracker(index);
  const seen: Object3D[] = [];
  const look = (): void => {
    index.update();
    index.cull(camera, seen);
    visibility.update();
    pairs.update();
  };
  return () => {
    for (let i = 0; i < OPERATIONS; i += 4) {
      const mesh = boxMesh(next() * 100 - 50, next() * 100 - 50, next() * 100 - 50);
      (i % 8 === 0 ? scene : group).add(mesh);
      const some = group.children[Math.floor(next() * group.children.length)];
      some?.position.set(next() * 100 - 50, next() * 100 - 50, next() * 100 - 50);
      if (group.children.length > 50) group.remove(some as Mesh);
      if (scene.children.length > 50) scene.remove(scene.children[1 + Math.floor(next() * 49)]);
      if (i % 80 === 0) look();
    }
    look();
    expect(validateScene(index)).toEqual([]);
  };
}

/** All structures together: what any of them leaks is seen, and each look at the memory takes some seconds. */
function churnOfStructures(): () => void {
  const churns = STRUCTURES.map(churnOfStructure);
  return () => {
    for (const run of churns) run();
  };
}

const CHURNS: Churn[] = [
  ['all structures', churnOfStructures],
  ['an accelerated scene', churnOfScene],
];

/** What leaks at every hundredth operation. */
const LEAKS: Churn[] = [
  ['a small object', () => leak((i) => ({ i }))],
  ['a typed array', () => leak((i) => new Float64Array(1).fill(i))],
];

const isLeak = (label: string): boolean => LEAKS.some(([leaking]) => leaking === label);

function leak(make: (i: number) => unknown): () => void {
  const kept: unknown[] = [];
  return () => {
    for (let i = 0; i < OPERATIONS; i += 100) kept.push(make(i));
  };
}

/** Bytes that an operation leaves behind, by label: the least of some rounds. */
const kept = new Map<string, number>();

beforeAll(async () => {
  let churns = [...CHURNS, ...LEAKS].map(([label, make]) => ({ label, run: make() }));
  for (const { run } of churns) run();
  for (let round = 0; round < ROUNDS && churns.length > 0; round++) {
    const bytes = await bytesKept(churns.map(({ run }) => run));
    churns.forEach(({ label }, i) => {
      kept.set(label, Math.min(kept.get(label) ?? Number.POSITIVE_INFINITY, bytes[i] / OPERATIONS));
    });
    // Those that leak would do so in every round.
    churns = churns.filter(({ label }) => !isLeak(label) && (kept.get(label) as number) > BYTES_PER_OPERATION);
  }
});

describe('a million operations', () => {
  it.each(CHURNS)('leave at most 0.25 MiB behind in %s', (label) => {
    expect(kept.get(label)).toBeLessThanOrEqual(BYTES_PER_OPERATION);
  });

  it.each(LEAKS)('that leave %s behind at every hundredth are noticed', (label) => {
    expect(kept.get(label)).toBeGreaterThan(BYTES_PER_OPERATION);
  });
});

describe.each(STRUCTURES)('%s', (name) => {
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
