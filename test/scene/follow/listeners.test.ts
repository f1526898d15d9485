import { Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { boxMesh } from '../../helpers/scene.js';

const TYPES = ['childadded', 'childremoved', 'click', 'dispose'] as const;
// With types of event that three knows nothing of, and lists that it calls private.
interface Heard {
  _listeners?: Record<string, unknown[] | undefined>;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
  dispatchEvent(event: object): void;
}
const heard = (object: Object3D): Heard => object as unknown as Heard;
const listOf = (object: Object3D, type: string): unknown[] => heard(object)._listeners?.[type] ?? [];

function makeScene(): { scene: Scene; objects: Object3D[] } {
  const objects = Array.from({ length: 4 }, () => boxMesh());
  return { scene: new Scene().add(...objects), objects };
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
      for (let i = 0; i < 3; i++) heard(objects[i]).addEventListener(type, listeners[i]);
    };
    const called = (): number[] => {
      for (const object of objects) heard(object).dispatchEvent({ type, child: new Object3D() });
      return calls.splice(0);
    };
    if (before) add();
    const indices = [new SceneIndex(scene), ...(twice ? [new SceneIndex(scene)] : [])];
    if (!before) add();
    expect(called()).toEqual([0, 1, 2]);
    heard(objects[1]).removeEventListener(type, listeners[1]);
    expect(called()).toEqual([0, 2]);
    for (const index of indices) index.dispose();
    expect(called()).toEqual([0, 2]);
    expect(objects.map((object) => listOf(object, type).length)).toEqual([1, 0, 1, 0]);
  });
});

it.each([0, 1, 2, 3])(
  'a child is heard of at an object that had %i others at first, and not after dispose',
  (count) => {
    const { scene, objects } = makeScene();
    for (let i = 0; i < count; i++) objects[0].add(boxMesh());
    const index = new SceneIndex(scene);
    const child = boxMesh();
    heard(objects[1]).addEventListener('click', () => {});
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
    expect(objects.map((object) => Object.keys(heard(object)._listeners ?? {}))).toEqual([[], ['click'], [], []]);
  },
);

it('an object that is sealed while it is followed has no listener of ours after dispose', () => {
  const { scene, objects } = makeScene();
  const index = new SceneIndex(scene);
  Object.seal(objects[0]);
  index.dispose();
  objects[0].add(boxMesh());
  expect(listOf(objects[0], 'childadded')).toEqual([]);
});

it.each<[string, (index: SceneIndex, object: Object3D) => void]>([
  ['leaves', (_, object) => object.removeFromParent()],
  ['is left out', (index, object) => index.remove(object)],
  ['outlives the index', (index) => index.dispose()],
])(
  'an object that %s has no listeners, and the properties that it had: engines read it as fast as before',
  (_how, end) => {
    const { scene, objects } = makeScene();
    const index = new SceneIndex(scene);
    const names = Object.getOwnPropertyNames(objects[1]);
    expect(names).toContain('_listeners');
    end(index, objects[1]);
    expect(heard(objects[1])._listeners).toBeUndefined();
    expect(Object.getOwnPropertyNames(objects[1])).toEqual(names);
    expect(objects[1].hasEventListener('childadded' as never, () => {})).toBe(false);
  },
);
