import { Object3D, Scene } from 'three';
import { expect, it } from 'vitest';
import { Hierarchy } from '../../../src/scene/follow/Hierarchy.js';

/** A scene, and the parents that were told of a child so far, once for each time. */
function followed(): { scene: Scene; hierarchy: Hierarchy; told: Object3D[] } {
  const scene = new Scene();
  const told: Object3D[] = [];
  const hierarchy = new Hierarchy(scene, {
    followed: () => {},
    tracked: () => {},
    untracked: () => {},
    childAdded: ({ object }) => told.push(object),
    childCounted: () => {},
  });
  hierarchy.track(scene);
  return { scene, hierarchy, told };
}

it('a parent is told once of each child', () => {
  const { scene, told } = followed();
  const child = new Object3D();
  scene.add(child);
  expect(told).toEqual([scene]);
  child.add(new Object3D(), new Object3D());
  expect(told).toEqual([scene, child, child]);
  const [branch, leaf] = [new Object3D(), new Object3D()];
  child.add(branch.add(leaf));
  expect(told.slice(3)).toEqual([child, branch]);
  scene.attach(leaf);
  expect(told.slice(5)).toEqual([scene]);
});

it('and of those that are not followed', () => {
  const { scene, told } = followed();
  scene.add(Object.assign(new Object3D(), { isSceneIndexHelper: true }));
  expect(told).toEqual([scene]);
});

it('and of those that were put there by hand', () => {
  const { scene, hierarchy, told } = followed();
  const child = new Object3D();
  scene.children.push(child);
  child.parent = scene;
  hierarchy.reconcile(hierarchy.records.get(scene) as never);
  expect(told).toEqual([scene]);
});
