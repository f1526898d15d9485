import { Group, type Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex, stats } from '../../../src/index.js';
import { accelerated, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { allOf, boxMesh, mixedScene } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

const makers: [string, (scene: Scene) => SceneIndex][] = [
  ['new SceneIndex', (scene) => new SceneIndex(scene)],
  ['accelerate', (scene) => accelerated(scene)],
];
const matricesOf = (scene: Scene): number[][] =>
  allOf(scene).flatMap(({ matrix, matrixWorld }) => [[...matrix.elements], [...matrixWorld.elements]]);

/** Flags objects, each with what lies below it or alone; more than the pass keeps in the order of the walk. */
function flagged(seed: number): Scene {
  const next = random(seed);
  const scene = mixedScene(next, 400);
  for (const object of allOf(scene)) {
    const chance = next();
    if (chance < 0.2) object.static = true;
    if (chance < 0.05) object.traverse((below) => Object.assign(below, { static: next() < 0.7 }));
    // Written by the page: the index leaves it as it is.
    if (chance > 0.98) object.matrixAutoUpdate = false;
  }
  return scene;
}

describe.each(makers)("a scene with three's flags from before: %s", (_label, make) => {
  it.each([1, 2, 3, 4])('has the matrices and boxes that it has without, and keeps them, seed %i', (seed) => {
    const [plain, scene] = [flagged(seed), flagged(seed)];
    plain.updateMatrixWorld();
    const index = make(scene);
    expect(matricesOf(scene)).toEqual(matricesOf(plain));
    expect(validateScene(index)).toEqual([]);
    // What is not static is followed as ever, and what comes to it.
    const next = random(seed);
    for (let turn = 0; turn < 5; turn++) {
      for (const side of [plain, scene]) {
        const movers = allOf(side).filter((object) => !isAtRest(object));
        const picked = random(10 * seed + turn);
        for (let i = 0; i < 20; i++) movers[Math.floor(picked() * movers.length)].position.x += picked();
        const parent = movers[Math.floor(picked() * movers.length)];
        parent.add(Object.assign(boxMesh(picked()), { static: picked() < 0.5 }));
      }
      plain.updateMatrixWorld();
      updated(index);
      expect(matricesOf(scene)).toEqual(matricesOf(plain));
      expect(validateScene(index)).toEqual([]);
    }
    expect(next()).toBeLessThan(1);
  });

  it('looks at none of it in an update', () => {
    const scene = new Scene().add(...Array.from({ length: 300 }, (_, i) => new Group().add(boxMesh(i))));
    scene.static = true;
    const index = make(scene);
    expect([index.size, stats(index).dynamic]).toEqual([300, 0]);
    scene.children[7].position.x = 9;
    updated(index);
    expect(scene.children[7].matrix.elements[12]).toBe(0);
    index.touch(scene.children[7]);
    updated(index);
    expect([scene.children[7].matrix.elements[12], stats(index).dynamic]).toEqual([9, 0]);
    expect(validateScene(index)).toEqual([]);
  });

  it('finds what came by hand to a static object before the first update, or below one that moves', () => {
    const scene = new Scene().add(...Array.from({ length: 300 }, (_, i) => boxMesh(i)));
    const index = make(scene);
    const group = Object.assign(new Group(), { static: true });
    scene.add(group);
    const late = boxMesh(1, 2, 3);
    group.children.push(late);
    late.parent = group;
    expect(updated(index).has(late)).toBe(true);
    expect(index.size).toBe(301);
    // A new one that moves, below a new one at rest.
    const holder = Object.assign(new Group(), { static: true }).add(boxMesh(4));
    holder.position.y = 5;
    index.setStatic(holder.children[0], false);
    scene.add(holder);
    updated(index);
    expect(holder.children[0].matrixWorld.elements.slice(12, 14)).toEqual([4, 5]);
    holder.children[0].position.x = 6;
    updated(index);
    expect(holder.children[0].matrixWorld.elements.slice(12, 14)).toEqual([6, 5]);
    expect(validateScene(index)).toEqual([]);
  });
});

function isAtRest(object: Object3D): boolean {
  for (let o: Object3D | null = object; o !== null; o = o.parent) if (o.static) return true;
  return false;
}
