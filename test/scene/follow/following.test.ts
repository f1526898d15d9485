import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { LooseOctree, SceneIndex, SceneIndexHelper, sceneStats } from '../../../src/index.js';
import { countAlive } from '../../helpers/garbage.js';
import { indexed, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { allOf, boxMesh, lod, mixedScene, skinnedTower } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';
import { atWidth, seeds } from '../../helpers/width.js';

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
  it('objects added and removed anywhere below the root', () => {
    const group = new THREE.Group();
    const index = indexOf(group);
    const mesh = boxMesh(5);
    group.add(mesh);
    expect(at(updated(index), 5)).toEqual([mesh]);
    group.remove(mesh);
    expect(at(index, 5)).toEqual([]);
    expect(index.has(mesh)).toBe(false);
    const subtree = new THREE.Group();
    subtree.add(new THREE.Group().add(mesh));
    mesh.add(boxMesh(1));
    group.add(subtree);
    expect(updated(index).size).toBe(2);
    subtree.clear();
    expect(index.size).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });

  it('objects that change their parent, by add, attach and removeFromParent', () => {
    const [left, right] = [new THREE.Group(), new THREE.Group()];
    left.position.x = -10;
    right.position.x = 10;
    const mesh = boxMesh();
    left.add(mesh);
    const index = indexOf(left, right);
    right.add(mesh);
    expect(at(updated(index), 10)).toEqual([mesh]);
    expect(at(index, -10)).toEqual([]);
    left.attach(mesh);
    expect(at(updated(index), 10)).toEqual([mesh]);
    mesh.removeFromParent();
    expect(index.size).toBe(0);
    expect(validateScene(index)).toEqual([]);
  });

  it('objects that move by themselves or with what is above them', () => {
    const { group, mesh, index } = grouped();
    mesh.position.x = 7;
    expect(at(updated(index), 7)).toEqual([mesh]);
    group.rotation.z = Math.PI / 2;
    expect(at(updated(index), 0, 7)).toEqual([mesh]);
    group.matrixAutoUpdate = false;
    group.matrix.makeTranslation(100, 0, 0);
    group.matrixWorldNeedsUpdate = true;
    expect(at(updated(index), 107)).toEqual([mesh]);
    mesh.matrixWorldAutoUpdate = false;
    mesh.matrixWorld.makeTranslation(0, 0, -9);
    expect(at(updated(index), 0, 0, -9)).toEqual([mesh]);
  });

  it('leaves matrices as updateMatrixWorld does, whatever changed, seed 9', () => {
    const next = random(9);
    const [ours, theirs] = [mixedScene(random(4), 120), mixedScene(random(4), 120)];
    const index = new SceneIndex(ours);
    for (let round = 0; round < 10; round++) {
      const flat = (scene: THREE.Scene): THREE.Object3D[] => {
        const list = allOf(scene);
        return list;
      };
      const [a, b] = [flat(ours), flat(theirs)];
      for (let i = 0; i < a.length; i++) {
        if (next() < 0.2) for (const object of [a[i], b[i]]) object.position.x = i + round;
        if (next() < 0.1) for (const object of [a[i], b[i]]) object.quaternion.set(0.6, 0, 0, 0.8);
        if (next() < 0.05) for (const object of [a[i], b[i]]) object.matrixAutoUpdate = !object.matrixAutoUpdate;
        if (next() < 0.05) for (const object of [a[i], b[i]]) object.pivot = new THREE.Vector3(1, 2, 3);
      }
      index.update();
      theirs.updateMatrixWorld();
      a.forEach((object, i) => {
        expect(object.matrixWorld.elements, `${object.type} in round ${round}`).toEqual(b[i].matrixWorld.elements);
      });
    }
    expect(validateScene(index)).toEqual([]);
  });

  it('objects with an updateMatrixWorld of their own, and what is below them', () => {
    const parent = boxMesh();
    const child = boxMesh();
    parent.add(child);
    const index = indexOf(parent);
    parent.updateMatrixWorld = () => {
      child.matrixWorld.makeTranslation(50, 0, 0);
    };
    expect(at(updated(index), 50)).toEqual([child]);
  });

  it('nothing of the objects that were declared static, until they are touched or their parent moves', () => {
    const { scene, group, mesh, index } = grouped();
    expect(sceneStats(index).dynamic).toBe(3);
    index.setStatic(group);
    expect(sceneStats(updated(index)).dynamic).toBe(1);
    mesh.position.x = 5;
    expect(at(updated(index), 5)).toEqual([]);
    index.touch(mesh);
    expect(at(updated(index), 5)).toEqual([mesh]);
    scene.position.y = 3;
    expect(at(updated(index), 5, 3)).toEqual([mesh]);
    const late = boxMesh(20);
    group.add(late);
    expect(at(updated(index), 20, 3)).toEqual([late]);
    expect(sceneStats(index).dynamic).toBe(1);
    index.setStatic(group, false);
    index.update();
    mesh.position.x = -5;
    expect(at(updated(index), -5, 3)).toEqual([mesh]);
    expect(sceneStats(index).dynamic).toBe(4);
    expect(validateScene(index)).toEqual([]);
  });

  it("three's own static flag", () => {
    const mesh = boxMesh(1);
    mesh.static = true;
    const index = indexOf(mesh);
    expect(at(index, 1)).toEqual([mesh]);
    expect(sceneStats(index).dynamic).toBe(1);
  });

  it('what is moved below a static object that is not static itself', () => {
    const { group, mesh, index } = grouped();
    index.setStatic(group);
    index.setStatic(mesh, false);
    index.update();
    mesh.position.x = 4;
    expect(at(updated(index), 4)).toEqual([mesh]);
  });

  it('skinned meshes by their bones, before and behind them in the scene', () => {
    const tower = skinnedTower();
    const index = indexOf(tower);
    expect(at(index, 0, 3.9)).toEqual([tower]);
    tower.skeleton.bones[1].rotation.z = -Math.PI / 2;
    expect(at(updated(index), 1.9, 2)).toEqual([tower]);
    expect(at(index, 0, 3.9)).toEqual([]);
  });

  it('LODs as one, by what lies in them', () => {
    const object = lod();
    const index = indexOf(object);
    expect(index.size).toBe(1);
    object.children[1].position.x = 9;
    expect(at(updated(index), 9)).toEqual([object]);
    object.children[1].add(boxMesh(20));
    expect(at(updated(index), 29)).toEqual([object]);
    object.children[1].clear();
    expect(at(updated(index), 29)).toEqual([]);
    expect(index.size).toBe(1);
    expect(validateScene(index)).toEqual([]);
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

  it('a root that is part of something larger', () => {
    const world = new THREE.Scene();
    const root = new THREE.Group();
    root.add(boxMesh());
    world.add(root);
    world.position.x = 6;
    const index = new SceneIndex(root);
    expect(at(index, 6)).toHaveLength(1);
  });

  it('a root at rest, when what is above it moves or is left', () => {
    const world = new THREE.Group();
    const mesh = boxMesh();
    const root = new THREE.Group().add(mesh);
    world.add(root);
    const index = indexed(root);
    index.setStatic(root);
    expect(sceneStats(updated(index)).dynamic).toBe(0);
    world.position.x = 5;
    expect(at(updated(index), 5)).toEqual([mesh]);
    expect(sceneStats(index).dynamic).toBe(0);
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

  const SEEDS = seeds(4, 1);
  it(`random changes, and is the same as an index made anew, seeds 1 to ${SEEDS.length}`, () => {
    for (const seed of SEEDS) {
      const next = random(seed);
      const scene = mixedScene(next, 60);
      const index = new SceneIndex(scene, { index: new LooseOctree({ capacity: 4 }) });
      for (let step = 0; step < 120; step++) {
        const all = allOf(scene);
        const object = all[1 + Math.floor(next() * (all.length - 1))];
        const other = all[Math.floor(next() * all.length)];
        const kind = next();
        let isInside = false;
        object?.traverse((o) => {
          if (o === other) isInside = true;
        });
        if (object === undefined || kind < 0.2) scene.add(boxMesh(next() * 20, next() * 20));
        else if (kind < 0.35 && !isInside && !('isLOD' in other) && !('isSkinnedMesh' in other)) other.add(object);
        else if (kind < 0.4) object.removeFromParent();
        else if (kind < 0.8) object.position.set(next() * 40 - 20, next() * 40 - 20, next() * 40 - 20);
        else if (kind < 0.9) object.scale.setScalar(0.5 + next());
        else index.setStatic(object, next() < 0.5);
        if (kind >= 0.4 && object) index.touch(object);
        expect(validateScene(updated(index)), `seed ${seed}, step ${step}`).toEqual([]);
        const fresh = new SceneIndex(scene);
        const [box, again] = [new THREE.Box3(), new THREE.Box3()];
        scene.traverse((o) => {
          const label = `seed ${seed}, step ${step}, ${o.name}`;
          expect(index.getBox(o, box), label).toEqual(fresh.getBox(o, again));
        });
        expect(index.size).toBe(fresh.size);
        fresh.dispose();
      }
    }
  });

  it('objects that were added by hand before what is above them', () => {
    const make = () => {
      const [scene, group, child] = [new THREE.Scene(), new THREE.Group(), boxMesh(2)];
      const grandchild = boxMesh(3);
      child.add(new THREE.Group().add(grandchild));
      group.position.x = 10;
      const index = new SceneIndex(scene);
      return { scene, group, child, grandchild, index };
    };
    const ways: ((made: ReturnType<typeof make>) => void)[] = [
      ({ index, scene, group, child }) => {
        index.add(child);
        scene.add(group);
        index.update();
        group.add(child);
      },
      ({ index, scene, group, child }) => {
        index.add(child);
        index.update();
        scene.add(group.add(child));
      },
      ({ index, scene, group, child }) => {
        scene.add(group.add(child));
        index.remove(group);
        index.add(child);
        index.update();
        index.add(group);
      },
    ];
    for (const way of ways) {
      const made = make();
      const { index, scene, group, child, grandchild } = made;
      way(made);
      expect(at(updated(index), 12)).toEqual([child]);
      expect(at(index, 15)).toEqual([grandchild]);
      expect(validateScene(index)).toEqual([]);
      const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
      camera.position.set(12, 0, 20);
      expect(index.cull(camera)).toHaveLength(2);
      group.visible = false;
      expect(index.cull(camera)).toHaveLength(0);
      scene.remove(group);
      expect(index.size).toBe(0);
      expect(index.has(child)).toBe(false);
      expect(index.has(grandchild)).toBe(false);
    }
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
    const { dynamic } = sceneStats(index);
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

  it('a LOD that is seen everywhere while a part of it is, or a light lies in it', () => {
    const object = lod();
    object.position.x = 500;
    const index = indexOf(object);
    const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
    const [part] = object.children;
    const light = new THREE.PointLight();
    const expectSeen = (isSeen: boolean): void => {
      expect(updated(index).cull(camera)).toEqual(isSeen ? [object] : []);
    };
    expectSeen(false);
    part.frustumCulled = false;
    expectSeen(true);
    part.frustumCulled = true;
    expectSeen(false);
    part.add(light);
    expectSeen(true);
    part.remove(light);
    expectSeen(false);
    index.setStatic(part);
    expectSeen(false);
    part.frustumCulled = false;
    expectSeen(false);
    index.touch(part);
    expectSeen(true);
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
