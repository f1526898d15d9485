import { Box3, type Object3D, Scene } from 'three';
import { expect, onTestFinished } from 'vitest';
import {
  type AcceleratedScene,
  type AccelerateOptions,
  accelerate,
  SceneIndex,
  type SceneIndexOptions,
} from '../../src/index.js';

/** A scene index that is disposed when the test is over. */
export function indexed(root: Object3D, options?: SceneIndexOptions): SceneIndex {
  const index = new SceneIndex(root, options);
  onTestFinished(() => index.dispose());
  return index;
}

/** The index of an accelerated scene, disposed when the test is over. */
export function accelerated(scene: Scene, options?: AccelerateOptions): AcceleratedScene {
  const index = accelerate(scene, options);
  onTestFinished(() => index.dispose());
  return index;
}

/** A scene index of a new scene that holds these objects. */
export function indexOf(...objects: Object3D[]): SceneIndex {
  return new SceneIndex(new Scene().add(...objects));
}

/** The index, brought up to date. */
export function updated(index: SceneIndex): SceneIndex {
  index.update();
  return index;
}

/** The bounds that an index has of an object; fails without any. */
export function boxOf(index: SceneIndex, object: Object3D): Box3 {
  const box = index.getBox(object, new Box3());
  expect(box, `${object.type} has no box`).not.toBeNull();
  return box as Box3;
}

/** All objects that an index has bounds of, with these, in the order of the walk. */
export function entriesOf(index: SceneIndex): { object: Object3D; box: Box3 }[] {
  const all: { object: Object3D; box: Box3 }[] = [];
  index.root.traverse((object) => {
    const box = index.getBox(object, new Box3());
    if (box) all.push({ object, box });
  });
  return all;
}
