import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, explain, Octree, Quadtree } from '../../src/index.js';
import { loadAllBatching } from '../batching/Stage.js';
import { eye } from '../helpers/cameras.js';
import { accelerated, boxOf } from '../helpers/indexed.js';
import { mainPass } from '../helpers/passes.js';
import { any } from '../helpers/refusals.js';
import { boxMesh, ownNames, rowOfBoxes } from '../helpers/scene.js';

const properties = (scene: THREE.Scene): unknown => [scene, scene.layers, ...scene.children].map(ownNames);

it('a second acceleration takes over, as often as code is loaded again', () => {
  const scene = rowOfBoxes(60);
  const plain = properties(scene);
  const drawn = mainPass(scene, eye()).drawn.map(({ object }) => object.id);
  const first = accelerate(scene);
  const once = properties(scene);
  let last = first;
  for (let round = 0; round < 5; round++) {
    const next = accelerate(scene, { structure: round % 2 === 0 ? new Quadtree() : new Octree() });
    expect(() => last.update()).toThrow(
      'SceneIndex.update: the index was disposed when its scene was accelerated again',
    );
    expect(properties(scene)).toEqual(once);
    scene.updateMatrixWorld();
    const seen = mainPass(scene, eye()).drawn.map(({ object }) => object.id);
    expect(seen.sort()).toEqual(drawn.sort());
    last = next;
  }
  // Whoever still holds the first one ends nothing.
  first.dispose();
  expect([last.size, last.structure]).toEqual([60, 'quadtree']);
  last.dispose();
  expect(properties(scene)).toEqual(plain);
});

it('takes over the structure of the one before; what is refused leaves that one as it is', () => {
  const scene = rowOfBoxes(5);
  const structure = new Octree();
  const full = new Octree();
  full.add([0, 0, 0, 1, 1, 1]);
  const taken = new Quadtree();
  accelerated(rowOfBoxes(2), { structure: taken });
  const first = accelerate(scene, { structure });
  for (const bad of [{ structure: full }, { structure: taken }, { structure: 'octree' }, { bacth: true }, null]) {
    expect(() => accelerate(scene, any(bad))).toThrow(/^accelerate/);
    expect([first.size, first.cull(eye()).length > 0]).toEqual([5, true]);
  }
  const second = accelerate(scene, { structure });
  expect([second.size, second.structure, structure.size]).toEqual([5, 'octree', 5]);
  second.dispose();
});

it('setStatic holds for what comes later, once', () => {
  const scene = rowOfBoxes(3);
  const index = accelerated(scene);
  index.setStatic(scene);
  const meshes = [boxMesh(20), boxMesh(30), boxMesh(40)];
  const [door, crate, lamp] = meshes;
  const group = new THREE.Group().add(lamp);
  const told = [index.setStatic(door, false), index.setStatic(crate), index.setStatic(group, false)];
  expect(told).toEqual([false, false, false]);
  scene.add(door, crate, group);
  const heightsAt = (y: number): unknown[] => {
    index.update();
    for (const mesh of meshes) mesh.position.y = y;
    index.update();
    return meshes.map((mesh) => boxOf(index, mesh).min.y);
  };
  expect(heightsAt(50)).toEqual([49.5, -0.5, 49.5]);
  // Told once it is there, as ever.
  expect(index.setStatic(door)).toBe(true);
  scene.remove(door);
  scene.add(door);
  expect(heightsAt(80)).toEqual([49.5, -0.5, 79.5]);
});

it('batch holds for what comes later, and explain knows it before the next picture', async () => {
  await loadAllBatching();
  const scene = new THREE.Scene().add(...Array.from({ length: 8 }, (_, i) => boxMesh(i)));
  const index = accelerated(scene, { batch: { atLeast: 4 } });
  const alone = boxMesh(3);
  expect(index.batch(alone, false)).toBe(false);
  scene.add(alone);
  scene.updateMatrixWorld();
  const say = (): string => explain(index, alone, eye()).join(' ');
  expect(say()).toContain('not in a batch: batches are switched off for it or an ancestor');
  for (let i = 0; i < 3; i++) mainPass(scene, eye());
  expect(say()).toContain('batches are switched off');
  index.batch(alone);
  expect(say()).not.toContain('batches are switched off');
});

/** An update of the user's, which three calls, and which does more than three's. */
function shove(this: THREE.Object3D, force?: boolean): void {
  THREE.Object3D.prototype.updateMatrixWorld.call(this, force);
  this.matrixWorld.elements[12] += 1;
  for (const child of this.children) child.updateMatrixWorld(true);
}

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
