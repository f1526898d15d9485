import { type EventDispatcher, type Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { findPairs, PairTracker, SceneIndex, VisibilityTracker } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { countAlive } from '../helpers/garbage.js';
import { boxMesh } from '../helpers/scene.js';

interface Tracker extends EventDispatcher<{ enter: object; leave: object }> {
  readonly size: number;
  readonly entered: readonly unknown[];
  readonly left: readonly unknown[];
  update(): void;
  dispose(): void;
}

interface Kind {
  label: string;
  make(index: SceneIndex): Tracker;
  /** How many events so many boxes that touch each other, all in view, begin with. */
  eventsOf(boxes: number): number;
  /** True when the tracker knows all of them. */
  knows(tracker: Tracker, boxes: Object3D[]): boolean;
  /** What it would find now. */
  find(index: SceneIndex): unknown[];
}

const CAMERA = eye(0, 0, 5);

const KINDS: Kind[] = [
  {
    label: 'VisibilityTracker',
    make: (index) => new VisibilityTracker(index, CAMERA) as Tracker,
    eventsOf: (boxes) => boxes,
    knows: (tracker, boxes) =>
      boxes.every((box) => {
        const { isVisible, bandOf } = VisibilityTracker.prototype;
        return isVisible.call(tracker, box) && bandOf.call(tracker, box) === 0;
      }),
    find: (index) => index.cull(CAMERA),
  },
  {
    label: 'PairTracker',
    make: (index) => new PairTracker(index) as Tracker,
    eventsOf: (boxes) => (boxes * (boxes - 1)) / 2,
    knows: (tracker, boxes) => tracker.size === (boxes.length * (boxes.length - 1)) / 2,
    find: (index) => findPairs(index),
  },
];

describe.each(KINDS)('a $label', ({ label, make, eventsOf, knows, find }) => {
  function stage(boxes: number) {
    const meshes = Array.from({ length: boxes }, (_, i) => boxMesh(i / 10));
    const scene = new Scene().add(...meshes);
    const index = new SceneIndex(scene);
    const tracker = make(index);
    const log: string[] = [];
    for (const type of ['enter', 'leave'] as const) tracker.addEventListener(type, () => log.push(type));
    /** The events of an update. */
    const step = (): string[] => {
      index.update();
      log.length = 0;
      tracker.update();
      return [...log];
    };
    return { meshes, scene, index, tracker, log, step };
  }

  it('is in order although listeners throw, and fires for the others all the same', () => {
    const { index, meshes } = stage(6);
    const all = eventsOf(6);
    for (let at = 1; at <= all; at++) {
      const tracker = make(index);
      const during: boolean[] = [];
      tracker.addEventListener('enter', () => {
        if (during.push(knows(tracker, meshes)) >= at) throw new Error(`mine ${during.length}`);
      });
      expect(() => tracker.update()).toThrow(`mine ${at}`);
      expect(during).toEqual(Array(all).fill(true));
      expect(tracker.size).toBe(all);
      expect(() => tracker.update()).not.toThrow();
      expect(during).toHaveLength(all);
    }
  });

  it('lets listeners edit the scene and ask, but not call it again', () => {
    const { scene, index, meshes, tracker, step } = stage(2);
    const other = make(index);
    const found: number[] = [];
    tracker.addEventListener('enter', () => {
      expect(() => tracker.update()).toThrow(`${label}.update: must not be called by one of its own listeners`);
      found.push(find(index).length);
      scene.remove(...meshes);
      index.update();
      other.update();
    });
    const all = eventsOf(2);
    expect(step()).toEqual(Array(all).fill('enter'));
    expect(found).toEqual([all, 0].slice(0, all));
    expect([tracker.size, other.size, find(index)]).toEqual([all, 0, []]);
    expect(step()).toEqual(Array(all).fill('leave'));
    scene.add(...meshes);
    expect(step()).toEqual(Array(all).fill('enter'));
  });

  it('tells nothing more once disposed, not even what it was about to tell', () => {
    const { tracker, meshes, log, step } = stage(3);
    tracker.addEventListener('enter', () => tracker.dispose());
    expect(step()).toEqual(['enter']);
    expect([tracker.size, tracker.entered, tracker.left, knows(tracker, meshes)]).toEqual([0, [], [], false]);
    tracker.dispose();
    expect(() => tracker.update()).toThrow(`${label}.update: the tracker was disposed`);
    expect(log).toHaveLength(1);
  });

  it('has all leave when the index was disposed, of which no other can be made', () => {
    const { index, tracker, log, step } = stage(2);
    step();
    index.dispose();
    log.length = 0;
    tracker.update();
    expect(log).toEqual(Array(eventsOf(2)).fill('leave'));
    expect(tracker.size).toBe(0);
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
      expect(step()).toEqual(Array(eventsOf(2)).fill('enter'));
      scene.remove(...extra);
      expect(step()).toEqual(Array(eventsOf(2)).fill('leave'));
      // The list of what left is kept until the next update.
      step();
      return extra.map((mesh) => new WeakRef(mesh));
    })();
    expect(await countAlive(gone)).toBe(0);
  });
});
