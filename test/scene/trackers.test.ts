import { Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { PairTracker, SceneIndex, VisibilityTracker } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { countAlive } from '../helpers/garbage.js';
import { boxMesh } from '../helpers/scene.js';

interface Kind {
  label: string;
  make(index: SceneIndex): VisibilityTracker | PairTracker;
  /** How many it tracks of so many boxes that touch each other, all in view. */
  countOf(boxes: number): number;
}

const CAMERA = eye(0, 0, 5);

const KINDS: Kind[] = [
  { label: 'VisibilityTracker', make: (index) => new VisibilityTracker(index, CAMERA), countOf: (boxes) => boxes },
  { label: 'PairTracker', make: (index) => new PairTracker(index), countOf: (boxes) => (boxes * (boxes - 1)) / 2 },
];

/** All that a tracker tracks, what has come, and what has gone. */
const listsOf = (tracker: VisibilityTracker | PairTracker): (readonly unknown[])[] => {
  const all = tracker instanceof PairTracker ? tracker.pairs : tracker.visible;
  return [all, tracker.entered, tracker.left];
};

describe.each(KINDS)('a $label', ({ label, make, countOf }) => {
  function stage(boxes: number) {
    const meshes = Array.from({ length: boxes }, (_, i) => boxMesh(i / 10));
    const scene = new Scene().add(...meshes);
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
