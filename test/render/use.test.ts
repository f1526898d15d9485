import * as THREE from 'three';
import { describe, expect, it, vi } from 'vitest';
import { accelerate, createIndex, LooseOctree, maintain, Packed, SceneIndex, stats } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { accelerated, indexed } from '../helpers/indexed.js';
import { mainPass, shadowPass, withinRender } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { allOf, boxMesh, mixedScene, rowOfBoxes } from '../helpers/scene.js';
import { expectSameTold } from '../helpers/twin.js';
import { validateScene } from '../helpers/validateScene.js';

/** A ray down beside the middle of x, where no edge lies. */
function down(x = 0): THREE.Raycaster {
  const raycaster = new THREE.Raycaster(new THREE.Vector3(x + 0.1, 10, 0.2), new THREE.Vector3(0, -1, 0));
  raycaster.camera = eye();
  return raycaster;
}

const tellHits = (hits: THREE.Intersection[]): unknown[] => hits.map((hit) => ({ ...hit, object: hit.object.uuid }));
const namesOf = (objects: THREE.Object3D[]): string[] => objects.map((object) => object.name).sort();
const drawnBy = (scene: THREE.Object3D, camera = eye()): string[] =>
  namesOf(mainPass(scene, camera).drawn.map(({ object }) => object));

/** All own properties of an object and of its layers, by name and kind. */
const tellProperties = (object: THREE.Object3D): string[][] =>
  [object, object.layers].map((target) =>
    Object.entries(Object.getOwnPropertyDescriptors(target)).map(
      ([name, { get, enumerable, writable, configurable }]) =>
        [name, get === undefined, enumerable, writable, configurable].join(),
    ),
  );
/** The same of several, and the lists of their children. */
const tellAll = (objects: THREE.Object3D[]): unknown =>
  objects.map((object) => [tellProperties(object), [...object.children].map((child) => child.id)]);

describe('dispose puts back', () => {
  it.each([1, 2, 3])('objects that were added, removed and moved meanwhile, seed %i', (seed) => {
    const next = random(seed);
    const scene = mixedScene(next, 80);
    const pool = mixedScene(next, 40);
    const objects = [...allOf(scene), ...allOf(pool)];
    const holders = objects.filter((object) => !('isLOD' in object) && !('isBone' in object) && object !== pool);
    // Whatever three itself keeps on an object that was once listened to or drawn is there before.
    const tell = (object: THREE.Object3D): string => JSON.stringify(tellProperties(object));
    const before = new Map(objects.map((object) => [object, tell(object)]));
    const index = accelerate(scene, { structure: new LooseOctree({ capacity: 4 }) });
    for (let i = 0; i < 60; i++) {
      const movable = [...allOf(scene), ...allOf(pool)].filter(
        (object) => object.parent !== null && !('isBone' in object) && !('isLOD' in object.parent),
      );
      const object = movable[Math.floor(next() * movable.length)];
      const parent = holders[Math.floor(next() * holders.length)];
      const isAbove = allOf(object).includes(parent);
      if (next() < 0.3 || isAbove) pool.add(object);
      else parent.add(object);
      if (i % 5 === 0) mainPass(scene, eye());
      if (i % 7 === 0) shadowPass(scene, eye(), eye().layers);
      if (i % 11 === 0) down().intersectObject(scene);
      if (i % 13 === 0) index.remove(holders[Math.floor(next() * holders.length)]);
    }
    index.dispose();
    for (const object of objects) expect(tell(object), object.name).toBe(before.get(object));
    for (const object of allOf(scene)) for (const child of object.children) expect(child.parent).toBe(object);
  });

  it('objects at once when they are taken out', () => {
    const scene = new THREE.Scene();
    const parent = boxMesh().add(boxMesh(1), new THREE.Group().add(boxMesh(2)));
    const objects = allOf(parent);
    const before = tellAll(objects);
    scene.add(parent);
    accelerated(scene);
    mainPass(scene, eye());
    down().intersectObject(scene);
    scene.remove(parent);
    expect(tellAll(objects)).toEqual(before);
  });

  it('not what was set meanwhile', () => {
    const mesh = boxMesh();
    const scene = new THREE.Scene().add(mesh);
    const index = accelerate(scene);
    const raycast = (): void => {};
    mesh.raycast = raycast;
    const updateMatrixWorld = (): void => {};
    scene.updateMatrixWorld = updateMatrixWorld;
    const other = boxMesh();
    scene.children = [other];
    expect(scene.children).toEqual([other]);
    index.dispose();
    expect(mesh.raycast).toBe(raycast);
    expect(scene.updateMatrixWorld).toBe(updateMatrixWorld);
    expect(scene.children).toEqual([other]);
    expect(Object.getOwnPropertyDescriptor(scene, 'children')?.writable).toBe(true);
  });
});

describe('nested scenes', () => {
  /** A scene with a scene, a scene below a mesh and one in a LOD that have boxes below them. */
  function nested(): { scene: THREE.Scene; inner: THREE.Scene[] } {
    const scene = new THREE.Scene();
    const [free, attached, level] = [new THREE.Scene(), new THREE.Scene(), new THREE.Scene()];
    const mesh = boxMesh(0, 0, 0);
    [free, attached, level].forEach((parent, i) => {
      parent.name = `parent ${i}`;
      for (let k = 0; k < 4; k++) {
        const child = boxMesh(5 * i + k, 3 * k, 0);
        child.name = `box ${i} ${k}`;
        child.castShadow = true;
        parent.add(child);
      }
    });
    mesh.castShadow = true;
    scene.add(free, mesh.add(attached), new THREE.LOD().addLevel(level));
    return { scene, inner: [free, attached, level] };
  }

  it.each([
    ['outer first', false],
    ['inner first', true],
  ])('are drawn and picked as without, and put back in any order: %s', (_label, isInnerFirst) => {
    for (const which of [0, 1, 2]) {
      for (const isOuterDisposedFirst of [false, true]) {
        const { scene, inner } = nested();
        const camera = eye();
        const objects = allOf(scene);
        scene.updateMatrixWorld();
        mainPass(scene, camera);
        const before = tellAll(objects);
        const roots = isInnerFirst ? [inner[which], scene] : [scene, inner[which]];
        const look = () => ({
          drawn: drawnBy(scene),
          innerDrawn: drawnBy(inner[which]),
          cast: namesOf(shadowPass(scene, camera, camera.layers)),
          hits: tellHits([0, 1, 2, 5, 6, 10].flatMap((x) => down(x).intersectObject(scene))),
          innerHits: tellHits([0, 1, 2, 5, 6, 10].flatMap((x) => down(x).intersectObject(inner[which]))),
          list: tellHits(down(1).intersectObjects(scene.children)),
        });
        const plain = look();
        const [first, second] = roots.map((root) => accelerate(root));
        const [outer, innermost] = isInnerFirst ? [second, first] : [first, second];
        expect(look()).toEqual(plain);
        expect(look()).toEqual(plain);
        const [early, late] = isOuterDisposedFirst ? [outer, innermost] : [innermost, outer];
        early.dispose();
        expect(look()).toEqual(plain);
        expect(look()).toEqual(plain);
        late.dispose();
        expect(look()).toEqual(plain);
        expect(tellAll(objects)).toEqual(before);
      }
    }
  });
});

describe('a scene', () => {
  it('may go from one scene to another, and be rendered by itself', () => {
    const [a, b] = [new THREE.Scene(), new THREE.Scene()];
    b.position.x = 3;
    const mesh = Object.assign(boxMesh(), { name: 'mesh' });
    const root = new THREE.Scene().add(mesh);
    a.add(root);
    for (const scene of [root, a, b]) accelerated(scene);
    expect(drawnBy(a)).toEqual(['mesh']);
    expect(drawnBy(b)).toEqual([]);
    b.add(root);
    expect(drawnBy(a)).toEqual([]);
    expect(drawnBy(b)).toEqual(['mesh']);
    expect(mesh.matrixWorld.elements[12]).toBe(3);
    expect(down(3).intersectObject(b)).toHaveLength(2);
    expect(down(3).intersectObject(a)).toHaveLength(0);
    root.removeFromParent();
    expect(drawnBy(root)).toEqual(['mesh']);
    expect(mesh.matrixWorld.elements[12]).toBe(0);
  });

  it('may have an index besides', () => {
    const scene = new THREE.Scene().add(boxMesh());
    const other = indexed(scene);
    const index = accelerate(scene);
    expect(other.cull(eye())).toHaveLength(1);
    expect(mainPass(scene, eye()).drawn).toHaveLength(1);
    index.dispose();
    expect(other.cull(eye())).toHaveLength(1);
  });
});

describe('an exception', () => {
  it('in a test or a callback of the user leaves the next pass as it was', () => {
    const bad = boxMesh().add(boxMesh(1));
    bad.castShadow = true;
    const scene = new THREE.Scene().add(boxMesh(2), bad, boxMesh(3));
    accelerated(scene);
    const camera = eye();
    const fail = (): never => {
      throw new Error('by the user');
    };
    const [draw, cast] = [() => mainPass(scene, camera), () => shadowPass(scene, camera, camera.layers)];
    for (const [name, passes] of [
      ['intersectsFrustum', [draw, cast]],
      ['onBeforeShadow', [cast]],
    ] as const) {
      bad[name] = fail;
      for (const pass of [...passes, ...passes]) {
        expect(pass).toThrow('by the user');
        expect(bad.children).toHaveLength(1);
        expect(allOf(scene)).toHaveLength(5);
      }
      delete (bad as Partial<THREE.Mesh>)[name];
      for (let i = 0; i < 2; i++) expect(draw().drawn).toHaveLength(4);
    }
  });

  it('in a raycast, or in the getter of a geometry, leaves the next pick as it was', () => {
    const scene = new THREE.Scene();
    const [bad, good] = [boxMesh(0, 2, 0), boxMesh()];
    const geometry = new THREE.BoxGeometry();
    let isBroken = false;
    Object.defineProperty(bad, 'geometry', {
      get: () => {
        if (isBroken) throw new Error('by the user');
        return geometry;
      },
    });
    scene.add(bad, good);
    const index = accelerated(scene);
    isBroken = true;
    expect(() => down().intersectObject(scene)).toThrow('by the user');
    isBroken = false;
    expect(down().intersectObject(scene)).toHaveLength(4);
    good.raycast = () => {
      throw new Error('mine');
    };
    scene.updateMatrixWorld();
    expect(() => down().intersectObject(scene)).toThrow('mine');
    expect(() => down().intersectObjects(scene.children)).toThrow('mine');
    delete (good as Partial<THREE.Mesh>).raycast;
    scene.updateMatrixWorld();
    expect(down().intersectObject(scene)).toHaveLength(4);
    expect(down().intersectObjects(scene.children)).toHaveLength(4);
    expect(mainPass(scene, eye()).drawn).toHaveLength(2);
    expect(validateScene(index)).toEqual([]);
  });
});

it('an object with an intersectsFrustum of its own is asked wherever it is, and decides', () => {
  class Everywhere extends THREE.Mesh {
    override intersectsFrustum(): boolean {
      return true;
    }
  }
  const everywhere = new Everywhere(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
  everywhere.position.x = 1e4;
  everywhere.name = 'everywhere';
  const never = Object.assign(boxMesh(), { intersectsFrustum: () => false });
  const scene = new THREE.Scene().add(everywhere, never);
  accelerated(scene);
  expect(drawnBy(scene)).toEqual(['everywhere']);
});

describe('levels of detail', () => {
  it('are those that three shows, in view or not, one in another, with hysteresis', () => {
    const seen = new Set<string>();
    const tell: Parameters<typeof expectSameTold>[0] = (scene, say) => {
      const next = random(4);
      const lods: THREE.LOD[] = [];
      const parents: THREE.Object3D[] = [scene];
      for (let i = 0; i < 40; i++) {
        const lod = new THREE.LOD();
        lod.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
        lod.autoUpdate = next() < 0.9;
        lod.visible = next() < 0.9;
        if (next() < 0.1) lod.layers.set(1);
        for (const distance of [0, 30, 60])
          lod.addLevel(new THREE.Group().add(boxMesh()), distance, next() < 0.5 ? 0.4 : 0);
        if (next() < 0.2) lods.at(-1)?.levels[1].object.add(lod);
        else parents[Math.floor(next() * parents.length)].add(lod);
        if (next() < 0.2) {
          const parent = Object.assign(new THREE.Group(), { isClippingGroup: next() < 0.5 });
          parent.visible = next() < 0.8;
          scene.add(parent);
          parents.push(parent);
        }
        lods.push(lod);
      }
      const camera = eye();
      for (let i = 0; i < 30; i++) {
        camera.position.set(next() * 80 - 40, next() * 80 - 40, next() * 80 - 40);
        camera.lookAt(next() * 20, next() * 20, next() * 20);
        mainPass(scene, camera);
        const shown = lods.flatMap((lod) => lod.levels.map((level) => level.object.visible));
        say(shown);
        seen.add(shown.join());
      }
    };
    expectSameTold(tell, { structure: new LooseOctree({ capacity: 4 }) });
    expect(seen.size).toBeGreaterThan(20);
  });
});

describe('an accelerated scene', () => {
  const camera = eye(0, 0, 20);
  const ray = () => new THREE.Raycaster(new THREE.Vector3(-50, 0.1, 0.2), new THREE.Vector3(1, 0, 0));

  it('takes, gives and clears children in the midst of a render, when its layers were tested and nobody walked on', () => {
    const root = new THREE.Scene();
    const [old, marker, other] = [boxMesh(1), boxMesh(2), boxMesh(3)];
    const raycaster = down();
    root.add(old);
    const index = accelerated(root);
    const acts = [() => root.add(marker), () => root.add(other), () => root.remove(old), () => root.clear()];
    for (const act of acts) {
      withinRender({ sortObjects: true }, root, camera, () => {
        root.layers.test(camera.layers);
        raycaster.intersectObject(root);
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
    const raycaster = ray();
    const count = raycaster.intersectObject(scene).length;
    index.remove(scene);
    scene.children[3].position.y = 1;
    expect(mainPass(scene, camera).drawn.length).toBeGreaterThan(10);
    expect(raycaster.intersectObject(scene).length).toBe(count - 2);
    expect(raycaster.intersectObjects(scene.children).length).toBe(count - 2);
  });

  it('draws once what is never culled and has no bounds', () => {
    const scene = rowOfBoxes(40, 1000);
    const odd = boxMesh(0, 3, 0);
    odd.geometry = odd.geometry.clone();
    odd.geometry.attributes.position.setX(0, Number.NaN);
    odd.frustumCulled = false;
    scene.add(odd);
    accelerated(scene);
    expect(mainPass(scene, camera).drawn.filter(({ object }) => object === odd)).toHaveLength(1);
  });

  it('is picked by its children as ever after another structure took the place of the one before', () => {
    const meshes = Array.from({ length: 20 }, (_, i) => boxMesh(0, 5 * i + 5, 0));
    const scene = new THREE.Scene().add(...meshes);
    const index = accelerated(scene);
    const raycaster = ray();
    const move = (mesh: THREE.Mesh, y: number): void => {
      mesh.position.y = y;
      scene.updateMatrixWorld();
    };
    const versions = [];
    for (const structure of ['bvh', 'octree', 'grid'] as const) {
      move(meshes[19], 105);
      expect(raycaster.intersectObjects(scene.children)).toEqual([]);
      versions.push(index.version);
      index.setStructure(createIndex(structure));
      move(meshes[19], 0);
      expect(raycaster.intersectObjects(scene.children)[0]?.object).toBe(meshes[19]);
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
    const run = (
      start: (scene: THREE.Scene) => SceneIndex,
      update: (scene: THREE.Scene, index: SceneIndex) => void,
    ): number => {
      const next = random(7);
      const meshes = Array.from({ length: 400 }, () => boxMesh(200 * next(), 200 * next(), 200 * next()));
      const scene = new THREE.Scene().add(...meshes);
      const index = start(scene);
      // Trees are rebuilt once their queries have lost more than that takes.
      for (let frame = 0; frame < 120; frame++) {
        if (frame < 20) for (const mesh of meshes) mesh.position.x += 10 * (next() - 0.5);
        update(scene, index);
        for (let i = 0; i < 40; i++) index.nearest(meshes[i].position, 3);
      }
      expect(validateScene(index)).toEqual([]);
      return stats(index).quality;
    };
    const fast = run(
      (scene) => accelerated(scene, { structure: new LooseOctree() }),
      (scene) => scene.updateMatrixWorld(),
    );
    const unkept = run(
      (scene) => new SceneIndex(scene, { structure: new LooseOctree() }),
      (_, index) => index.update(),
    );
    expect(fast).toBeGreaterThan(0.85);
    expect(unkept).toBeLessThan(0.2);
    const index = indexed(new THREE.Scene());
    expect(() => maintain(index, Number.NaN)).toThrow(RangeError);
    expect(maintain(index)).toBe(true);
  });
});

it('a view that sees nearly all is asked about less and less, another one each time, and it again once it turns away', () => {
  const index = accelerated(new THREE.Scene().add(...Array.from({ length: 100 }, (_, i) => boxMesh(i % 10, i / 10))));
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

it('lights come in the order of the scene, whenever they came and wherever they are moved by hand', () => {
  const make = () => {
    const [near, far] = [new THREE.Group(), new THREE.Group()];
    const crowd = Array.from({ length: 60 }, (_, i) => boxMesh(300 + i));
    return { scene: new THREE.Scene().add(near, ...crowd, far), near, far };
  };
  const worlds = [make(), make()];
  accelerated(worlds[1].scene);
  const light = (name: string): THREE.PointLight => Object.assign(new THREE.PointLight(), { name });
  const acts: ((world: ReturnType<typeof make>) => unknown)[] = [
    ({ scene }) => scene.add(light('sun')),
    ({ near }) => near.add(light('lamp')),
    ({ far }) => far.add(light('torch').add(light('spark')), light('candle')),
    ({ scene }) => scene.children.reverse(),
    ({ scene, near }) => near.add(scene.getObjectByName('torch') as THREE.PointLight),
    ({ scene }) => scene.remove(scene.children[20]),
  ];
  for (const act of acts) {
    worlds.forEach(act);
    const [expected, lights] = worlds.map(({ scene }) => mainPass(scene, eye()).lights.map(({ name }) => name));
    expect(lights).toEqual(expected);
  }
});
