import * as THREE from 'three';
import { describe, expect, it, vi } from 'vitest';
import { accelerate, createIndex, LooseOctree, Packed, SceneIndex, stats } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { countAlive } from '../helpers/garbage.js';
import { accelerated, indexed } from '../helpers/indexed.js';
import { mainPass, shadowPass, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { any } from '../helpers/refusals.js';
import { allOf, boxMesh, lod, ownNames, rowOfBoxes } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';

const drawnBy = (scene: THREE.Scene, camera: THREE.Camera = eye(0, 0, 10), isSorted = true): THREE.Object3D[] =>
  mainPass(scene, camera, isSorted).drawn.map(({ object }) => object);
/** A ray beside the middle of x, where no edge lies. */
const down = (x = 0): THREE.Raycaster =>
  new THREE.Raycaster(new THREE.Vector3(x + 0.1, 0.2, 9), new THREE.Vector3(0, 0, -1));
/** Boxes too far away to be seen, so that a list pays. */
const farAway = (count: number): THREE.Object3D[] => Array.from({ length: count }, (_, i) => boxMesh(3 * i, 0, -600));
const fail = (): never => {
  throw new Error('by the user');
};

describe('accelerate', () => {
  it('refuses what is no scene', () => {
    expect(() => accelerate(null as never)).toThrow(TypeError);
    expect(() => accelerate(any(new THREE.Group()))).toThrow(/^accelerate.scene: must be a Scene, got Group/);
  });

  it.each<[option: string, kind: string, ...bad: unknown[]]>([
    ['occlusion', 'boolean', null, 'yes', 1, { width: 320 }],
    ['keepShadows', 'boolean', 1],
    ['onChange', 'function', null, 5, 'draw', {}],
  ])('refuses an option %s that is no %s', (option, kind, ...bad) => {
    for (const value of bad) {
      const words = `accelerate.${option}: must be a ${kind}`;
      expect(() => accelerate(new THREE.Scene(), any({ [option]: value }))).toThrow(words);
    }
  });

  it('draws what comes between the matrix pass and the walk, also to a LOD out of view', () => {
    const far = lod();
    far.position.x = 500;
    const scene = new THREE.Scene().add(far, ...farAway(5));
    accelerated(scene);
    expect(drawnBy(scene)).toEqual([]);
    scene.matrixWorldAutoUpdate = false;
    const [late, hidden, level] = [boxMesh(), boxMesh(2), boxMesh(-500)];
    scene.add(late, hidden);
    hidden.visible = false;
    far.levels[1].object.add(level);
    level.matrixWorld.identity();
    expect(new Set(drawnBy(scene))).toEqual(new Set([late, level]));
  });

  it('leaves a root its own matrix method, and calls it', () => {
    let calls = 0;
    class Own extends THREE.Scene {
      override updateMatrixWorld(force?: boolean): void {
        calls++;
        super.updateMatrixWorld(force);
      }
    }
    const mesh = boxMesh(5);
    const scene = new Own().add(mesh);
    const index = accelerated(scene);
    calls = 0;
    mesh.position.x = 7;
    scene.updateMatrixWorld();
    expect([calls, mesh.matrixWorld.elements[12]]).toEqual([1, 7]);
    expect(index.getBox(mesh, new THREE.Box3())?.max.x).toBe(7.5);
    index.dispose();
    expect(Object.hasOwn(scene, 'updateMatrixWorld')).toBe(false);
  });

  it('draws what was added to the index before it came into the scene', () => {
    const scene = new THREE.Scene().add(...farAway(4));
    const index = accelerated(scene);
    const [mesh, light] = [boxMesh(), new THREE.PointLight()];
    index.add(mesh.add(light));
    expect(drawnBy(scene)).toEqual([]);
    scene.add(mesh);
    for (let i = 0; i < 2; i++) {
      const { drawn, lights } = mainPass(scene, eye(0, 0, 10));
      expect([drawn, lights]).toEqual([[{ object: mesh, groupOrder: 0 }], [light]]);
    }
    expect(down().intersectObject(scene)[0].object).toBe(mesh);
    scene.remove(mesh);
    expect(mainPass(scene, eye(0, 0, 10))).toMatchObject({ drawn: [], lights: [] });
    expect(Object.hasOwn(mesh, 'raycast')).toBe(false);
  });

  it('draws what was taken out of the index where it is, in the order of the groups that the camera sees', () => {
    const meshes = [-2, -1, 0, 2].map((x) => boxMesh(x));
    const [a, b, c, d] = meshes;
    const inner = Object.assign(new THREE.Group().add(c), { renderOrder: 7 });
    const group = Object.assign(new THREE.Group().add(a, inner), { renderOrder: 5 });
    const unseen = Object.assign(new THREE.Group().add(d), { renderOrder: 9 });
    unseen.layers.set(3);
    const scene = new THREE.Scene().add(group, b, unseen, ...farAway(60));
    const index = accelerated(scene);
    for (const object of [a, inner]) index.remove(object);
    const { drawn } = mainPass(scene, eye(0, 0, 10));
    const orders = meshes.map((mesh) => drawn.find(({ object }) => object === mesh)?.groupOrder);
    expect(orders).toEqual([5, 0, 7, 0]);
    a.position.x = 1;
    scene.updateMatrixWorld();
    expect(a.matrixWorld.elements[12]).toBe(1);
  });

  it('updates no LOD below what is hidden', () => {
    const far = lod();
    far.position.x = 500;
    const hidden = Object.assign(new THREE.Group().add(far), { visible: false });
    const scene = new THREE.Scene().add(hidden, ...farAway(60));
    accelerated(scene);
    for (const shown of [true, false]) {
      drawnBy(scene);
      expect(far.levels.map(({ object }) => object.visible)).toEqual([shown, true]);
      hidden.visible = true;
    }
  });

  it('keeps nothing alive of what it drew, sorted or not, once that is out of the scene', async () => {
    const scene = new THREE.Scene().add(...farAway(200));
    accelerated(scene);
    // A function of its own, whose variables are gone afterwards.
    const comeAndGo = (isSorted: boolean): WeakRef<THREE.Object3D>[] => {
      const group = Object.assign(new THREE.Group().add(...[0, 1, 2].map((x) => boxMesh(x))), { renderOrder: 3 });
      scene.add(group);
      expect(drawnBy(scene, eye(0, 0, 10), isSorted)).toHaveLength(3);
      scene.remove(group);
      return allOf(group).map((object) => new WeakRef(object));
    };
    const refs = [comeAndGo(true), comeAndGo(false)].flat();
    scene.updateMatrixWorld();
    expect(await countAlive(refs)).toBe(0);
  });

  it('may be called for a scene that has an index', () => {
    const scene = new THREE.Scene().add(boxMesh());
    const other = indexed(scene);
    const index = accelerate(scene);
    expect([other.cull(eye()).length, drawnBy(scene).length]).toEqual([1, 1]);
    index.dispose();
    expect(other.cull(eye())).toHaveLength(1);
  });
});

describe('dispose puts back', () => {
  it('objects at once when they are taken out', () => {
    const scene = new THREE.Scene();
    const parent = boxMesh().add(boxMesh(1), new THREE.Group().add(boxMesh(2)));
    const tell = (): unknown =>
      allOf(parent).map((object) => [
        ownNames(object),
        Object.getOwnPropertyNames(object.layers),
        object.children.map(({ id }) => id),
      ]);
    const before = tell();
    scene.add(parent);
    accelerated(scene);
    drawnBy(scene);
    down().intersectObject(scene);
    scene.remove(parent);
    expect(tell()).toEqual(before);
  });

  it('not what was set meanwhile', () => {
    const [mesh, other] = [boxMesh(), boxMesh()];
    const scene = new THREE.Scene().add(mesh);
    const index = accelerate(scene);
    const raycast = (): void => {};
    mesh.raycast = raycast;
    const updateMatrixWorld = (): void => {};
    scene.updateMatrixWorld = updateMatrixWorld;
    scene.children = [other];
    expect(scene.children).toEqual([other]);
    index.dispose();
    expect([mesh.raycast, scene.updateMatrixWorld]).toEqual([raycast, updateMatrixWorld]);
    expect(scene.children).toEqual([other]);
    expect(Object.getOwnPropertyDescriptor(scene, 'children')?.writable).toBe(true);
  });
});

describe('an exception', () => {
  it('in a test or a callback of the user leaves the next pass as it was', () => {
    const bad = boxMesh().add(boxMesh(1));
    bad.castShadow = true;
    const scene = new THREE.Scene().add(boxMesh(2), bad, boxMesh(3));
    accelerated(scene);
    const camera = eye();
    const [draw, cast] = [() => mainPass(scene, camera), () => shadowPass(scene, camera, camera.layers)];
    for (const [name, passes] of [
      ['intersectsFrustum', [draw, cast]],
      ['onBeforeShadow', [cast]],
    ] as const) {
      bad[name] = fail;
      for (const pass of [...passes, ...passes]) {
        expect(pass).toThrow('by the user');
        expect([bad.children.length, allOf(scene).length]).toEqual([1, 5]);
      }
      delete (bad as Partial<THREE.Mesh>)[name];
      for (let i = 0; i < 2; i++) expect(draw().drawn).toHaveLength(4);
    }
  });

  it('in a raycast leaves the next pick as it was', () => {
    const [other, bad] = [boxMesh(0, 0, 2), boxMesh()];
    const scene = new THREE.Scene().add(other, bad);
    accelerated(scene);
    const picks = [() => down().intersectObject(scene), () => down().intersectObjects(scene.children)];
    bad.raycast = fail;
    scene.updateMatrixWorld();
    for (const pick of picks) expect(pick).toThrow('by the user');
    delete (bad as Partial<THREE.Mesh>).raycast;
    scene.updateMatrixWorld();
    for (const pick of picks) expect(pick()).toHaveLength(4);
    expect(drawnBy(scene)).toHaveLength(2);
  });
});

describe('an accelerated scene', () => {
  const camera = eye(0, 0, 20);
  const ray = () => new THREE.Raycaster(new THREE.Vector3(-50, 0.1, 0.2), new THREE.Vector3(1, 0, 0));

  it('takes, gives and clears children in the midst of a render, when its layers were tested and nobody walked on', () => {
    const root = new THREE.Scene();
    const [old, marker, other] = [boxMesh(1), boxMesh(2), boxMesh(3)];
    root.add(old);
    const index = accelerated(root);
    const acts = [() => root.add(marker), () => root.add(other), () => root.remove(old), () => root.clear()];
    for (const act of acts) {
      withinRender({ sortObjects: true }, root, camera, () => {
        root.layers.test(camera.layers);
        down().intersectObject(root);
        act();
      });
    }
    expect(root.children).toEqual([]);
    expect([old, marker, other].map(({ parent }) => parent)).toEqual([null, null, null]);
    root.layers.test(camera.layers);
    root.add(marker, other);
    root.layers.test(camera.layers);
    expect([...root.children]).toEqual([marker, other]);
    index.update();
    expect(index.size).toBe(2);
  });

  it('that is taken out of the index is drawn, picked and updated as by plain three', () => {
    const scene = rowOfBoxes(40, 1);
    const index = accelerated(scene);
    const { length } = ray().intersectObject(scene);
    index.remove(scene);
    scene.children[3].position.y = 1;
    expect(mainPass(scene, camera).drawn.length).toBeGreaterThan(10);
    expect(ray().intersectObject(scene)).toHaveLength(length - 2);
    expect(ray().intersectObjects(scene.children)).toHaveLength(length - 2);
  });

  it('draws once what may be anywhere: never culled and without bounds, or by a test that its class has', () => {
    class Everywhere extends THREE.Mesh {
      override intersectsFrustum(): boolean {
        return true;
      }
    }
    const everywhere = new Everywhere(new THREE.BoxGeometry()).translateX(1e4);
    const odd = Object.assign(boxMesh(0, 3, 0), { frustumCulled: false });
    odd.geometry = odd.geometry.clone();
    odd.geometry.attributes.position.setX(0, Number.NaN);
    const scene = rowOfBoxes(40, 1000).add(everywhere, odd);
    accelerated(scene);
    for (const object of [everywhere, odd]) {
      expect(drawnBy(scene, camera).filter((drawn) => drawn === object)).toHaveLength(1);
    }
  });

  it('is picked by its children as ever after another structure took the place of the one before', () => {
    const meshes = Array.from({ length: 20 }, (_, i) => boxMesh(0, 5 * i + 5, 0));
    const scene = new THREE.Scene().add(...meshes);
    const index = accelerated(scene);
    const versions = [];
    for (const structure of ['bvh', 'octree', 'grid'] as const) {
      for (const y of [105, 0]) {
        meshes[19].position.y = y;
        scene.updateMatrixWorld();
        expect(ray().intersectObjects(scene.children)[0]?.object).toBe(y === 0 ? meshes[19] : undefined);
        versions.push(index.version);
        if (y > 0) index.setStructure(createIndex(structure));
      }
    }
    expect([...versions].sort((a, b) => a - b)).toEqual(versions);
  });

  it('is picked by a raycaster that has thresholds for nothing', () => {
    const scene = rowOfBoxes(20, 3);
    accelerated(scene);
    const raycaster = Object.assign(ray(), { params: {} });
    expect(raycaster.intersectObject(scene)).toHaveLength(40);
    expect(raycaster.intersectObjects(scene.children)).toHaveLength(40);
  });

  it('is kept in order while all of it moves', () => {
    const qualityOf = (start: (scene: THREE.Scene, structure: LooseOctree) => SceneIndex): number => {
      const next = random(7);
      const meshes = Array.from({ length: 400 }, () => boxMesh(200 * next(), 200 * next(), 200 * next()));
      const scene = new THREE.Scene().add(...meshes);
      const index = start(scene, new LooseOctree());
      // Trees are rebuilt once their queries have lost more than that takes.
      for (let frame = 0; frame < 120; frame++) {
        if (frame < 20) for (const mesh of meshes) mesh.position.x += 10 * (next() - 0.5);
        scene.updateMatrixWorld();
        index.update();
        for (let i = 0; i < 40; i++) index.nearest(meshes[i].position, 3);
      }
      expect(validateScene(index)).toEqual([]);
      return stats(index).quality;
    };
    expect(qualityOf((scene, structure) => accelerated(scene, { structure }))).toBeGreaterThan(0.85);
    expect(qualityOf((scene, structure) => new SceneIndex(scene, { structure }))).toBeLessThan(0.2);
  });
});

it('a view that sees nearly all is asked about less and less, another one each time, and it again once it turns away', () => {
  const index = accelerate(new THREE.Scene().add(...Array.from({ length: 100 }, (_, i) => boxMesh(i % 10, i / 10))));
  const asked = vi.spyOn(Packed.prototype, 'queryPlanes');
  const [all, none] = [eye(), eye(500, 0, -60, { lookAt: [500, 0, -61] })];
  const frustum = new THREE.Frustum();
  const askedFor = (camera: THREE.Camera, drawn: number): number => {
    asked.mockClear();
    expect(mainPass(index.root, camera, true, frustum).drawn).toHaveLength(drawn);
    return asked.mock.calls.length;
  };
  let count = 0;
  for (let frame = 0; frame < 100; frame++) {
    count += askedFor(all, 100);
    expect(askedFor(none, 0)).toBe(1);
  }
  // In frames 0, 1, 3, 6 and 11, and in one of 9 from there.
  expect(count).toBe(14);
  all.position.x = 500;
  count = 0;
  for (let frame = 0; frame < 100; frame++) count += askedFor(all, 0);
  expect(count).toBeGreaterThanOrEqual(100 - 8);
  asked.mockRestore();
});
