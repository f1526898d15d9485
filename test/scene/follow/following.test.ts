import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex, SceneIndexHelper, stats } from '../../../src/index.js';
import { eye } from '../../helpers/cameras.js';
import { countAlive } from '../../helpers/garbage.js';
import { indexed, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { allOf, boxMesh, lod, mixedScene } from '../../helpers/scene.js';
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
    Object.defineProperty(second, 'geometry', {
      get: () => {
        if (++calls === call) first.removeFromParent();
        return geometry;
      },
    });
    const scene = new THREE.Scene().add(first, second);
    const index = updated(new SceneIndex(scene));
    expect(first.parent).toBe(null);
    expect(at(index, 0)).toEqual([]);
    expect(at(index, 5)).toEqual([second]);
    validateScene(index);
    index.dispose();
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

  it("three's own static flag", () => {
    const mesh = boxMesh(1);
    mesh.static = true;
    const index = indexOf(mesh);
    expect(at(index, 1)).toEqual([mesh]);
    expect(stats(index).dynamic).toBe(1);
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

  it('the flags of all objects, and of single ones after that', () => {
    const { scene, mesh, index } = grouped();
    const [other, last] = [boxMesh(20), boxMesh(40)];
    scene.add(other, last);
    index.update();
    scene.traverse((object) => {
      object.static = true;
    });
    index.touch(scene);
    expect(stats(updated(index)).dynamic).toBe(0);
    mesh.static = false;
    index.touch(mesh);
    mesh.position.x = 5;
    other.position.x = 25;
    expect(at(updated(index), 5)).toEqual([mesh]);
    expect(at(index, 25)).toEqual([]);
    // What has a flag of its own stays at rest, after a last look.
    scene.static = false;
    index.touch(scene);
    last.position.x = 45;
    expect([stats(updated(index)).dynamic, at(index, 25).length, at(index, 45).length]).toEqual([2, 1, 1]);
    other.position.x = 30;
    expect(at(updated(index), 30)).toEqual([]);
    scene.traverse((object) => {
      object.static = false;
    });
    index.touch(scene);
    expect([at(updated(index), 30), stats(index).dynamic]).toEqual([[other], 5]);
  });

  it('the last word of a mark and a flag', () => {
    const { scene, group, mesh, index } = grouped();
    const dynamic = () => stats(updated(updated(index))).dynamic;
    mesh.static = true;
    index.setStatic(group, false);
    expect(dynamic()).toBe(3);
    mesh.static = false;
    index.setStatic(scene);
    expect(dynamic()).toBe(0);
    mesh.static = true;
    index.touch(mesh);
    expect(dynamic()).toBe(0);
    mesh.static = false;
    index.touch(mesh);
    expect(dynamic()).toBe(1);
    // A copy has the flag, too, since three copies it.
    mesh.copy(Object.assign(boxMesh(), { static: true }));
    index.touch(mesh);
    const isCopied = 'static' in new THREE.Object3D();
    expect([mesh.static, dynamic()]).toEqual(isCopied ? [true, 0] : [false, 1]);
  });

  it('what is moved below a static object that is not static itself', () => {
    const { group, mesh, index } = grouped();
    index.setStatic(group);
    index.setStatic(mesh, false);
    index.update();
    mesh.position.x = 4;
    expect(at(updated(index), 4)).toEqual([mesh]);
  });

  it('a LOD that goes after a part of it was taken out by hand', () => {
    const object = lod();
    const [group, part] = [new THREE.Group(), boxMesh()];
    object.addLevel(group.add(part), 80);
    const index = indexOf(object);
    // Their counts of children are all that is left to tell of it.
    object.children.pop();
    group.parent = null;
    object.removeFromParent();
    part.position.x = 1;
    expect(at(updated(index), 0)).toEqual([]);
    expect(validateScene(index)).toEqual([]);
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
  const make = () => {
    const [scene, group, child, grandchild] = [new THREE.Scene(), new THREE.Group(), boxMesh(2), boxMesh(3)];
    child.add(new THREE.Group().add(grandchild));
    group.position.x = 10;
    return { scene, group, child, grandchild, index: new SceneIndex(scene) };
  };
  it.each<[string, (made: ReturnType<typeof make>) => unknown]>([
    [
      'and go below it',
      ({ index, scene, group, child }) => {
        index.add(child);
        scene.add(group);
        index.update();
        group.add(child);
      },
    ],
    [
      'and come with it',
      ({ index, scene, group, child }) => {
        index.add(child);
        index.update();
        scene.add(group.add(child));
      },
    ],
    [
      'which was left out',
      ({ index, scene, group, child }) => {
        scene.add(group.add(child));
        index.remove(group);
        index.add(child);
        index.update();
        index.add(group);
      },
    ],
  ])('objects that were added by hand before what is above them, %s', (_label, act) => {
    const made = make();
    const { index, scene, group, child, grandchild } = made;
    act(made);
    expect(at(updated(index), 12)).toEqual([child]);
    expect(at(index, 15)).toEqual([grandchild]);
    expect(validateScene(index)).toEqual([]);
    const camera = eye(12, 0, 20, { lookAt: [12, 0, 0] });
    expect(index.cull(camera)).toHaveLength(2);
    group.visible = false;
    expect(index.cull(camera)).toHaveLength(0);
    scene.remove(group);
    expect([index.size, index.has(child), index.has(grandchild)]).toEqual([0, false, false]);
  });

  it('objects that were added by hand and declared static, at rest below what is above them now', () => {
    const scene = new THREE.Scene();
    const index = new SceneIndex(scene);
    const mesh = boxMesh(2);
    const below = boxMesh(3);
    index.add(mesh.add(below));
    index.setStatic(mesh);
    index.update();
    const group = new THREE.Group();
    scene.add(group.add(mesh));
    index.update();
    const { dynamic } = stats(index);
    expect(dynamic).toBe(2);
    group.position.x = 10;
    expect(at(updated(index), 12)).toEqual([mesh]);
    expect(at(index, 15)).toEqual([below]);
  });

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

  it('bounds declared anew of the geometry an object has now, or those that a LOD has', () => {
    const object = lod();
    const mesh = boxMesh(20);
    const scene = new THREE.Scene().add(object, mesh);
    const index = new SceneIndex(scene);
    index.setStatic(mesh);
    const level = object.levels[0].object as THREE.Mesh;
    const wide = (): THREE.Box3 => new THREE.Box3(new THREE.Vector3(-9, -9, -9), new THREE.Vector3(9, 9, 9));
    level.geometry = new THREE.BoxGeometry();
    index.update();
    level.geometry.boundingBox = wide();
    index.touch(object);
    expect(at(updated(index), 0, 8.5).includes(object)).toBe(true);
    const other = new THREE.BoxGeometry();
    // Measured before it gets to the mesh.
    scene.add(new THREE.Mesh(other));
    index.update();
    other.boundingBox = wide();
    mesh.geometry = other;
    index.touch(mesh);
    expect(at(updated(index), 28.5)).toEqual([mesh]);
  });

  it('parts of a LOD that three does not move, at no cost while nothing changes', () => {
    const object = new THREE.LOD();
    const instanced = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 2);
    instanced.setMatrixAt(1, new THREE.Matrix4().makeTranslation(5, 0, 0));
    const still = boxMesh(10);
    still.updateMatrix();
    still.matrixAutoUpdate = false;
    object.addLevel(instanced);
    object.addLevel(still, 50);
    const scene = new THREE.Scene().add(object);
    let measured = 0;
    const { getMatrixAt } = instanced;
    instanced.getMatrixAt = function (i, matrix) {
      if (i === 0) measured++;
      return getMatrixAt.call(this, i, matrix);
    };
    const index = new SceneIndex(scene);
    index.update();
    measured = 0;
    for (let i = 0; i < 5; i++) index.update();
    expect(measured).toBe(0);
    instanced.setMatrixAt(1, new THREE.Matrix4().makeTranslation(0, 15, 0));
    instanced.instanceMatrix.needsUpdate = true;
    index.update();
    expect(measured).toBe(0);
    expect(at(index, 0, 15)).toEqual([object]);
    expect(measured).toBe(1);
    instanced.count = 1;
    expect(at(updated(index), 0, 15)).toEqual([]);
    still.geometry = new THREE.BoxGeometry(1, 40, 1);
    expect(at(updated(index), 0, 15)).toEqual([object]);
    still.geometry.translate(0, -20, 0);
    still.geometry.attributes.position.needsUpdate = true;
    expect(at(updated(index), 0, 15)).toEqual([]);
    still.matrix.makeTranslation(0, 10, 0);
    still.matrixWorldNeedsUpdate = true;
    index.update();
    expect(measured).toBeLessThan(8);
    measured = 0;
    index.update();
    expect(measured).toBe(0);
    expect(at(index, 0, 9)).toEqual([object]);
  });
});

describe('dispose', () => {
  it('leaves every object as it was, and the index unusable', () => {
    const scene = mixedScene(random(2), 80);
    const keysOf = (): string[][] => allOf(scene).map((object) => Object.keys(object));
    const before = keysOf();
    const listener = (): void => {};
    scene.children[0].addEventListener('childadded', listener);
    const index = new SceneIndex(scene);
    index.cull(new THREE.PerspectiveCamera());
    index.dispose();
    expect(scene.children[0].hasEventListener('childadded', listener)).toBe(true);
    scene.children[0].removeEventListener('childadded', listener);
    const after = keysOf();
    expect(after.slice(2)).toEqual(before.slice(2));
    index.dispose();
    expect(() => index.update()).toThrow('SceneIndex.update: the index was disposed');
    expect(() => index.cull(new THREE.PerspectiveCamera())).toThrow('disposed');
    scene.add(boxMesh());
  });

  it('keeps nothing of a removed object alive', async () => {
    const scene = new THREE.Scene();
    const index = new SceneIndex(scene);
    let meshes: THREE.Mesh[] = Array.from({ length: 200 }, (_, i) => boxMesh(i));
    scene.add(...meshes);
    index.update();
    const camera = new THREE.PerspectiveCamera();
    index.cull(camera);
    const refs = meshes.map((mesh) => new WeakRef(mesh));
    scene.clear();
    index.update();
    meshes = [];
    expect(await countAlive(refs)).toBe(0);
  });

  it('keeps nothing alive of what was left out, or of helpers, once it is out of the scene', async () => {
    const group = new THREE.Group();
    const scene = new THREE.Scene().add(group);
    const index = new SceneIndex(scene);
    // A function of its own, whose variables are gone afterwards.
    const comeAndGo = (i: number): WeakRef<THREE.Object3D>[] => {
      const [left, below] = [boxMesh(i), boxMesh(i)];
      const helpers = [0, 1, 2].map(() => new SceneIndexHelper(index));
      const parent = new THREE.Group();
      scene.add(left, helpers[0], parent);
      group.add(helpers[1]);
      parent.add(below, helpers[2]);
      index.update();
      index.remove(left);
      index.remove(below);
      scene.remove(left, helpers[0], parent);
      group.remove(helpers[1]);
      return [left, below, ...helpers].map((object) => new WeakRef(object));
    };
    const refs = Array.from({ length: 50 }, (_, i) => comeAndGo(i)).flat();
    index.update();
    expect(await countAlive(refs)).toBe(0);
  });
});
