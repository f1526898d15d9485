import * as THREE from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AccelerateOptions, accelerate, LooseOctree, SceneIndex } from '../../src/index.js';
import { eye } from '../helpers/cameras.js';
import { accelerated } from '../helpers/indexed.js';
import { loadCasters } from '../helpers/loadCasters.js';
import { frustumOf, mainPass, shadowPass } from '../helpers/passes.js';
import { random } from '../helpers/random.js';
import { allOf, boxMesh, strewn } from '../helpers/scene.js';
import { validateScene } from '../helpers/validateScene.js';
import { seeds } from '../helpers/width.js';

beforeAll(loadCasters);

const ROOTS = ['scene', 'outer', 'middle', 'inner'];

const namesOf = (objects: THREE.Object3D[]): string[] => objects.map(({ name }) => name).sort();
const tell = (hits: THREE.Intersection[]): unknown[] => hits.map((hit) => ({ ...hit, object: hit.object.name }));

function topOf(object: THREE.Object3D): THREE.Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}

/** An update of the user's, which three calls, and which does more than three's. */
function shove(this: THREE.Object3D, force?: boolean): void {
  THREE.Object3D.prototype.updateMatrixWorld.call(this, force);
  this.matrixWorld.elements[12] += 1;
  for (const child of this.children) child.updateMatrixWorld(true);
}

/** A scene with three roots in one another, each with boxes and lines; and some loose groups. */
class World {
  readonly scene = new THREE.Scene();
  readonly camera = eye(0, 0, 40, { far: 200 });
  readonly all: THREE.Object3D[] = [];
  readonly indices = new Map<THREE.Object3D, SceneIndex>();

  constructor(seed: number) {
    const next = random(seed);
    const roots = [this.scene, new THREE.Scene(), new THREE.Scene(), new THREE.Group()];
    const parents: THREE.Object3D[] = [...roots];
    roots.forEach((root, i) => {
      root.name = ROOTS[i];
      if (i > 0) roots[i - 1].add(root);
    });
    for (let i = 0; i < 90; i++) {
      const kind = next();
      const line = () => new THREE.Line(strewn(next, 4), new THREE.LineBasicMaterial());
      const object = kind < 0.7 ? boxMesh() : kind < 0.85 ? line() : new THREE.Group();
      object.name = `object ${i}`;
      object.castShadow = true;
      object.position.set(next() * 16 - 8, next() * 16 - 8, next() * 16 - 8);
      object.rotation.set(next() * 6, next() * 6, 0);
      parents[Math.floor(next() * parents.length)].add(object);
      if (kind > 0.6) parents.push(object);
      if (i % 11 === 3) object.updateMatrixWorld = shove;
      if (i % 17 === 5) object.matrixAutoUpdate = false;
    }
    this.scene.updateMatrixWorld();
    mainPass(this.scene, this.camera);
    this.all = allOf(this.scene);
  }

  named(name: string): THREE.Object3D {
    return this.all.find((object) => object.name === name) as THREE.Object3D;
  }

  /** Updates the scene, and what was taken out of it and is a root or has one below. */
  update(): void {
    const tops = new Set(ROOTS.map((name) => topOf(this.named(name))));
    for (const top of tops) top.updateMatrixWorld();
  }

  dispose(): void {
    for (const index of this.indices.values()) index.dispose();
    this.indices.clear();
  }
}

/** What comes of an update of a root: where everything below it is, and what is hit. */
function lookAt(root: THREE.Object3D, rays: THREE.Raycaster[]): unknown {
  return {
    matrices: allOf(root).map(({ name, matrixWorld }) => [name, ...matrixWorld.elements]),
    hits: rays.map((ray) => tell(ray.intersectObject(root))),
    list: rays.map((ray) => tell(ray.intersectObjects([...root.children]))),
  };
}

/** Of what is drawn, what has its box in view: three goes by spheres, which reach farther, and nothing of that is seen. */
function inView(drawn: THREE.Object3D[], camera: THREE.PerspectiveCamera): string[] {
  const frustum = frustumOf(camera);
  const isInView = (object: THREE.Object3D): boolean => {
    const position = (object as THREE.Mesh).geometry.attributes.position as THREE.BufferAttribute;
    return frustum.intersectsBox(new THREE.Box3().setFromBufferAttribute(position).applyMatrix4(object.matrixWorld));
  };
  return namesOf(drawn.filter(isInView));
}

function lookAtAll({ scene, camera, all }: World, rays: THREE.Raycaster[]): unknown {
  const drawn = mainPass(scene, camera).drawn.map(({ object }) => object);
  return {
    drawn: inView(drawn, camera),
    cast: inView(shadowPass(scene, camera, camera.layers), camera),
    roots: all.filter(({ name }) => ROOTS.includes(name)).map((root) => lookAt(root, rays)),
  };
}

function randomRays(next: () => number): THREE.Raycaster[] {
  return Array.from({ length: 3 }, () => {
    const origin = new THREE.Vector3(next() * 30 - 15, next() * 30 - 15, 40);
    const target = new THREE.Vector3(next() * 16 - 8, next() * 16 - 8, next() * 16 - 8);
    return new THREE.Raycaster(origin, target.sub(origin).normalize());
  });
}

/** A plain index is for any root, and what is null; what is accelerated is a scene. */
const OPTIONS: readonly (AccelerateOptions | null)[] = [{}, { cullCasters: true }, null];

function makeIndex(root: THREE.Object3D, options: AccelerateOptions | null): SceneIndex {
  const structure = new LooseOctree({ capacity: 4 });
  const isPlain = options === null || !(root instanceof THREE.Scene);
  return isPlain ? new SceneIndex(root, { structure }) : accelerate(root, { ...options, structure });
}

/** One change, the same to each world; but only the first has indices. */
function change(worlds: World[], next: () => number, known: string[]): void {
  const kind = next();
  const name = known[Math.floor(next() * known.length)];
  const parent = known[Math.floor(next() * known.length)];
  const root = ROOTS[Math.floor(next() * ROOTS.length)];
  const options = OPTIONS[Math.floor(next() * OPTIONS.length)];
  const [x, y] = [next() * 16 - 8, next() * 16 - 8];
  worlds.forEach((world, i) => {
    const object = world.named(name);
    if (kind < 0.35) object.position.set(x, y, 0);
    else if (kind < 0.5) world.named(root).position.set(x / 4, y / 4, 0);
    else if (kind < 0.65) {
      if (!allOf(object).includes(world.named(parent))) world.named(parent).add(object);
    } else if (kind < 0.7) {
      if (object !== world.scene) object.removeFromParent();
    } else if (i === 0) {
      const there = world.named(root);
      const index = world.indices.get(there);
      index?.dispose();
      if (!world.indices.delete(there)) world.indices.set(there, makeIndex(there, options));
    }
  });
}

describe('accelerated roots and plain indices within each other are as without', () => {
  it.each(seeds(3, 1))('in any order, moved, added and removed, seed %i', (seed) => {
    const next = random(seed);
    const worlds = [new World(seed), new World(seed)];
    const [fast, plain] = worlds;
    const known = fast.all.map(({ name }) => name);
    const tell = (): string[][] => fast.all.map((object) => Object.getOwnPropertyNames(object));
    const before = tell();
    for (let i = 0; i < 120; i++) {
      change(worlds, next, known);
      const rays = randomRays(next);
      // An update of one root alone is enough for picks at it.
      const alone = ROOTS[Math.floor(next() * ROOTS.length)];
      if (next() < 0.4 && fast.indices.has(fast.named(alone))) {
        for (const world of worlds) world.named(alone).updateMatrixWorld();
        const [found, wanted] = worlds.map((world) => world.named(alone));
        const isPlain = found.updateMatrixWorld === wanted.updateMatrixWorld;
        if (!isPlain) expect(lookAt(found, rays), `step ${i}, ${alone}`).toEqual(lookAt(wanted, rays));
      }
      for (const world of worlds) world.update();
      expect(lookAtAll(fast, rays), `step ${i}`).toEqual(lookAtAll(plain, rays));
      for (const index of fast.indices.values()) {
        index.update();
        const there = plain.named(index.root.name);
        const fresh = new SceneIndex(there);
        expect(namesOf(index.cull(fast.camera)), `step ${i}`).toEqual(namesOf(fresh.cull(plain.camera)));
        fresh.dispose();
        expect(validateScene(index)).toEqual([]);
      }
    }
    fast.dispose();
    expect(tell()).toEqual(before);
  });
});

describe('what comes below an object at rest is put where it belongs', () => {
  it.each<[string, THREE.Object3D, x: number]>([
    ['a camera', new THREE.PerspectiveCamera(), 6],
    ['an accelerated scene', new THREE.Scene(), 6],
    ['an object with an update of its own', Object.assign(new THREE.Group(), { updateMatrixWorld: shove }), 7],
  ])('below %s', (_label, above, x) => {
    const between = new THREE.Group();
    const scene = new THREE.Scene().add(above.add(between));
    above.position.x = 5;
    const index = accelerated(scene);
    if (above instanceof THREE.Scene) accelerated(above);
    index.setStatic(above);
    scene.updateMatrixWorld();
    const late = boxMesh(1, 2, 3);
    between.add(late);
    scene.updateMatrixWorld();
    const { elements } = late.matrixWorld;
    expect(elements.slice(12, 15)).toEqual([x, 2, 3]);
    late.position.y = 7;
    index.touch(late);
    scene.updateMatrixWorld();
    expect(elements.slice(12, 15)).toEqual([x, 7, 3]);
  });
});

it('an update that was wrapped goes on without the index when that is disposed', () => {
  const scene = new THREE.Scene().add(boxMesh(1, 2, 3));
  const index = accelerate(scene);
  const { updateMatrixWorld } = scene;
  scene.updateMatrixWorld = function (force) {
    updateMatrixWorld.call(this, force);
  };
  index.dispose();
  scene.position.x = 4;
  scene.updateMatrixWorld();
  expect(scene.children[0].matrixWorld.elements[12]).toBe(5);
});

it('an accelerated scene is updated by what is above it as that is, as by three', () => {
  const group = new THREE.Scene().add(boxMesh());
  const scene = new THREE.Scene().add(group);
  accelerated(group);
  scene.position.x = 4;
  group.updateMatrixWorld();
  expect(group.children[0].matrixWorld.elements[12]).toBe(0);
  scene.updateMatrixWorld();
  expect(group.children[0].matrixWorld.elements[12]).toBe(4);
});
