import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex, stats } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { indexed, indexOf, updated } from '../../helpers/indexed.js';
import { boxMesh, lod, skinnedTower } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { atWidth } from '../../helpers/width.js';

const at = (index: SceneIndex, x: number, y = 0, z = 0): THREE.Object3D[] =>
  index.queryPoint(new THREE.Vector3(x, y, z));

/** A mesh in a group in a scene, and an index of that. */
function grouped() {
  const mesh = boxMesh();
  const group = new THREE.Group().add(mesh);
  const scene = new THREE.Scene().add(group);
  return { scene, group, mesh, index: new SceneIndex(scene) };
}

describe('a scene index follows', () => {
  it.each([1, 2, 3, 4])('nothing that another new object takes away as it is looked at, at call %i', (call) => {
    const [first, second] = [boxMesh(), boxMesh(5)];
    const { geometry } = second;
    let calls = 0;
    const get = () => {
      if (++calls === call) first.removeFromParent();
      return geometry;
    };
    Object.defineProperty(second, 'geometry', { get });
    const index = updated(indexOf(first, second));
    expect(first.parent).toBe(null);
    expect([at(index, 0), at(index, 5)]).toEqual([[], [second]]);
    expect(validateScene(index)).toEqual([]);
  });

  it('nothing of the objects that were declared static, until they are touched or their parent moves', () => {
    const { scene, group, mesh, index } = grouped();
    expect(stats(index).dynamic).toBe(3);
    index.setStatic(group);
    expect(stats(updated(index)).dynamic).toBe(1);
    mesh.position.x = 5;
    expect(at(updated(index), 5)).toEqual([]);
    index.touch(mesh);
    expect(at(updated(index), 5)).toEqual([mesh]);
    scene.position.y = 3;
    expect(at(updated(index), 5, 3)).toEqual([mesh]);
    const late = boxMesh(20);
    group.add(late);
    expect(at(updated(index), 20, 3)).toEqual([late]);
    expect(stats(index).dynamic).toBe(1);
    index.setStatic(group, false);
    index.update();
    mesh.position.x = -5;
    expect(at(updated(index), -5, 3)).toEqual([mesh]);
    expect(stats(index).dynamic).toBe(4);
    expect(validateScene(index)).toEqual([]);
  });

  it('the flag when it is set and cleared later, on the object or on what is above it, and that is touched', () => {
    const { scene, group, mesh, index } = grouped();
    const other = boxMesh(20);
    group.add(other);
    for (const top of [mesh, group, scene]) {
      index.update();
      const [before, x] = [stats(index).dynamic, mesh.position.x];
      top.static = true;
      expect(stats(updated(index)).dynamic).toBe(before);
      index.touch(top);
      mesh.position.x = x + 2;
      // An update looks at what was touched a last time.
      expect(at(updated(index), x + 2)).toEqual([mesh]);
      let below = 0;
      top.traverse(() => below++);
      expect(stats(index).dynamic).toBe(before - below);
      mesh.position.x = x + 4;
      expect(at(updated(index), x + 4)).toEqual([]);
      expect(mesh.matrixWorld.elements[12]).toBe(x + 2);
      const late = boxMesh(30);
      if (top !== mesh) group.add(late);
      index.update();
      top.static = false;
      expect(at(updated(index), x + 4)).toEqual([]);
      index.touch(top);
      expect(at(updated(index), x + 4)).toEqual([mesh]);
      group.remove(late);
      expect(stats(updated(index)).dynamic).toBe(before);
      expect(validateScene(index)).toEqual([]);
    }
  });

  it('the last word of marks and flags, where flags below one that is taken back keep what they have at rest', () => {
    const { scene, group, mesh, index } = grouped();
    const other = boxMesh(20);
    scene.add(other);
    const flag = (isStatic: boolean, ...objects: THREE.Object3D[]): void => {
      for (const object of objects) Object.assign(object, { static: isStatic });
      index.touch(objects[0]);
    };
    const isCopied = 'static' in new THREE.Object3D();
    const steps: [dynamic: number, act: () => unknown][] = [
      [4, () => {}],
      [0, () => flag(true, scene, group, mesh, other)],
      [1, () => flag(false, mesh)],
      [2, () => flag(false, scene)],
      [4, () => flag(false, scene, group, other)],
      [4, () => Object.assign(mesh, { static: true }) && index.setStatic(group, false)],
      [0, () => Object.assign(mesh, { static: false }) && index.setStatic(scene)],
      [0, () => flag(true, mesh)],
      [1, () => flag(false, mesh)],
      // A copy has the flag, too, where three copies it.
      [isCopied ? 0 : 1, () => index.touch(mesh.copy(Object.assign(boxMesh(), { static: true })))],
    ];
    expect(steps.map(([, act]) => [act(), stats(updated(updated(index))).dynamic][1])).toEqual(steps.map(([n]) => n));
  });

  it('the bones of a skinned mesh at rest, which lie elsewhere', () => {
    const tower = skinnedTower();
    const [bone] = tower.skeleton.bones;
    const index = updated(indexOf(tower, bone));
    index.setStatic(tower);
    index.update();
    bone.position.x = 30;
    expect(at(updated(index), 30, 1)).toEqual([tower]);
    expect(at(index, 0, 1)).toEqual([]);
  });

  it('what is moved below a static object that is not static itself', () => {
    const { group, mesh, index } = grouped();
    index.setStatic(group);
    index.setStatic(mesh, false);
    index.update();
    mesh.position.x = 4;
    expect(at(updated(index), 4)).toEqual([mesh]);
  });

  it('objects from elsewhere that are added by hand, and forgets those that are removed by hand', () => {
    const scene = new THREE.Scene();
    const index = new SceneIndex(scene);
    const elsewhere = boxMesh(3);
    expect(index.add(elsewhere)).toBe(true);
    expect(at(updated(index), 3)).toEqual([elsewhere]);
    expect(index.add(elsewhere)).toBe(false);
    expect(index.remove(elsewhere)).toBe(true);
    expect(index.remove(elsewhere)).toBe(false);
    expect(index.touch(elsewhere)).toBe(false);
    const mesh = boxMesh(8);
    scene.add(mesh);
    index.update();
    index.remove(mesh);
    expect(at(index, 8)).toEqual([]);
    index.add(mesh);
    expect(at(updated(index), 8)).toEqual([mesh]);
  });

  it('a root at rest, when what is above it moves or is left', () => {
    const world = new THREE.Group();
    const mesh = boxMesh();
    const root = new THREE.Group().add(mesh);
    world.add(root);
    const index = indexed(root);
    index.setStatic(root);
    expect(stats(updated(index)).dynamic).toBe(0);
    world.position.x = 5;
    expect(at(updated(index), 5)).toEqual([mesh]);
    expect(stats(index).dynamic).toBe(0);
    root.removeFromParent();
    expect(at(updated(index), 0)).toEqual([mesh]);
  });

  const CROWD = atWidth(100_000, 20_000);
  it(`a chain 5,000 deep and ${CROWD} children of one parent`, () => {
    let top: THREE.Object3D = boxMesh();
    for (let i = 0; i < 5000; i++) top = new THREE.Group().add(top);
    const crowd = new THREE.Group();
    for (let i = 0; i < CROWD; i++) crowd.add(boxMesh(i));
    const scene = new THREE.Scene().add(top, crowd);
    const index = new SceneIndex(scene);
    expect(index.size).toBe(CROWD + 1);
    expect(at(index, 17_777)).toHaveLength(1);
    scene.remove(crowd, top);
    expect(index.size).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });

  it.each(['and go below it', 'and come with it', 'which was left out', 'and rest'])(
    'objects that were added by hand before what is above them, %s',
    (what) => {
      const [scene, group, child, below] = [new THREE.Scene(), new THREE.Group(), boxMesh(2), boxMesh(3)];
      child.add(new THREE.Group().add(below));
      group.position.x = 10;
      const index = new SceneIndex(scene);
      if (what === 'which was left out') {
        scene.add(group.add(child));
        index.remove(group);
      } else if (what === 'and go below it') scene.add(group);
      index.add(child);
      if (what === 'and rest') index.setStatic(child);
      index.update();
      if (what === 'which was left out') index.add(group);
      else if (what === 'and go below it') group.add(child);
      else scene.add(group.add(child));
      expect(at(updated(index), 12)).toEqual([child]);
      expect(at(index, 15)).toEqual([below]);
      expect(stats(index).dynamic).toBe(what === 'and rest' ? 2 : 5);
      expect(validateScene(index)).toEqual([]);
      const camera = eye(12, 0, 20, { lookAt: [12, 0, 0] });
      expect(index.cull(camera)).toHaveLength(2);
      group.visible = false;
      expect(index.cull(camera)).toHaveLength(0);
      group.position.x = 20;
      expect(at(updated(index), 22)).toEqual([child]);
      scene.remove(group);
      expect([index.size, index.has(child), index.has(below)]).toEqual([0, false, false]);
    },
  );

  it('an object added by hand that becomes part of a LOD, which stands for it', () => {
    const object = lod();
    const index = indexOf(object);
    const mesh = boxMesh(9);
    index.add(mesh);
    index.update();
    object.levels[0].object.add(mesh);
    expect(at(updated(index), 9)).toEqual([object]);
    expect(index.size).toBe(1);
    expect(validateScene(index)).toEqual([]);
  });

  it('what is odd, with all else that came with it', () => {
    const scene = new THREE.Scene();
    const index = new SceneIndex(scene);
    const sprite = new THREE.Sprite();
    sprite.material = null as never;
    sprite.position.x = 20;
    const object = new THREE.LOD();
    const crowd = new THREE.Group();
    // More than can be the arguments of one call.
    crowd.children = new Array(300_000).fill(new THREE.Object3D());
    object.add(boxMesh(30), crowd);
    object.children.push({ name: 'hand-made, without children' } as never);
    scene.add(sprite, boxMesh(10), object);
    expect(at(updated(index), 10)).toHaveLength(1);
    expect(at(index, 20)).toEqual([sprite]);
    expect(at(index, 30)).toEqual([object]);
    scene.add(boxMesh(40));
    expect(at(updated(index), 40)).toHaveLength(1);
    expect(validateScene(index)).toEqual([]);
  });

  it('parts of a LOD that three does not move, at no cost while nothing changes', () => {
    const instanced = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 2);
    const still = boxMesh(10);
    still.updateMatrix();
    still.matrixAutoUpdate = false;
    const object = new THREE.LOD().addLevel(instanced).addLevel(still, 50);
    let measured = 0;
    const { getMatrixAt } = instanced;
    instanced.getMatrixAt = function (i, matrix) {
      if (i === 0) measured++;
      return getMatrixAt.call(this, i, matrix);
    };
    const index = updated(indexOf(object));
    /** How often instances are measured until the LOD is found at a place, or is not. */
    const costUntil = (isThere: boolean, y: number): number => {
      measured = 0;
      for (let i = 0; i < 5; i++) index.update();
      expect(measured).toBe(0);
      expect(at(index, 0, y)).toEqual(isThere ? [object] : []);
      return measured;
    };
    expect(costUntil(false, 15)).toBe(0);
    instanced.setMatrixAt(1, new THREE.Matrix4().makeTranslation(0, 15, 0));
    instanced.instanceMatrix.needsUpdate = true;
    expect(costUntil(true, 15)).toBe(1);
    instanced.count = 1;
    expect(costUntil(false, 15)).toBe(1);
    still.geometry = new THREE.BoxGeometry(1, 40, 1);
    expect(costUntil(true, 15)).toBe(0);
    still.matrix.makeTranslation(0, -20, 0);
    still.matrixWorldNeedsUpdate = true;
    expect(costUntil(false, 15)).toBe(0);
    expect(costUntil(true, -39)).toBe(0);
  });
});
