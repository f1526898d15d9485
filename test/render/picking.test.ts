import * as THREE from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createIndex, LooseOctree } from '../../src/index.js';
import { STRUCTURES } from '../../src/standalone.js';
import { accelerated } from '../helpers/indexed.js';
import { random } from '../helpers/random.js';
import { boxMesh, mixedScene } from '../helpers/scene.js';
import { seeds } from '../helpers/width.js';

const plainRaycast = THREE.Mesh.prototype.raycast;
afterEach(() => {
  THREE.Mesh.prototype.raycast = plainRaycast;
});

const tell = (hits: THREE.Intersection[]): unknown[] => hits.map((hit) => ({ ...hit, object: hit.object.uuid }));

function randomRay(next: () => number): THREE.Raycaster {
  const origin = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(120);
  const target = new THREE.Vector3(next() - 0.5, next() - 0.5, next() - 0.5).multiplyScalar(40);
  const raycaster = new THREE.Raycaster(origin, target.sub(origin).normalize());
  raycaster.camera = new THREE.PerspectiveCamera();
  if (next() < 0.3) raycaster.near = next() * 40;
  if (next() < 0.3) raycaster.far = raycaster.near + next() * 80;
  raycaster.params.Line.threshold = next() * 2;
  raycaster.params.Points.threshold = next() * 2;
  if (next() < 0.3) raycaster.layers.set(Math.floor(next() * 3));
  if (next() < 0.2) raycaster.layers.enableAll();
  return raycaster;
}

const down = (x = 0): THREE.Raycaster =>
  new THREE.Raycaster(new THREE.Vector3(x + 0.1, 9, 0.2), new THREE.Vector3(0, -1, 0));

/** Casts at a scene in the ways that there are, and at objects below it. */
function castAll(raycaster: THREE.Raycaster, scene: THREE.Scene, below: THREE.Object3D[] = []): unknown[][] {
  const { children } = scene;
  const some = children.filter((_, i) => i % 3 === 0);
  return [
    raycaster.intersectObject(scene),
    raycaster.intersectObjects([scene]),
    raycaster.intersectObject(scene, false),
    raycaster.intersectObjects([children[1], scene, children[0]], false),
    raycaster.intersectObjects(children),
    raycaster.intersectObjects(children, false),
    raycaster.intersectObjects(some),
    raycaster.intersectObject(children[0]),
    ...below.flatMap((object) => [raycaster.intersectObject(object), raycaster.intersectObjects(object.children)]),
  ].map(tell);
}

/** Objects of every kind in a model, half of them in a level of a LOD in it, and some of those in a group. */
function model(next: () => number): { scene: THREE.Scene; below: THREE.Object3D[] } {
  const scene = mixedScene(next, 60);
  const [top, level, part] = [new THREE.Group(), new THREE.Group(), new THREE.Group()];
  const levels = new THREE.LOD().addLevel(level, 0);
  const [most, others, inner] = [120, 90, 60].map((count) => mixedScene(next, count).children);
  top.add(...most, levels);
  level.add(...others, part);
  part.add(...inner);
  top.rotation.set(next(), next(), next());
  scene.add(top);
  scene.updateMatrixWorld();
  return { scene, below: [top, levels, level, part] };
}

/**
 * The method that a library for triangle trees puts in the place of three's: it goes by a tree where the geometry has
 * one, and gives one hit a mesh to a raycaster that asks for it.
 */
function treeRaycast(this: THREE.Mesh, raycaster: THREE.Raycaster, hits: THREE.Intersection[]): void {
  const { boundsTree } = this.geometry as unknown as { boundsTree?: { casts: number } };
  if (boundsTree === undefined) {
    plainRaycast.call(this, raycaster, hits);
    return;
  }
  boundsTree.casts++;
  const own: THREE.Intersection[] = [];
  plainRaycast.call(this, raycaster, own);
  own.sort((a, b) => a.distance - b.distance);
  hits.push(...((raycaster as { firstHitOnly?: boolean }).firstHitOnly ? own.slice(0, 1) : own));
}

describe('a raycaster finds in an accelerated scene what it finds without', () => {
  it.each(seeds(8, 3))('at a model in it, with LODs, and at what the index was told to leave out, seed %i', (seed) => {
    const next = random(seed);
    const { scene, below } = model(next);
    scene.traverse((object) => next() < 0.2 && object.layers.set(1 + Math.floor(next() * 2)));
    const rays = Array.from({ length: 30 }, () => randomRay(next));
    const lists: THREE.Object3D[][] = [[], []];
    scene.traverse((object) => lists[Math.floor(next() * 2)].push(object));
    const castAtAll = () => [
      ...rays.map((raycaster) => castAll(raycaster, scene, below)),
      ...lists.map((list) => rays.map((raycaster) => tell(raycaster.intersectObjects(list, list.includes(scene))))),
    ];
    const [top] = below;
    top.children[3].raycast = () => false;
    const plain = castAtAll();
    const index = accelerated(scene, { structure: createIndex(STRUCTURES[seed % STRUCTURES.length], { capacity: 4 }) });
    expect(castAtAll()).toEqual(plain);
    const isIn = (object: THREE.Object3D | null, above: THREE.Object3D): boolean =>
      object !== null && (object === above || isIn(object.parent, above));
    const hits = rays.flatMap((ray) => ray.intersectObject(top));
    const hit = hits.find(({ object }) => !isIn(object, below[1]));
    if (hit !== undefined) index.remove(hit.object);
    expect(castAtAll()).toEqual(plain);
    expect(plain.flat(2).length).toBeGreaterThan(40);
  });

  it('at levels of a LOD that lie elsewhere, which the LOD casts at all the same', () => {
    const [near, far] = [boxMesh(), boxMesh(40)];
    const scene = new THREE.Scene().add(new THREE.LOD().addLevel(near, 0).addLevel(far, 100));
    scene.add(near.translateX(20));
    scene.updateMatrixWorld();
    const plain = castAll(down(20), scene);
    expect(plain[0]).toHaveLength(4);
    accelerated(scene);
    expect(castAll(down(20), scene)).toEqual(plain);
  });

  it.each([
    ['three has it', false],
    ['the object has it', true],
  ])('with a tree in the geometry, which is used, as %s', (_label, isOwn) => {
    const next = random(9);
    const scene = new THREE.Scene();
    const boundsTree = { casts: 0 };
    const geometry = Object.assign(new THREE.SphereGeometry(2), { boundsTree });
    for (let i = 0; i < 200; i++) {
      const mesh = new THREE.Mesh(i % 2 ? geometry : new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial());
      mesh.position.set(next() * 60 - 30, next() * 60 - 30, next() * 60 - 30);
      if (isOwn) mesh.raycast = treeRaycast;
      scene.add(mesh);
    }
    scene.updateMatrixWorld();
    const rays = Array.from({ length: 40 }, () => Object.assign(randomRay(next), { firstHitOnly: next() < 0.5 }));
    if (!isOwn) THREE.Mesh.prototype.raycast = treeRaycast;
    const plain = rays.map((raycaster) => castAll(raycaster, scene));
    if (!isOwn) THREE.Mesh.prototype.raycast = plainRaycast;
    accelerated(scene, { structure: new LooseOctree({ capacity: 4 }) });
    castAll(rays[0], scene);
    // The library comes after the index.
    if (!isOwn) THREE.Mesh.prototype.raycast = treeRaycast;
    boundsTree.casts = 0;
    for (const [i, raycaster] of rays.entries()) expect(castAll(raycaster, scene), `ray ${i}`).toEqual(plain[i]);
    expect(boundsTree.casts).toBeGreaterThan(0);
    expect(plain.flat(2).length).toBeGreaterThan(20);
  });
});

type Act = (scene: THREE.Scene, mesh: THREE.Mesh) => unknown;
it.each<[string, act: Act, ...places: (number | null)[]]>([
  ['what moved is where it was, and then where it is', (_, { position }) => position.setX(5), 0, 5],
  ['what made its own matrices is nowhere until then', (_, mesh) => mesh.translateX(5).updateMatrixWorld(), null, 5],
  ['what went is not found', (_, mesh) => mesh.removeFromParent(), null, null],
  [
    'what came is found at once, where its matrix says',
    (scene, mesh) => {
      const late = mesh.clone().translateX(5);
      late.updateMatrixWorld();
      scene.add(late);
      mesh.removeFromParent();
    },
    5,
    5,
  ],
])('a pick is answered by the matrices of the last update: %s', (_label, act, ...places) => {
  const mesh = boxMesh();
  const scene = new THREE.Scene().add(new THREE.Group().add(mesh), boxMesh(50));
  accelerated(scene);
  act(scene, mesh);
  for (const place of places) {
    for (const x of [0, 5]) expect(down(x).intersectObject(scene).length > 0, `${x}`).toBe(x === place);
    scene.updateMatrixWorld();
  }
});

it('raycastFirst gives the nearest hit of the scene, and asks no object behind it', () => {
  const scene = new THREE.Scene().add(...Array.from({ length: 200 }, (_, i) => boxMesh(0, 0, -3 * i)));
  let casts = 0;
  THREE.Mesh.prototype.raycast = function (raycaster, hits) {
    casts++;
    plainRaycast.call(this, raycaster, hits);
  };
  scene.updateMatrixWorld();
  const index = accelerated(scene);
  const raycaster = new THREE.Raycaster(new THREE.Vector3(0.1, 0.2, 9), new THREE.Vector3(0, 0, -1));
  const all = raycaster.intersectObject(scene);
  expect(all).toHaveLength(400);
  casts = 0;
  const first = index.raycastFirst(raycaster);
  expect(first && tell([first])).toEqual(tell(all.slice(0, 1)));
  expect(casts).toBeLessThan(5);
});

describe('without a look at each object', () => {
  type Target = [label: string, cast: (raycaster: THREE.Raycaster, scene: THREE.Scene) => THREE.Intersection[]];
  const targets: Target[] = [
    ['the list of its children', (raycaster, scene) => raycaster.intersectObjects(scene.children)],
    ['a model in it', (raycaster, { children: [top] }) => raycaster.intersectObject(top)],
    ['the children of a model', (raycaster, { children: [top] }) => raycaster.intersectObjects(top.children)],
    ['a list', (raycaster, { children: [top] }) => raycaster.intersectObjects([...top.children])],
    ['a list by itself', (raycaster, { children: [top] }) => raycaster.intersectObjects(top.children, false)],
  ];
  const isLookedAt = (count: number, cast: Target[1]): boolean => {
    const meshes = Array.from({ length: count }, (_, i) => boxMesh(9 * i));
    const scene = new THREE.Scene().add(new THREE.Group().add(...meshes), ...meshes.map(() => boxMesh(-9)));
    scene.updateMatrixWorld();
    const wanted = tell(cast(down(9), scene));
    accelerated(scene);
    let looks = 0;
    for (const mesh of meshes) {
      const { layers } = mesh;
      Object.defineProperty(mesh, 'layers', { get: () => ++looks && layers });
    }
    // Each mesh gives all its hits, or its first one by a `raycast` that knows of this.
    const raycasters = [down(9), Object.assign(down(9), { firstHitOnly: true })];
    for (const raycaster of raycasters) expect(tell(cast(raycaster, scene))).toEqual(wanted);
    expect(wanted).toHaveLength(2);
    return looks >= count;
  };

  it.each(targets)('%s is cast at, unless that is small', (_label, cast) => {
    expect([200, 40].map((count) => isLookedAt(count, cast))).toEqual([false, cast !== targets[0][1]]);
  });

  it('what has come since the last update is hit', () => {
    const top = new THREE.Group().add(...Array.from({ length: 90 }, (_, i) => boxMesh(9 * i)));
    const scene = new THREE.Scene().add(top);
    scene.updateMatrixWorld();
    accelerated(scene);
    const late = boxMesh(0, 3);
    top.add(late);
    late.updateMatrixWorld();
    const [first, ...others] = top.children;
    const casts = [
      down().intersectObject(top),
      down().intersectObjects(top.children),
      down().intersectObjects([first, ...others]),
    ];
    for (const hits of casts) expect(hits.map(({ object }) => object)).toEqual([late, late, first, first]);
    others[2].raycast = (_raycaster, hits) => hits.push({ distance: 1, object: others[2] } as THREE.Intersection);
    expect(down().intersectObjects([first, ...others])[0].object).toBe(others[2]);
  });

  it('a group that a ray misses is looked into for what may be hit elsewhere, from when it comes there', () => {
    const groups = Array.from({ length: 90 }, (_, i) => new THREE.Group().add(boxMesh(9 * i), new THREE.Group()));
    const scene = new THREE.Scene().add(...groups, new THREE.Group());
    scene.updateMatrixWorld();
    const index = accelerated(scene);
    const ray = down();
    const hitObjects = (): THREE.Object3D[] => ray.intersectObjects([...groups]).map(({ object }) => object);
    const [first, anywhere, sealed, left] = [groups[0].children[0], ...[60, 70, 80].map((i) => groups[i].children[1])];
    const [inSealed, inLeft] = [Object.preventExtensions(boxMesh()), boxMesh()];
    expect(hitObjects()).toEqual([first, first]);
    // None of this changes what is in the index.
    anywhere.raycast = (_raycaster, hits) => hits.push({ distance: 1, object: anywhere } as THREE.Intersection);
    scene.updateMatrixWorld();
    expect(hitObjects()).toEqual([anywhere, first, first]);
    sealed.add(inSealed);
    index.remove(left);
    left.add(inLeft);
    for (const late of [inSealed, inLeft]) late.updateMatrixWorld();
    expect(hitObjects()).toEqual([anywhere, first, inSealed, inLeft, first, inSealed, inLeft]);
  });

  it('an object in the list that inherits from one of the scene is hit where it is itself', () => {
    const meshes = Array.from({ length: 90 }, (_, i) => boxMesh(9 * i));
    const scene = new THREE.Scene().add(...meshes);
    scene.updateMatrixWorld();
    accelerated(scene);
    const twin = Object.create(meshes[1], { matrixWorld: { value: meshes[0].matrixWorld } });
    const hits = down().intersectObjects([...meshes, twin]);
    expect(hits.map(({ object }) => object)).toEqual([meshes[0], twin, meshes[0], twin]);
  });

  it('hits are sorted into those of other casts', () => {
    const scene = new THREE.Scene().add(boxMesh());
    accelerated(scene);
    const [near, far] = down().intersectObject(scene);
    const known = { ...near, distance: (near.distance + far.distance) / 2 };
    expect(tell(down().intersectObjects(scene.children, true, [known]))).toEqual(tell([near, known, far]));
  });
});

describe('casts that do not descend', () => {
  it("are three's again when no scene has an index any more", async () => {
    // Of the library as others use it in this process there may be indices left.
    vi.resetModules();
    const { accelerate } = await import('../../src/index.js');
    const { intersectObject, intersectObjects } = THREE.Raycaster.prototype;
    const scenes = [new THREE.Scene(), new THREE.Scene()];
    const [first, second] = scenes.map((scene) => accelerate(scene, {}));
    first.dispose();
    expect(THREE.Raycaster.prototype.intersectObject).not.toBe(intersectObject);
    second.dispose();
    expect(THREE.Raycaster.prototype).toMatchObject({ intersectObject, intersectObjects });
  });

  it('are told from casts within them, and after one that failed', () => {
    const scene = new THREE.Scene().add(boxMesh());
    accelerated(scene);
    const probe = new THREE.Object3D();
    let within: unknown[] = [];
    probe.raycast = (raycaster) => {
      within = [raycaster.intersectObject(scene).length, raycaster.intersectObject(scene, false).length];
    };
    expect(down().intersectObjects([probe, scene], false)).toEqual([]);
    expect(within).toEqual([2, 0]);
    probe.raycast = () => {
      throw new Error('by the user');
    };
    expect(() => down().intersectObject(probe, false)).toThrow('by the user');
    expect(down().intersectObject(scene)).toHaveLength(2);
  });
});
