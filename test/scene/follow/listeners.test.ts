import { Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { boxMesh } from '../../helpers/scene.js';

const TYPES = ['childadded', 'childremoved', 'click', 'dispose'] as const;
type Listeners = Record<string, (() => void)[] | undefined>;
const tableOf = (object: Object3D): Listeners | undefined =>
  (object as unknown as { _listeners?: Listeners })._listeners;
const on = (object: Object3D, type: string, listener: () => void): void =>
  object.addEventListener(type as never, listener as never);
const off = (object: Object3D, type: string, listener: () => void): void =>
  object.removeEventListener(type as never, listener as never);
const fire = (object: Object3D, type: string): void => object.dispatchEvent({ type, child: new Object3D() } as never);

function makeScene(): { scene: Scene; objects: Object3D[] } {
  const scene = new Scene();
  const objects = Array.from({ length: 4 }, () => boxMesh());
  scene.add(...objects);
  return { scene, objects };
}

describe.each(TYPES)('a listener to %s', (type) => {
  it.each([
    ['before the index', true, false],
    ['after it', false, false],
    ['after it, beside a second index', false, true],
  ])('that was added %s is called for its own object alone, and goes when it is removed', (_when, before, twice) => {
    const { scene, objects } = makeScene();
    const calls: number[] = [];
    const listeners = objects.map((_, i) => (): void => void calls.push(i));
    // The last object has none.
    const add = (): void => {
      for (let i = 0; i < 3; i++) on(objects[i], type, listeners[i]);
    };
    if (before) add();
    const indices = [new SceneIndex(scene), ...(twice ? [new SceneIndex(scene)] : [])];
    if (!before) add();
    for (const object of objects) fire(object, type);
    expect(calls).toEqual([0, 1, 2]);
    off(objects[1], type, listeners[1]);
    for (const object of objects) fire(object, type);
    expect(calls).toEqual([0, 1, 2, 0, 2]);
    for (const index of indices) index.dispose();
    for (const object of objects) fire(object, type);
    expect(calls).toEqual([0, 1, 2, 0, 2, 0, 2]);
    expect(objects.map((object) => tableOf(object)?.[type]?.length ?? 0)).toEqual([1, 0, 1, 0]);
  });
});

it.each([0, 1, 2, 3])(
  'a child is heard of at an object that had %i others at first, and not after dispose',
  (count) => {
    const { scene, objects } = makeScene();
    for (let i = 0; i < count; i++) objects[0].add(boxMesh());
    const index = new SceneIndex(scene);
    const child = boxMesh();
    on(objects[1], 'click', () => {});
    for (const parent of [objects[0], objects[1]]) {
      parent.add(child);
      expect(index.has(child)).toBe(true);
      parent.remove(child);
      expect(index.has(child)).toBe(false);
    }
    index.dispose();
    objects[0].add(child);
    objects[1].add(child);
    expect(index.has(child)).toBe(false);
    expect(objects.map((object) => Object.keys(tableOf(object) ?? {}))).toEqual([[], ['click'], [], []]);
  },
);

it('an object that is sealed while it is followed has no listener of ours after dispose', () => {
  const { scene, objects } = makeScene();
  const index = new SceneIndex(scene);
  Object.seal(objects[0]);
  index.dispose();
  objects[0].add(boxMesh());
  expect(tableOf(objects[0])?.childadded ?? []).toEqual([]);
});
