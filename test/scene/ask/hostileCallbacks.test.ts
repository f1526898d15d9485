import { type Object3D, Scene, Vector2 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  type Classification,
  classify,
  createIndex,
  LooseOctree,
  PairTracker,
  queryScreen,
  SceneIndex,
} from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { random } from '../../helpers/random.js';
import { boxMesh, rowOfBoxes } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** A camera that sees all, and one that sees a part. */
const ALL = eye(0, 0, 60, { fov: 90 });
const PART = eye(10, 0, 60, { fov: 20, lookAt: [10, 0, 0] });
const LOW = new Vector2(-1, -1);
const HIGH = new Vector2(1, 1);

/** A scene in which looking at whether an object is visible calls `peek`, once an object. */
function watchful(peek: (index: SceneIndex, object: Object3D) => void): SceneIndex {
  const next = random(3);
  const scene = new Scene();
  for (let i = 0; i < 43; i++) scene.add(boxMesh(next() * 60 - 30, next() * 60 - 30, 0));
  const index = new SceneIndex(scene, { structure: new LooseOctree({ capacity: 4 }) });
  // Ids with gaps are others in the next structure.
  scene.remove(...scene.children.slice(0, 3));
  for (const object of [...scene.children]) {
    let looks = 0;
    const get = () => {
      if (looks++ === 0) peek(index, object);
      return true;
    };
    Object.defineProperty(object, 'visible', { get });
  }
  return index;
}

const classified = (index: SceneIndex, camera = ALL): Classification => {
  const lists = { inside: [], intersecting: [], culled: [] };
  classify(index, camera, lists);
  return lists;
};

const QUERIES = Object.entries<(index: SceneIndex) => Object3D[]>({
  cull: (index) => index.cull(ALL),
  queryScreen: (index) => queryScreen(index, ALL, LOW, HIGH),
  'queryScreen contain': (index) => queryScreen(index, ALL, LOW, HIGH, 'contain'),
  classify: (index) => {
    const { inside, intersecting, culled } = classified(index);
    expect(culled).toEqual([]);
    return [...inside, ...intersecting];
  },
});

describe.each(QUERIES)('a getter that is called in the midst of %s', (_name, query) => {
  const want = (): string[] => query(watchful(() => {})).map(({ position }) => position.toArray().join());
  const got = (peek: (index: SceneIndex, object: Object3D) => void): string[] => {
    const index = watchful(peek);
    const found = query(index).map(({ position }) => position.toArray().join());
    expect(validateScene(index)).toEqual([]);
    return found;
  };

  it('may ask with another camera', () => {
    const peek = (index: SceneIndex): void => {
      const seen = index.cull(PART);
      expect(seen.length).toBeLessThan(20);
      const lists = classified(index, PART);
      expect(lists.inside.length + lists.intersecting.length + (lists.culled?.length ?? 0)).toBe(index.size);
      queryScreen(index, PART, LOW, HIGH);
    };
    expect(got(peek)).toEqual(want());
  });

  it('may replace the structure', () => {
    const names = ['octree', 'bvh', 'grid'] as const;
    let calls = 0;
    expect(got((index) => index.setStructure(createIndex(names[calls++ % 3])))).toEqual(want());
  });

  it('may remove objects', () => {
    const peek = (index: SceneIndex, object: Object3D): void => {
      const { children } = index.root;
      const other = children[(children.indexOf(object) + 7) % children.length];
      other?.removeFromParent();
    };
    expect(got(peek).length).toBeGreaterThan(0);
  });

  it('may throw', () => {
    const index = watchful(() => {
      throw new Error('mine');
    });
    for (let i = 0; i < 40; i++) expect(() => query(index)).toThrow('mine');
    expect(query(index)).toHaveLength(40);
  });
});

it('pairs are told although getters of layers remove objects', () => {
  const scene = rowOfBoxes(40, 0.5);
  const index = new SceneIndex(scene);
  for (const [i, object] of [...scene.children].entries()) {
    const { layers } = object;
    const behind = scene.children[(i + 1) % 40];
    const get = () => behind.removeFromParent() && layers;
    Object.defineProperty(object, 'layers', { get });
  }
  const tracker = new PairTracker(index);
  tracker.update();
  expect(tracker.entered.length).toBeGreaterThan(0);
  expect(validateScene(index)).toEqual([]);
});
