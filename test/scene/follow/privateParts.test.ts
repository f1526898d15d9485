import { BatchedMesh, Box3, BoxGeometry, EventDispatcher, Matrix4, MeshBasicMaterial, Scene, Vector3 } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { updated } from '../../helpers/indexed.js';
import { boxMesh } from '../../helpers/scene.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

const boxAt = (x: number): Box3 => new Box3().setFromCenterAndSize(new Vector3(x, 0, 0), new Vector3(0.5, 0.5, 0.5));

/** A library that was loaded just now, and has not looked at three yet. */
const load = () => import('../../../src/index.js');

it('children are noticed where three keeps its listeners elsewhere', async () => {
  vi.resetModules();
  const lists = new WeakMap<object, Map<string, Set<(event: object) => void>>>();
  const listOf = (target: object, type: string) => {
    const types = lists.get(target) ?? new Map();
    lists.set(target, types);
    if (!types.has(type)) types.set(type, new Set());
    return types.get(type) as Set<(event: object) => void>;
  };
  const proto = EventDispatcher.prototype as EventDispatcher<{ [type: string]: object }>;
  vi.spyOn(proto, 'addEventListener').mockImplementation(function (this: object, type, listener) {
    listOf(this, type as string).add(listener as never);
  });
  vi.spyOn(proto, 'removeEventListener').mockImplementation(function (this: object, type, listener) {
    listOf(this, type as string).delete(listener as never);
  });
  vi.spyOn(proto, 'dispatchEvent').mockImplementation(function (this: object, event) {
    for (const listener of listOf(this, event.type)) listener(Object.assign(event, { target: this }));
  });
  const { SceneIndex } = await load();
  const scene = new Scene();
  const index = new SceneIndex(scene);
  const mesh = boxMesh();
  scene.add(mesh);
  expect(updated(index).size).toBe(1);
  scene.remove(mesh);
  expect(index.size).toBe(0);
  scene.add(mesh);
  index.dispose();
  expect(
    [scene, mesh].flatMap((object) => [...listOf(object, 'childadded'), ...listOf(object, 'childremoved')]),
  ).toEqual([]);
  expect(Object.hasOwn(scene, '_listeners')).toBe(false);
});

it('instances of a batch are followed where three keeps their matrices elsewhere', async () => {
  const { SceneIndex } = await load();
  const batch = new BatchedMesh(4, 100, 200, new MeshBasicMaterial());
  const instance = batch.addInstance(batch.addGeometry(new BoxGeometry()));
  const scene = new Scene().add(batch);
  let hidden = true;
  const holder = batch as unknown as { _matricesTexture: unknown; _elsewhere: unknown };
  const elsewhere = holder._matricesTexture;
  Object.defineProperty(batch, '_matricesTexture', { get: () => (hidden ? undefined : elsewhere), set: () => {} });

  vi.spyOn(batch, 'computeBoundingBox').mockImplementation(function (this: BatchedMesh) {
    hidden = false;
    BatchedMesh.prototype.computeBoundingBox.call(this);
    hidden = true;
  });
  const index = new SceneIndex(scene);
  for (const x of [3, 8, -5]) {
    hidden = false;
    batch.setMatrixAt(instance, new Matrix4().makeTranslation(x, 0, 0));
    hidden = true;
    expect(updated(index).queryBox(boxAt(x))).toEqual([batch]);
  }
  index.dispose();
});
