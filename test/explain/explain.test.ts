import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { explain, LooseOctree, SceneIndex, SceneIndexHelper } from '../../src/index.js';
import { eye as eyeAt } from '../helpers/cameras.js';
import { accelerated, indexed } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh, mixedScene, skinnedTower } from '../helpers/scene.js';
import { catchWarnings } from '../helpers/warnings.js';

catchWarnings();

const eye = (): THREE.PerspectiveCamera => eyeAt(0, 0, 10, { fov: 90, near: 1, far: 100 });

/** What is said of an object that nothing hides. */
const DRAWN = ['It is drawn.'];
const HIDDEN = 'It is hidden: its visible is false.';

const sceneOf = (...objects: THREE.Object3D[]): THREE.Scene => new THREE.Scene().add(...objects);
const named = <T extends THREE.Object3D>(object: T, name: string): T => Object.assign(object, { name });

/** What is said of an object of a scene, right after an update. */
const said = (scene: THREE.Object3D, object: THREE.Object3D, camera = eye()): string[] =>
  explain(indexed(scene), object, camera);

/** An index of an object's scene, and what it says of that object. */
function asked(object: THREE.Object3D, scene = sceneOf(object)) {
  const index = new SceneIndex(scene);
  return { index, scene, say: (camera: THREE.Camera = eye()) => explain(index, object, camera) };
}

type Step = readonly [act: () => unknown, ...said: (string | RegExp)[]];

/** Does one thing after another; fails unless this is said after each. Where nothing is to be said, it is drawn. */
function expectSaid(say: () => string[], ...steps: Step[]): void {
  for (const [i, [act, ...wanted]] of steps.entries()) {
    act();
    const texts = wanted.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text)));
    expect(say(), `step ${i}`).toEqual(texts.length === 0 ? DRAWN : texts);
  }
}

const MOVED = 'moved after the last update: call index.update().';
const DIFFERS =
  'Its bounds in the index are out of date: call index.update(), or index.touch() with it if that is not enough.';

describe('explain', () => {
  it('says why an object is not followed', () => {
    const [group, mesh, late] = [named(new THREE.Group(), 'yard'), boxMesh(), boxMesh(3)];
    const scene = sceneOf(group.add(mesh));
    const index = new SceneIndex(scene);
    const say = (object: THREE.Object3D): string[] => explain(index, object, eye());
    expect(say(late)).toEqual(['It is not followed: it does not lie below the root of the index.']);
    scene.add(late);
    expect(say(late)).toEqual(['Its bounds are not in the index yet: call index.update().']);
    index.remove(group);
    expect(say(mesh)).toEqual(['It is not followed: "yard" was removed by index.remove().']);
    expect(say(group)).toEqual([
      'It is not followed: it was removed by index.remove().',
      'It draws nothing by itself: its type is Group.',
    ]);
    index.add(group);
    index.update();
    expect(say(mesh)).toEqual(DRAWN);
    const byHand = Object.assign(boxMesh(), { parent: group });
    group.children.push(byHand);
    expect(say(byHand)).toEqual([
      expect.stringMatching(/^It is not followed: it was added by hand, without an event: call index\.update/),
    ]);
    const helper = new SceneIndexHelper(index);
    scene.add(helper);
    expect(say(helper)).toEqual(['It is not followed: it is a helper that draws an index.']);
    const elsewhere = boxMesh();
    index.add(elsewhere);
    index.update();
    expect(say(elsewhere)).toEqual([
      'It is followed, but does not lie below the root of the index: it is not drawn with it.',
    ]);
    index.remove(scene);
    expect(say(mesh)).toEqual(['It is not followed: the root was removed by index.remove().']);
    index.dispose();
    expect(() => say(mesh)).toThrow('explain: the index was disposed');
  });

  it('says what is hidden, at the object and above it', () => {
    const [top, middle, mesh] = [named(new THREE.Group(), 'house'), new THREE.Group(), boxMesh()];
    const scene = sceneOf(top.add(middle.add(mesh)));
    mesh.visible = top.visible = middle.visible = false;
    expect(said(scene, mesh)).toEqual([
      HIDDEN,
      'It lies below "Group", which is hidden.',
      'It lies below "house", which is hidden.',
    ]);
    mesh.visible = middle.visible = top.visible = true;
    // Above the root as well.
    scene.visible = false;
    expect(said(top, mesh)).toEqual(['It lies below "Scene", which is hidden.']);
  });

  it('says which layers do not meet', () => {
    const mesh = boxMesh();
    const { say } = asked(mesh);
    const all = eye();
    all.layers.enableAll();
    mesh.layers.set(2);
    mesh.layers.enable(31);
    expect(say()).toEqual(["Its layers (2, 31) do not meet the camera's (0)."]);
    mesh.layers.disableAll();
    expect(say(all)).toEqual(["Its layers (none) do not meet the camera's (all)."]);
    mesh.layers.set(31);
    expect(say(all)).toEqual(DRAWN);
  });

  it('says which planes of the frustum it lies beyond, and by how far', () => {
    const camera = new THREE.OrthographicCamera(-10, 10, 10, -10, 1, 21);
    camera.position.z = 11;
    for (const [x, y, z, planes] of [
      [-15, 0, 0, 'its left plane by 4'],
      [15.5, 0, 0, 'its right plane by 4.5'],
      [0, 1234.5678, 0, 'its top plane by 1220'],
      [0, -12, 0, 'its bottom plane by 1'],
      [0, 0, 15, 'its near plane by 4'],
      [-20, 0, -15, 'its left plane by 9, beyond its far plane by 4'],
    ] as const) {
      expect(asked(boxMesh(x, y, z, 2)).say(camera)).toEqual([`It lies outside the frustum: beyond ${planes}.`]);
    }
    expect(asked(boxMesh(11, 11, 11, 2)).say(camera)).toEqual(DRAWN);
  });

  it('says of which views of an ArrayCamera it is out, when it is of all', () => {
    const { say } = asked(boxMesh(0, 0, 0));
    const views = [0, 1].map((i) => {
      const view = new THREE.OrthographicCamera(-5, 5, 5, -5, 1, 21);
      view.position.set(20 * i - 10, 0, 11);
      view.updateMatrixWorld();
      return view;
    });
    const camera = new THREE.ArrayCamera(views as never);
    expect(say(camera)).toEqual([
      'It lies outside the frustum of view 0: beyond its right plane by 4.5.',
      'It lies outside the frustum of view 1: beyond its left plane by 4.5.',
    ]);
    views[1].position.x = 5;
    views[1].updateMatrixWorld();
    expect(say(camera)).toEqual(DRAWN);
  });

  it('says that it is drawn outside the frustum all the same', () => {
    const mesh = boxMesh(0, 0, 20.5);
    const { index, say } = asked(mesh);
    const beyond = 'It lies outside the frustum: beyond its near plane by 11';
    const cull = (frustumCulled: boolean) => () => Object.assign(mesh, { frustumCulled });
    expectSaid(
      say,
      [() => {}, `${beyond}.`],
      [cull(false), `${beyond}; its frustumCulled is false, which the index does not know yet: call index.update().`],
      [() => index.update(), `${beyond}; it is drawn all the same, as its frustumCulled is false.`],
      [() => cull(true)() && index.update(), `${beyond}.`],
      [() => Object.assign(mesh, { intersectsFrustum: () => true }), `${beyond}.`],
      [() => index.touch(mesh) && index.update(), `${beyond}; it is drawn all the same, as it decides that by itself.`],
    );
  });

  it('says why it has no bounds', () => {
    const paint = new THREE.MeshBasicMaterial();
    for (const [object, why] of [
      [Object.assign(boxMesh(), { geometry: undefined as never }), 'it has no geometry'],
      [new THREE.Mesh(new THREE.BufferGeometry()), 'its geometry has no vertices'],
      [new THREE.InstancedMesh(boxMesh().geometry, paint, 0), 'its count is 0'],
      [new THREE.BatchedMesh(2, 100, 100, paint), 'it has no instances'],
      [new THREE.LOD(), 'nothing that is drawn lies in it'],
    ] as const) {
      expect(said(sceneOf(object), object)).toEqual([`Its bounds are empty, so it has no place in the index: ${why}.`]);
    }
  });

  it('says that bounds are NaN, or were', () => {
    const nan = 'Its bounds are NaN, so it has no place in the index: so is its ';
    const mesh = boxMesh(Number.NaN);
    mesh.geometry = mesh.geometry.clone();
    const { position } = mesh.geometry.attributes;
    const { index, say } = asked(mesh);
    expectSaid(
      say,
      [() => {}, `${nan}world matrix.`],
      [() => mesh.position.setX(0), `It ${MOVED}`, `${nan}world matrix.`],
      [() => mesh.updateMatrixWorld(), 'Its bounds were NaN at the last update: call index.update().'],
      [() => index.update()],
      [() => position.setX(0, Number.NaN) && index.touch(mesh) && index.update(), `${nan}geometry.`],
    );
    const broken = skinnedTower();
    broken.geometry.deleteAttribute('skinIndex');
    expect(said(sceneOf(broken), broken)).toEqual([
      expect.stringMatching(/^Its bounds cannot be computed, so it has no place in the index: TypeError: .*\.$/),
    ]);
  });

  it('says what moved since the last update, at the object or above it', () => {
    const [group, mesh] = [named(new THREE.Group(), 'cart'), boxMesh()];
    const { index, scene, say } = asked(mesh, sceneOf(group.add(mesh)));
    const before = mesh.matrixWorld.clone();
    expectSaid(say, [() => mesh.position.setX(1), `It ${MOVED}`]);
    expect(mesh.matrixWorld).toEqual(before);
    const still = 'moved after the last update, though it is static: call index.touch() with it.';
    expectSaid(
      say,
      [() => index.update()],
      [() => group.rotateY(0.1), `"cart", above it, ${MOVED}`],
      // Once three has updated the matrices, the bounds tell.
      [() => scene.updateMatrixWorld(), DIFFERS],
      [() => index.update()],
      [() => index.setStatic(group) && group.position.setX(2), `"cart", above it, ${still}`],
      [() => scene.updateMatrixWorld(), 'Its bounds in the index are out of date: call index.touch() with it.'],
      [() => index.touch(group) && index.update()],
      [() => Object.assign(mesh, { matrixAutoUpdate: false }).matrix.makeTranslation(0, 3, 0), `It ${still}`],
      [
        () => [group, scene].map((object) => Object.assign(object, { matrixAutoUpdate: false })),
        'It has a matrix that was set by hand: set its matrixWorldNeedsUpdate.',
      ],
      [() => Object.assign(mesh, { matrixWorldNeedsUpdate: true }), `It ${still}`],
      [() => Object.assign(mesh, { matrixWorldAutoUpdate: false })],
    );
  });

  it('says that skinned meshes moved, and what hangs on a camera', () => {
    const tower = skinnedTower();
    const camera = eye();
    const lamp = boxMesh(0, 0, -5);
    camera.add(lamp);
    const index = new SceneIndex(sceneOf(tower, named(camera, 'head')));
    for (const object of [tower, lamp]) expect(explain(index, object, camera)).toEqual(DRAWN);
    tower.position.x = 1;
    expect(explain(index, tower, camera)).toEqual([`It ${MOVED}`]);
    camera.position.x = 1;
    expect(explain(index, lamp, eye())).toEqual([`"head", above it, ${MOVED}`]);
  });

  it('says nothing of matrices that three makes otherwise', () => {
    const changes: ((mesh: THREE.Mesh) => unknown)[] = [
      (mesh) => Object.assign(mesh, { pivot: new THREE.Vector3(1, 2, 3) }).rotateZ(1),
      (mesh) => Object.assign(mesh, { matrixAutoUpdate: false }).matrix.makeTranslation(1, 1, 1),
      (mesh) => mesh.position.set(-0, 0, 0) && mesh.scale.set(-1, 1, -0),
      (mesh) => Object.assign(mesh, { updateMatrixWorld: () => mesh.matrixWorld.makeTranslation(2, 2, 2) }),
    ];
    for (const change of changes) {
      const mesh = boxMesh();
      change(mesh);
      for (const make of [indexed, accelerated]) expect(explain(make(sceneOf(mesh)), mesh, eye())).toEqual(DRAWN);
    }
  });

  it('says that vertices or instances changed unnoticed', () => {
    const mesh = boxMesh();
    mesh.geometry = mesh.geometry.clone();
    const { index, say } = asked(mesh);
    const { position } = mesh.geometry.attributes;
    const unnoticed =
      'Its vertices changed unnoticed: set needsUpdate of its positions, or call index.touch() with it.';
    expectSaid(
      say,
      [() => position.setX(0, 7), unnoticed],
      [() => {}, unnoticed],
      [() => index.update(), unnoticed],
      [() => Object.assign(position, { needsUpdate: true }), DIFFERS],
      [() => index.update()],
    );
    const instanced = new THREE.InstancedMesh(boxMesh().geometry, new THREE.MeshBasicMaterial(), 1);
    const other = asked(instanced);
    expectSaid(
      other.say,
      [() => instanced.setMatrixAt(0, new THREE.Matrix4().makeTranslation(1, 0, 0)), DIFFERS],
      [() => other.index.update(), DIFFERS],
      [() => other.index.touch(instanced) && other.index.update()],
    );
  });

  it('says which level of a LOD is shown to the camera, whatever was shown before', () => {
    const lod = named(new THREE.LOD(), 'tree');
    const levels = [boxMesh(), boxMesh(), boxMesh()];
    for (const [i, mesh] of levels.entries()) lod.addLevel(mesh, 20 * i, i === 2 ? 0.5 : 0);
    const [leaf, beside] = [boxMesh(), boxMesh()];
    levels[1].add(leaf);
    lod.add(beside);
    const camera = eye();
    const inside = 'It lies in the LOD "tree", which represents it in all results.';
    const shows = (level: number, shown: number): string =>
      `It lies in level ${level} of the LOD "tree", which shows level ${shown} to the camera.`;
    const index = new SceneIndex(sceneOf(lod));
    for (const z of [10, 25, 45, 30, 25, 5, 19.99, 20, 39.99, 40]) {
      camera.position.z = z;
      const before = levels.map((mesh) => mesh.visible);
      const texts = [...levels, leaf, beside].map((mesh) => explain(index, mesh, camera));
      expect(levels.map((mesh) => mesh.visible)).toEqual(before);
      camera.updateMatrixWorld();
      lod.update(camera);
      const shown = lod.getCurrentLevel();
      const [near, middle, far] = [0, 1, 2].map((i) => (i === shown ? [inside] : [shows(i, shown), inside]));
      expect(texts).toEqual([near, middle, far, middle, [inside]]);
    }
    expect(explain(index, lod, camera)).toEqual(DRAWN);
    // Without an update by the renderer, the flags are as they are.
    lod.autoUpdate = false;
    camera.position.z = 10;
    expect(explain(index, levels[0], camera)).toEqual([HIDDEN, inside]);
    expect(explain(index, leaf, camera)).toEqual(['It lies below "Mesh", which is hidden.', inside]);
    lod.autoUpdate = true;
    camera.layers.set(3);
    levels[0].layers.enable(3);
    expect(explain(index, levels[0], camera)).toEqual([HIDDEN, inside]);
  });

  it('speaks of the LOD where its bounds count', () => {
    const lod = new THREE.LOD();
    const mesh = boxMesh();
    lod.addLevel(mesh);
    lod.position.z = 20.5;
    const index = new SceneIndex(sceneOf(lod));
    expect(explain(index, mesh, eye())).toEqual([
      'It lies in the LOD "LOD", which represents it in all results.',
      'The LOD lies outside the frustum: beyond its near plane by 11.',
    ]);
    mesh.position.x = Number.NaN;
    index.update();
    expect(explain(index, mesh, eye())[1]).toBe(
      "The LOD's bounds are NaN, so it has no place in the index: so is its geometry.",
    );
  });

  it('says which groups go by rules of their own', () => {
    const mesh = boxMesh();
    const clippingPlanes: THREE.Plane[] = [];
    const clipping = Object.assign(new THREE.Group(), { isClippingGroup: true, clippingPlanes, enabled: true });
    expectSaid(
      asked(mesh, sceneOf(clipping.add(mesh))).say,
      [() => {}],
      [() => clippingPlanes.push(new THREE.Plane()), /^It lies in the ClippingGroup "Group", whose planes may cut it/],
      [() => Object.assign(clipping, { enabled: false })],
    );
    const bundle = Object.assign(named(new THREE.Group(), 'wood'), { isBundleGroup: true });
    expect(said(sceneOf(bundle.add(mesh)), mesh)).toEqual([
      'It lies in the BundleGroup "wood", which is drawn as it was recorded until its needsUpdate is set.',
    ]);
  });

  it('says which materials are not seen', () => {
    const mesh = boxMesh();
    const scene = sceneOf(mesh);
    const clear = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0 });
    const hidden = new THREE.MeshBasicMaterial({ visible: false });
    const solid = new THREE.MeshBasicMaterial({ opacity: 0 });
    const cases: [unknown, string | null][] = [
      [hidden, 'Its material is hidden: its visible is false.'],
      [clear, 'Its material is transparent with opacity 0.'],
      [solid, null],
      [[hidden, clear], 'None of its materials can be seen: each has visible false, or is transparent with opacity 0.'],
      [[hidden, solid], null],
      [null, 'It has no material.'],
    ];
    for (const [material, why] of cases) {
      mesh.material = material as never;
      expect(said(scene, mesh)).toEqual(why === null ? DRAWN : [why]);
    }
  });

  it('says all there is to say, in order', () => {
    const [group, mesh] = [named(new THREE.Group(), 'shed'), boxMesh(0, 0, 20.5)];
    const { say } = asked(mesh, sceneOf(group.add(mesh)));
    mesh.visible = group.visible = false;
    mesh.layers.set(1);
    mesh.material = new THREE.MeshBasicMaterial({ visible: false });
    group.position.x = 1;
    expect(say()).toEqual([
      HIDDEN,
      'It lies below "shed", which is hidden.',
      "Its layers (1) do not meet the camera's (0).",
      'Its material is hidden: its visible is false.',
      `"shed", above it, ${MOVED}`,
      'It lies outside the frustum: beyond its near plane by 11.',
    ]);
  });
});

describe.each(['a plain index', 'an accelerated scene'])('explanations of %s', (kind) => {
  const make = (scene: THREE.Scene): SceneIndex => {
    const options = { structure: new LooseOctree({ capacity: 4 }) };
    return kind === 'a plain index' ? indexed(scene, options) : accelerated(scene, options);
  };
  it.each([1, 2, 3])('say that exactly what cull lists is drawn, and change nothing, seed %i', (seed) => {
    const next = random(seed);
    const scene = mixedScene(next, 150);
    scene.traverse((object) => {
      if (next() < 0.03) object.visible = false;
      if (next() < 0.1) object.layers.set(Math.floor(next() * 2));
      if (next() < 0.03 && object !== scene) object.position.x = Number.NaN;
    });
    const index = make(scene);
    const { version } = index;
    const counts = [0, 0];
    expect(scene.getObjectsByProperty('isSkinnedMesh', true).length).toBeGreaterThan(3);
    for (let i = 0; i < 6; i++) {
      const camera = new THREE.PerspectiveCamera(30 + next() * 60, 1, 0.1, 80);
      camera.position.set(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
      camera.lookAt(0, 0, 0);
      const seen = new Set(index.cull(camera));
      scene.traverse((object) => {
        const reasons = explain(index, object, camera);
        if (reasons.some((reason) => reason.startsWith('It lies in the LOD'))) return;
        // Why all instances are drawn is said besides.
        const [reason = 'It is drawn.'] = reasons.filter((one) => !one.startsWith('All its instances are drawn'));
        expect(reason === 'It is drawn.', `${object.name} ${reasons.join(' ')}`).toBe(seen.has(object));
        counts[seen.has(object) ? 1 : 0]++;
      });
      expect(new Set(index.cull(camera))).toEqual(seen);
    }
    expect(Math.min(...counts)).toBeGreaterThan(60);
    index.update();
    expect(index.version).toBe(version);
  });
});
