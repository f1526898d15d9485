import { type Object3D, Scene } from 'three';
import { onTestFinished } from 'vitest';
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

/** The index of an accelerated scene, which is disposed when the test is over. */
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
