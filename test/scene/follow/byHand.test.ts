import { type Box3, Group, Object3D, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { accelerated, boxOf, indexed, updated } from '../../helpers/indexed.js';
import { mainPass } from '../../helpers/passes.js';
import { allOf, boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

const at = (index: SceneIndex, x: number): Object3D[] => index.queryPoint(new Vector3(x, 0, 0));
/** Puts a child in a list, with no word to anyone. */
function put(child: Object3D, parent: Object3D): void {
  parent.children.push(child);
  child.parent = parent;
}

describe('children that come and go by hand', () => {
  it('come once a cycle beside them is mended, though an update ended with it', () => {
    const group = new Group();
    const scene = new Scene().add(group);
    const index = indexed(scene);
    const cyclic = new Group();
    put(cyclic, group);
    cyclic.children.push(scene);
    const late = boxMesh(5);
    put(late, group);
    expect(() => index.update()).toThrow(RangeError);
    cyclic.children.length = 0;
    expect(at(updated(index), 5)).toEqual([late]);
    expect(validateScene(index)).toEqual([]);
  });

  it.each(['first', 'second'])('in the lists of two parents lie below the one that they name, the %s', (which) => {
    const [a, b] = [new Group().add(boxMesh(1)), new Group().add(boxMesh(2))];
    const index = indexed(new Scene().add(a, b));
    const twice = boxMesh(5);
    for (const parent of [a, b]) put(twice, parent);
    const [named, other] = which === 'first' ? [a, b] : [b, a];
    twice.parent = named;
    named.position.y = 7;
    // The list of the other changes in each of these.
    for (let turn = 0; turn < 3; turn++) {
      put(boxMesh(10 + turn), other);
      expect(boxOf(updated(index), twice)?.getCenter(new Vector3()).y).toBe(7);
    }
    expect(index.size).toBe(6);
    named.children.splice(named.children.indexOf(twice), 1);
    twice.parent = other;
    expect(boxOf(updated(index), twice)?.getCenter(new Vector3()).y).toBe(0);
  });

  it.each([
    ['a group', false],
    ['a group at rest', true],
  ])('are gone with what they lay in, if that goes next: %s', (_label, isStatic) => {
    const group = new Group().add(boxMesh().add(new Group().add(boxMesh(1))));
    const scene = new Scene().add(group, ...Array.from({ length: 60 }, (_, i) => boxMesh(0, 0, -3 * i)));
    const gone: Object3D[] = [];
    group.traverse((object) => gone.push(object));
    const index = accelerated(scene);
    if (isStatic) index.setStatic(group);
    for (let i = 0; i < 3; i++) mainPass(scene, eye(0, 0, 30));
    group.children.length = 0;
    scene.remove(group);
    const { drawn } = mainPass(scene, eye(0, 0, 30));
    expect(drawn.filter(({ object }) => gone.includes(object))).toEqual([]);
    expect(gone.filter((object) => index.has(object))).toEqual([]);
    expect(index.size).toBe(60);
    expect(validateScene(index)).toEqual([]);
  });

  it('come to what lies below something at rest, though that is touched in the same update', () => {
    const moving = new Group();
    const resting = new Group().add(moving);
    const scene = new Scene().add(resting);
    const index = indexed(scene);
    index.setStatic(resting);
    index.setStatic(moving, false);
    for (let i = 0; i < 2; i++) index.update();
    const late = boxMesh(5);
    put(late, moving);
    index.touch(resting);
    expect(at(updated(index), 5)).toEqual([late]);
    const second = boxMesh(9);
    put(second, moving);
    scene.position.x = 1;
    expect(at(updated(index), 10)).toEqual([second]);
    expect(validateScene(index)).toEqual([]);
  });
});

it('a matrix that ceases to be projective is noticed, though the rest of it is as it was', () => {
  const mesh = boxMesh();
  mesh.matrixAutoUpdate = false;
  const index = indexed(new Scene().add(mesh));
  const before = boxOf(index, mesh);
  const write = (w: number): Box3 => {
    mesh.matrix.elements[3] = w;
    mesh.matrixWorldNeedsUpdate = true;
    return boxOf(updated(index), mesh);
  };
  expect(write(0.5)).not.toEqual(before);
  expect(write(0)).toEqual(before);
});

describe('on a page that makes matrices itself, what rests has its own made after pictures that left them, where it', () => {
  it.each<[what: string, act: (of: { mesh: Object3D; group: Group; index: SceneIndex }) => void]>([
    ['came so', () => {}],
    ['moved and is marked', ({ mesh, index }) => index.setStatic(mesh.translateX(3))],
    ['moved and is touched', ({ mesh, index }) => index.touch(mesh.translateX(3))],
    ['comes', ({ mesh }) => mesh.add(boxMesh(3))],
    ['lies below what moves', ({ group }) => group.translateX(3)],
    ['lies below a matrix that was written', ({ group }) => group.translateX(3).updateWorldMatrix(false, false)],
  ])('%s', (_what, act) => {
    const mesh = Object.assign(boxMesh(1).add(boxMesh(1)), { static: true });
    const group = new Group().add(mesh, boxMesh(2));
    const scene = new Scene().add(group);
    scene.matrixWorldAutoUpdate = false;
    const index = accelerated(scene);
    if (act.length > 0) scene.updateMatrixWorld();
    act({ mesh, group, index });
    for (let i = 0; i < 2; i++) mainPass(scene, eye(0, 0, 30));
    scene.updateMatrixWorld();
    const found = allOf(scene).map(({ matrixWorld }) => matrixWorld.clone());
    expect(validateScene(index)).toEqual([]);
    Object3D.prototype.updateMatrixWorld.call(scene, true);
    expect(found).toEqual(allOf(scene).map(({ matrixWorld }) => matrixWorld));
  });
});
