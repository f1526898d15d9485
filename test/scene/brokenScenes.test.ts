import * as THREE from 'three';
import { Group, LOD, type Object3D, Raycaster, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, classify, explain, Octree, PairTracker, SceneIndex, stats } from '../../src/index.js';
import { Grid } from '../../src/standalone.js';
import { eye } from '../helpers/cameras.js';
import { accelerated, indexed, indexOf, updated } from '../helpers/indexed.js';
import { any } from '../helpers/refusals.js';
import { allOf, boxMesh, ownNames, rowOfBoxes, skinnedTower } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { catchWarnings } from '../helpers/warnings.js';

/** Nested three deep, with a LOD. */
function makeScene(): Scene {
  const scene = new Scene();
  for (let i = 0; i < 9; i++) scene.add(boxMesh(3 * i).add(new Group().add(boxMesh(1))));
  return scene.add(new LOD().addLevel(boxMesh(-9)));
}

/** What an index may put on objects: own properties, by name and kind, and the flags that three goes by. */
function tell(objects: Object3D[]): unknown {
  return objects.map((object) =>
    [object, object.layers].map((target) =>
      ownNames(target).map((name) => {
        const { get, enumerable, writable } = Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor;
        const isWanted = name === 'matrixWorldNeedsUpdate' && object[name];
        return [name, get === undefined, enumerable, writable, isWanted].join();
      }),
    ),
  );
}

const error = new Error('mine');
const fail = (): never => {
  throw error;
};
const warnings = catchWarnings();
const CAMERA = eye();
const deafness = ({ type, id, name }: Object3D): string =>
  `SceneIndex: ${type} ${id}${name && ` "${name}"`} is not extensible, so it cannot be listened to`;

const makers: [string, (scene: Scene) => SceneIndex][] = [
  ['new SceneIndex', (scene) => indexed(scene)],
  ['accelerate', (scene) => accelerated(scene)],
  ['accelerate with cullCasters', (scene) => accelerated(scene, { cullCasters: true })],
];

describe.each(makers)('%s that throws leaves nothing behind', (_label, make) => {
  it.each(['updateMatrixWorld', 'raycast', 'frustumCulled', 'static', 'children', 'position', 'parent'])(
    'for %s of an object, nor is the scene taken when that is right again',
    (name) => {
      const scene = makeScene();
      scene.updateMatrixWorld();
      const spoilt = scene.children[4];
      const own = Object.getOwnPropertyDescriptor(spoilt, name);
      const objects = allOf(scene);
      // A method that throws when it is called, or a getter.
      const how = name === 'updateMatrixWorld' ? { value: fail } : { get: fail };
      Object.defineProperty(spoilt, name, { configurable: true, ...how });
      const before = tell(objects);
      expect(() => make(scene)).toThrow(error);
      expect(tell(objects)).toEqual(before);
      if (own) Object.defineProperty(spoilt, name, own);
      else Reflect.deleteProperty(spoilt, name);
      expect(make(scene).size).toBe(19);
    },
  );

  it.each<[string, (scene: Scene) => Object3D]>([
    ['the root', (scene) => scene],
    ['another', (scene) => scene.children[3]],
  ])('for a cycle through %s, which it names', (_what, choose) => {
    const scene = makeScene();
    const cyclic = choose(scene);
    const objects = allOf(scene);
    // As `add` does for the root, without taking another out of the scene.
    cyclic.children[0].children[0].children.push(cyclic);
    const before = tell(objects);
    const message = `SceneIndex: ${cyclic.type} ${cyclic.id} is a descendant of itself`;
    expect(() => make(scene)).toThrow(new RangeError(message));
    expect(tell(objects)).toEqual(before);
  });
});

it.each<[string, (scene: Scene) => void]>([
  ['layers that are frozen', (scene) => Object.freeze(scene.layers)],
  ['children that stay', (scene) => Object.defineProperty(scene, 'children', { configurable: false })],
  ['an onBeforeRender that stays', (scene) => Object.defineProperty(scene, 'onBeforeRender', { value: () => {} })],
  ['an update that stays', (scene) => Object.defineProperty(scene, 'updateMatrixWorld', { value: () => {} })],
])('a scene that cannot be accelerated for %s is as it was', (_label, fix) => {
  const scene = makeScene();
  scene.updateMatrixWorld();
  fix(scene);
  const before = tell(allOf(scene));
  expect(() => accelerate(scene, { cullCasters: true })).toThrow(TypeError);
  expect(tell(allOf(scene))).toEqual(before);
});

describe('objects that cannot be listened to', () => {
  it.each(makers)('are left out with a warning that names them, with all below them, now and later: %s', (_, make) => {
    const scene = makeScene();
    const above = scene.children[4];
    const sealed = Object.seal(Object.assign(above.children[0], { name: 'sealed' }));
    const index = make(scene);
    expect([above, sealed, sealed.children[0]].map((object) => index.has(object))).toEqual([true, false, false]);
    const late = [boxMesh(50), Object.seal(boxMesh(60)), boxMesh(70)];
    scene.add(new Group().add(...late));
    index.update();
    expect(late.map((object) => index.has(object))).toEqual([true, false, true]);
    expect([index.size, index.queryPoint(new Vector3(70, 0, 0))]).toEqual([20, [late[2]]]);
    expect(warnings()).toEqual(
      [sealed, late[1]].map((object) => `${deafness(object)}; it is left out with its descendants`),
    );
    expect(() => index.add(late[1])).toThrow(TypeError);
    expect(validateScene(index)).toEqual([]);
  });

  it.each(makers)('are refused as the root, and nothing is left behind: %s', (_label, make) => {
    const scene = Object.seal(makeScene());
    const before = tell(allOf(scene));
    expect(() => make(scene)).toThrow(deafness(scene));
    expect(tell(allOf(scene))).toEqual(before);
  });

  it.each(['before', 'after'])('are drawn and picked all the same when added %s the call', (when) => {
    const scene = rowOfBoxes(40, 3);
    const sealed = boxMesh(-9);
    sealed.updateMatrixWorld();
    if (when === 'before') scene.add(Object.seal(sealed));
    accelerated(scene);
    if (when === 'after') scene.add(Object.seal(sealed));
    scene.updateMatrixWorld();
    const hits = new Raycaster(new Vector3(-50, 0.1, 0.2), new Vector3(1, 0, 0)).intersectObject(scene);
    expect(hits).toHaveLength(82);
    expect(hits[0].object).toBe(sealed);
  });

  it.each(makers)('but were sealed after they came, are let go of: %s', (_label, make) => {
    const scene = makeScene();
    const index = make(scene);
    const late = boxMesh();
    scene.add(late);
    index.update();
    Object.seal(late);
    scene.remove(late);
    expect(index.has(late)).toBe(false);
    const objects = allOf(scene).slice(1).map(Object.seal);
    expect(() => index.dispose()).not.toThrow();
    for (const object of objects) expect(any(object)._listeners).toBeUndefined();
  });
});

describe('objects below themselves', () => {
  it.each(makers)('the root, added below itself later: %s', (_label, make) => {
    const scene = makeScene();
    const group = new Group();
    const index = make(scene.add(group));
    expect(() => group.add(scene)).toThrow(`SceneIndex: Scene ${scene.id} is a descendant of itself`);
    expect(() => index.update()).toThrow(RangeError);
    expect(explain(index, group, CAMERA)).toEqual(['"Group" is a descendant of itself: three cannot draw it.']);
    index.touch(group);
    index.setStatic(scene);
    group.remove(scene);
    expect(validateScene(updated(index))).toEqual([]);
    expect(index.size).toBe(19);
  });

  it('a ring from elsewhere is refused as a whole', () => {
    const index = new SceneIndex(makeScene());
    const [a, b] = [boxMesh(), boxMesh()];
    a.add(b);
    b.add(a);
    a.children.push(b);
    const before = stats(index).tracked;
    expect(() => index.add(a)).toThrow(RangeError);
    expect([index.has(a), index.has(b), stats(index).tracked]).toEqual([false, false, before]);
    expect(any(a)._listeners).toBeUndefined();
    expect(validateScene(index)).toEqual([]);
  });

  it('an object that is a child twice is none', () => {
    const scene = makeScene();
    scene.children.push(scene.children[0], scene.children[4]);
    const index = new SceneIndex(scene);
    expect(index.size).toBe(19);
    index.setStatic(scene.children[0]);
    index.setStatic(scene.children[0], false);
    expect(validateScene(index)).toEqual([]);
  });
});

describe('broken properties', () => {
  it.each([null, undefined, {}])('layers that are %o hide one object alone', (layers) => {
    const scene = makeScene();
    const index = new SceneIndex(scene);
    const camera = eye(0, 0, 100);
    const [broken, ...rest] = index.cull(camera);
    broken.layers = any(layers);
    expect(index.cull(camera)).toEqual(rest);
    const lists = { inside: [], intersecting: [], culled: [] };
    classify(index, camera, lists);
    expect([...lists.inside, ...lists.intersecting]).toHaveLength(rest.length);
    expect(lists.culled).toEqual([broken]);
    expect(explain(index, broken, camera).join()).toContain('Its layers (none)');
    expect(() => index.raycast(new Raycaster(new Vector3(-50, 0, 0), new Vector3(1, 0, 0)))).not.toThrow();
    expect(() => new PairTracker(index).update()).not.toThrow();
  });

  it.each([Symbol('tree'), Object.create(null), 5, null])('a name that is no string is warned of, row %#', (name) => {
    const scene = makeScene();
    const [mesh] = scene.children;
    mesh.name = name;
    const index = new SceneIndex(scene);
    mesh.position.x = Number.NaN;
    index.update();
    expect(stats(index).quarantined).toBe(2);
    const text = expect.stringMatching(/^SceneIndex: Mesh .* is left out of all results: its bounds are NaN$/);
    expect(warnings()).toEqual([text, text]);
  });

  it.each<[string, unknown]>([
    ['an object', {}],
    ['the flag of a mesh', { isMesh: true }],
    ...[null, undefined, 7].map((fake): [string, unknown] => [String(fake), fake]),
  ])('%s among children is passed over', (_label, fake) => {
    const [before, after] = [boxMesh(-5), Object.assign(boxMesh(5), { raycast: undefined as never })];
    const scene = new Scene().add(before, after);
    scene.children.splice(1, 0, any(fake));
    const index = updated(new SceneIndex(scene));
    expect(index.cull(CAMERA)).toEqual([before, after]);
    expect(validateScene(index)).toEqual([]);
  });

  it.each([undefined, null, {}, { attributes: {} }, { attributes: { position: {} } }])(
    'a mesh whose geometry is %j is in no result, and harms no other',
    (geometry) => {
      const [bad, good] = [boxMesh(), boxMesh(5)];
      const kept = bad.geometry;
      bad.geometry = any(geometry);
      const index = indexOf(bad, good);
      good.position.x = 6;
      expect(updated(index).cull(CAMERA)).toEqual([good]);
      expect(index.queryPoint(new Vector3(6, 0, 0))).toEqual([good]);
      bad.geometry = kept;
      expect(new Set(updated(index).cull(CAMERA))).toEqual(new Set([bad, good]));
      bad.geometry = any(geometry);
      expect(updated(index).cull(CAMERA)).toEqual([good]);
      expect(validateScene(index)).toEqual([]);
    },
  );

  it.each<[string, (mesh: THREE.SkinnedMesh) => unknown]>([
    ['a skeleton', (mesh) => Object.assign(mesh, { skeleton: undefined })],
    ['all bones', (mesh) => Object.assign(mesh.skeleton.bones, { length: 1 })],
    ['attributes', (mesh) => Object.assign(mesh, { geometry: new THREE.BufferGeometry() })],
    ['weights', (mesh) => mesh.geometry.deleteAttribute('skinWeight')],
    ['positions', (mesh) => mesh.geometry.deleteAttribute('position')],
  ])('a skinned mesh without %s harms no other', (_label, spoil) => {
    const [bad, good] = [skinnedTower(), boxMesh(5)];
    spoil(bad);
    const index = indexOf(bad, good);
    good.position.x = 7;
    expect(updated(index).queryPoint(new Vector3(7, 0, 0))).toEqual([good]);
    expect(validateScene(index)).toEqual([]);
  });
});

it('a camera of several that throws leaves the next cull right', () => {
  const [left, right] = [boxMesh(-100), boxMesh(100)];
  const index = indexOf(left, right);
  const views = [-100, 100].map((x) => eye(x, 0, 60, { lookAt: [x, 0, 0] }));
  const broken = new THREE.ArrayCamera([views[0], Object.defineProperty(any({}), 'projectionMatrix', { get: fail })]);
  const target = { inside: [], intersecting: [] };
  expect(() => index.cull(broken)).toThrow(error);
  expect(index.cull(views[1])).toEqual([right]);
  expect(() => classify(index, broken, target)).toThrow(error);
  classify(index, views[1], target);
  expect(target).toEqual({ inside: [right], intersecting: [] });
  index.root.remove(left);
  expect(index.cull(views[1])).toEqual([right]);
});

it('an index of the core is free again when its scene index was disposed, got another, or could not be made', () => {
  const [first, second] = [new Octree(), new Grid()];
  const scene = rowOfBoxes(1);
  const index = new SceneIndex(scene, { structure: first });
  expect([index.structure, first.size]).toEqual(['octree', 1]);
  index.setStructure(second);
  expect([index.structure, first.size, second.size]).toEqual(['grid', 0, 1]);
  expect(() => new SceneIndex(Object.seal(new Scene()), { structure: first })).toThrow(TypeError);
  index.setStructure(first);
  index.dispose();
  expect([index.size, first.size]).toEqual([0, 0]);
  expect(new SceneIndex(scene, { structure: first }).size).toBe(1);
  expect(index.size).toBe(0);
});

it('an object that is not followed is no error', () => {
  const index = new SceneIndex(new Scene());
  const other = boxMesh();
  for (const method of ['has', 'remove', 'touch', 'setStatic'] as const) expect(index[method](other)).toBe(false);
  expect(index.getBox(other, new THREE.Box3())).toBeNull();
  for (const value of [null, undefined, 3, {}]) expect(index.has(any(value))).toBe(false);
});
