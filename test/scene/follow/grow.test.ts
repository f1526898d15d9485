import { Group, LOD, type Object3D, Scene } from 'three';
import { expect, it } from 'vitest';
import { Packed } from '../../../src/packed/Packed.js';
import { SceneParts } from '../../../src/scene/SceneParts.js';
import { random } from '../../helpers/random.js';
import { boxMesh } from '../../helpers/scene.js';
import { seeds } from '../../helpers/width.js';

/** Groups of meshes, side by side and in each other, made the same way each time. */
function makeScene(): Scene {
  const scene = new Scene();
  for (let i = 0; i < 6; i++) {
    const lod = new LOD();
    for (let level = 0; level < 3; level++) lod.addLevel(boxMesh(level), 10 * level);
    scene.add(new Group().add(boxMesh(i), new Group().add(boxMesh(i, 1), lod), boxMesh(i, 2)));
  }
  return scene;
}

const all = (scene: Scene): Object3D[] => {
  const found: Object3D[] = [];
  scene.traverse((object) => found.push(object));
  return found;
};
const matrices = (scene: Scene): number[][] => all(scene).map(({ matrixWorld }) => matrixWorld.toArray());
const is = (object: Object3D | null, other: Object3D): boolean =>
  object !== null && (object === other || is(object.parent, other));

type Act = (scene: Scene, next: () => number) => void;
const pick = (scene: Scene, next: () => number): Object3D => {
  const objects = all(scene);
  return objects[1 + Math.floor(next() * (objects.length - 1))];
};
const MOVES: Act[] = [
  (scene, next) => pick(scene, next).position.set(next(), next(), next()),
  (scene, next) => pick(scene, next).removeFromParent(),
  (scene, next) => pick(scene, next).add(boxMesh(next())),
  (scene, next) => {
    const [object, parent] = [pick(scene, next), pick(scene, next)];
    if (!is(parent, object)) parent.attach(object);
  },
  // By hand, without an event.
  (scene, next) => {
    const object = pick(scene, next);
    const { children } = object.parent as Object3D;
    children.splice(children.indexOf(object), 1);
    object.parent = null;
  },
];

it.each(seeds(60))(
  'a scene that is followed some objects at a time has the matrices of three after each update, and then all entries, seed %i',
  (seed) => {
    const [next, twin] = [random(seed), random(seed)];
    const [scene, plain] = [makeScene(), makeScene()];
    const parts = new SceneParts(scene, new Packed(), 'waiting');
    let isGrowing = true;
    for (let update = 0; update < 40; update++) {
      for (let act = 0; act < 2; act++) {
        const move = MOVES[Math.floor(next() * MOVES.length)];
        twin();
        if (all(scene).length > 1) move(scene, next);
        if (all(plain).length > 1) move(plain, twin);
      }
      plain.updateMatrixWorld();
      isGrowing &&= parts.follower.grow(3, false);
      if (!isGrowing) parts.update();
      expect(matrices(scene), `update ${update}`).toEqual(matrices(plain));
    }
    while (isGrowing) isGrowing = parts.follower.grow(3, false);
    parts.update();
    const { records } = parts.follower.hierarchy;
    expect(new Set(records.keys())).toEqual(new Set(all(scene)));
    for (const { object, parent } of records.values())
      expect(records.get(object.parent as Object3D) ?? null).toBe(parent);
    parts.dispose();
  },
);
