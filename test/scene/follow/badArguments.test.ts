import { Group, LOD, Object3D, PerspectiveCamera, Raycaster, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, Bvh, classify, explain, PairTracker, SceneIndex, stats } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { accelerated, indexed, updated } from '../../helpers/indexed.js';
import { any } from '../../helpers/refusals.js';
import { allOf, boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { catchWarnings } from '../../helpers/warnings.js';

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
      Object.entries(Object.getOwnPropertyDescriptors(target)).map(([name, { get, enumerable, writable }]) =>
        [name, get === undefined, enumerable, writable, name === 'matrixWorldNeedsUpdate' && object[name]].join(),
      ),
    ),
  );
}

const error = new Error('mine');
const fail = (): never => {
  throw error;
};
const warnings = catchWarnings();

const makers: [string, (scene: Scene) => SceneIndex][] = [
  ['new SceneIndex', (scene) => indexed(scene)],
  ['accelerate', (scene) => accelerated(scene)],
  ['accelerate with cullCasters', (scene) => accelerated(scene, { cullCasters: true })],
];

describe.each(makers)('%s that throws leaves nothing behind', (_label, make) => {
  it.each<[string, (object: Object3D) => void]>([
    ['updateMatrixWorld', (object) => Object.assign(object, { updateMatrixWorld: fail })],
    ...['raycast', 'frustumCulled', 'static', 'children', 'position', 'parent'].map(
      (name): [string, (object: Object3D) => void] => [
        `a getter of ${name}`,
        (object) => Object.defineProperty(object, name, { configurable: true, get: fail }),
      ],
    ),
  ])('for %s of an object', (_what, spoil) => {
    const scene = makeScene();
    scene.updateMatrixWorld();
    const objects = allOf(scene);
    spoil(scene.children[4]);
    const before = tell(objects);
    expect(() => make(scene)).toThrow(error);
    expect(tell(objects)).toEqual(before);
  });

  it.each<[string, (scene: Scene) => Object3D]>([
    ['the root', (scene) => scene],
    ['another', (scene) => scene.children[3]],
  ])('for a cycle through %s, which it names', (_what, choose) => {
    const scene = makeScene();
    const objects = allOf(scene);
    const cyclic = choose(scene);
    // As `add` does for the root, without taking another out of the scene.
    cyclic.children[0].children[0].children.push(cyclic);
    const before = tell(objects);
    expect(() => make(scene)).toThrow(RangeError);
    expect(() => make(scene)).toThrow(`SceneIndex: ${cyclic.type} ${cyclic.id} is a descendant of itself`);
    expect(tell(objects)).toEqual(before);
  });

  it('nor is the scene taken when what was wrong is right again', () => {
    const scene = makeScene();
    scene.children[4].updateMatrixWorld = fail;
    expect(() => make(scene)).toThrow(error);
    scene.children[4].updateMatrixWorld = Object3D.prototype.updateMatrixWorld;
    const index = make(scene);
    expect(index.size).toBe(19);
  });
});

describe('an accelerated scene that cannot be', () => {
  it.each<[string, (scene: Scene) => void]>([
    ['layers that are frozen', (scene) => Object.freeze(scene.layers)],
    ['children that stay', (scene) => Object.defineProperty(scene, 'children', { configurable: false })],
    ['an onBeforeRender that stays', (scene) => Object.defineProperty(scene, 'onBeforeRender', { value: () => {} })],
    ['an update that stays', (scene) => Object.defineProperty(scene, 'updateMatrixWorld', { value: () => {} })],
  ])('for %s: it throws, and is as it was', (_label, fix) => {
    const scene = makeScene();
    scene.updateMatrixWorld();
    fix(scene);
    const before = tell(allOf(scene));
    expect(() => accelerate(scene, { cullCasters: true })).toThrow(TypeError);
    expect(tell(allOf(scene))).toEqual(before);
  });
});

describe('objects that cannot be listened to', () => {
  it.each(makers)('are left out with a warning that names them, with all below them: %s', (_label, make) => {
    const scene = makeScene();
    const group = scene.children[4].children[0];
    group.name = 'sealed';
    Object.seal(group);
    const index = make(scene);
    expect(index.size).toBe(18);
    expect([scene.children[4], group, group.children[0]].map((object) => index.has(object))).toEqual([
      true,
      false,
      false,
    ]);
    expect(warnings()).toEqual([
      `SceneIndex: Group ${group.id} "sealed" is not extensible, so it cannot be listened to; it is left out with its descendants`,
    ]);
    expect(validateScene(updated(index))).toEqual([]);
  });

  it.each(makers)('are refused as the root, and nothing is left behind: %s', (_label, make) => {
    const scene = makeScene();
    Object.seal(scene);
    const before = tell(allOf(scene));
    expect(() => make(scene)).toThrow(`SceneIndex: Scene ${scene.id} is not extensible, so it cannot be listened to`);
    expect(tell(allOf(scene))).toEqual(before);
  });

  it.each(makers)('are left out with a warning when they come later, and nothing else is, %s', (_label, make) => {
    const scene = makeScene();
    const index = make(scene);
    const [first, sealed, last] = [boxMesh(50), boxMesh(60), boxMesh(70)];
    const group = new Group().add(first, Object.seal(sealed), last);
    scene.add(group);
    index.update();
    expect([first, sealed, last].map((object) => index.has(object))).toEqual([true, false, true]);
    expect(index.queryPoint(new Vector3(70, 0, 0))).toEqual([last]);
    expect(warnings()).toEqual([
      `SceneIndex: Mesh ${sealed.id} is not extensible, so it cannot be listened to; it is left out with its descendants`,
    ]);
    expect(() => index.add(sealed)).toThrow(TypeError);
    expect(validateScene(index)).toEqual([]);
  });

  it.each(['before', 'after'])('are drawn and picked all the same when added %s the call', (when) => {
    const scene = new Scene();
    for (let i = 0; i < 40; i++) scene.add(boxMesh(3 * i));
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

  it('but were sealed after they came, are let go of', () => {
    const scene = makeScene();
    for (const [, make] of makers) {
      const index = make(scene);
      const late = boxMesh();
      scene.add(late);
      index.update();
      Object.seal(late);
      scene.remove(late);
      expect(index.has(late)).toBe(false);
      index.dispose();
      late.removeFromParent();
    }
    const index = new SceneIndex(scene);
    for (const object of allOf(scene)) Object.seal(object);
    expect(() => index.dispose()).not.toThrow();
    for (const object of allOf(scene)) expect(any(object)._listeners).toEqual({});
  });
});

describe('objects below themselves', () => {
  it.each(makers)('the root, added below itself later: %s', (_label, make) => {
    const scene = makeScene();
    const group = new Group();
    const index = make(scene.add(group));
    expect(() => group.add(scene)).toThrow(`SceneIndex: Scene ${scene.id} is a descendant of itself`);
    expect(() => index.update()).toThrow(RangeError);
    expect(explain(index, group, new PerspectiveCamera())).toEqual([
      '"Group" is a descendant of itself: three cannot draw it.',
    ]);
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
    const seen = index.cull(camera);
    const [broken] = seen;
    broken.layers = any(layers);
    const rest = seen.slice(1);
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
    expect(() => index.update()).not.toThrow();
    expect(stats(index).quarantined).toBeGreaterThan(0);
    const text = expect.stringMatching(/^SceneIndex: Mesh .* is left out of all results: its bounds are NaN$/);
    expect(warnings()).toEqual([text, text]);
  });
});

describe('options of accelerate', () => {
  it('are read once, as own properties', () => {
    const scene = makeScene();
    const index = accelerate(scene, Object.create({ cullCasters: true, structure: new Bvh(), minPixels: 'no' }));
    expect(index.structure).toBe('packed');
    index.dispose();
    let reads = 0;
    const options = {
      get minPixels() {
        return reads++ === 0 ? 1 : any('5');
      },
    };
    accelerate(scene, options).dispose();
    expect(reads).toBe(1);
  });

  it.each([null, 5, 'x'])('that are %o are refused', (options) => {
    expect(() => accelerate(new Scene(), any(options))).toThrow(/^accelerate: options must be an object/);
  });
});
