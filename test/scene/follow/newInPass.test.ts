import { BoxGeometry, Group, LOD, Matrix4, Mesh, MeshBasicMaterial, Object3D, Scene, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { SceneIndex } from '../../../src/index.js';
import { boxOf, indexed, updated } from '../../helpers/indexed.js';
import { allOf, boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** So many objects are not kept in the order of three's walk, unless that may matter. */
const MANY = 300;
const boxes = (count: number): Mesh[] => Array.from({ length: count }, (_, i) => boxMesh(i));
const centerOf = (index: SceneIndex, object: Object3D): number[] | undefined =>
  boxOf(index, object)?.getCenter(new Vector3()).toArray();
const matricesOf = (scene: Scene): number[][] => allOf(scene).map(({ matrixWorld }) => [...matrixWorld.elements]);

/** An object that does something after its own update, as helpers do. */
function updater(act: () => void): Object3D {
  const object = new Object3D();
  object.updateMatrixWorld = function (force?: boolean): void {
    Object3D.prototype.updateMatrixWorld.call(this, force);
    act();
  };
  return object;
}

describe('a new object that the pass measures', () => {
  it('lies where an object behind it has put it', () => {
    const scene = new Scene();
    const index = indexed(scene);
    const mesh = boxMesh(1);
    scene.add(
      mesh,
      ...boxes(MANY),
      updater(() => mesh.matrixWorld.makeTranslation(50, 0, 0)),
    );
    expect(centerOf(updated(index), mesh)).toEqual([50, 0, 0]);
    expect(validateScene(index)).toEqual([]);
  });

  it.each(['touched', 'below what moved'])('has the shape that its geometry has once others with it are %s', (how) => {
    const geometry = new BoxGeometry();
    const still = new Mesh(geometry, new MeshBasicMaterial());
    const group = new Group().add(still);
    const index = indexed(new Scene().add(group));
    index.setStatic(still);
    index.update();
    // Without a word to anyone.
    geometry.attributes.position.setX(0, 9);
    const mesh = new Mesh(geometry, new MeshBasicMaterial());
    (group.parent as Scene).add(mesh);
    if (how === 'touched') index.touch(still);
    else group.position.y = 2;
    expect(boxOf(updated(index), mesh)?.max.x).toBe(9);
    expect(validateScene(index)).toEqual([]);
  });

  it('is measured by the update after one that threw behind it', () => {
    const scene = new Scene();
    const index = indexed(scene);
    const mesh = boxMesh(1);
    let isBroken = true;
    const broken = updater(() => {
      if (isBroken) throw new Error('mine');
    });
    scene.add(mesh, broken);
    expect(() => index.update()).toThrow('mine');
    isBroken = false;
    mesh.position.x = 7;
    expect(centerOf(updated(index), mesh)).toEqual([7, 0, 0]);
    expect(validateScene(index)).toEqual([]);
  });

  it('gets its entry by the update after one that threw once it was measured', () => {
    const scene = new Scene();
    const index = indexed(scene);
    const mesh = boxMesh(1);
    const lod = new LOD();
    Object.defineProperty(lod, 'raycast', {
      configurable: true,
      get: () => {
        throw new Error('mine');
      },
    });
    scene.add(mesh, lod);
    expect(() => index.update()).toThrow('mine');
    Reflect.deleteProperty(lod, 'raycast');
    expect(centerOf(updated(index), mesh)).toEqual([1, 0, 0]);
    expect(validateScene(index)).toEqual([]);
  });

  it('has its matrix when it comes by hand during the pass, once most others have gone', () => {
    const scene = new Scene().add(...boxes(2 * MANY), new Group().add(boxMesh()));
    const index = indexed(scene);
    const group = scene.children.at(-1) as Group;
    scene.remove(...scene.children.slice(0, -1));
    index.update();
    const holder = group.children[0];
    const late = boxMesh(3);
    // The first child of an object: the pass finds it there.
    holder.children.push(late);
    late.parent = holder;
    holder.position.y = 4;
    expect(centerOf(updated(index), late)).toEqual([3, 4, 0]);
    expect(late.matrixWorld.elements.slice(12, 14)).toEqual([3, 4]);
  });
});

describe('new static objects are updated in the order of three', () => {
  it.each<[string, (index: SceneIndex, mesh: Mesh) => void]>([
    ['is touched', (index, mesh) => index.touch(mesh)],
    ['is to move', (index, mesh) => index.setStatic(mesh, false)],
  ])('where what lies below them %s before', (_what, act) => {
    const scene = new Scene().add(...boxes(MANY));
    const index = indexed(scene);
    const mesh = Object.assign(boxMesh(1), { static: true });
    const [inner, outer] = [new Group().add(mesh), new Group()];
    for (const group of [outer.add(inner), inner]) Object.assign(group, { static: true }).position.z = 3;
    scene.add(outer);
    act(index, mesh);
    expect(centerOf(updated(index), mesh)).toEqual([1, 0, 6]);
    expect(mesh.matrixWorld.elements.slice(12, 15)).toEqual([1, 0, 6]);
    expect(validateScene(index)).toEqual([]);
  });

  it.each<[string, number, (scene: Scene) => void]>([
    [
      'where another copies them, in a small scene',
      5,
      (scene) => {
        const still = Object.assign(boxMesh(3), { static: true });
        scene.add(still, ...boxes(2));
        const copy: Object3D = updater(() => copy.matrixWorld.copy(still.matrixWorld));
        scene.add(copy);
      },
    ],
    [
      'where another copies them, in a large one',
      MANY,
      (scene) => {
        const still = Object.assign(boxMesh(3), { static: true });
        const copy: Object3D = updater(() => copy.matrixWorld.copy(still.matrixWorld));
        scene.add(still, copy);
      },
    ],
    [
      'where they have the matrix of one behind them',
      MANY,
      (scene) => {
        const mover = boxMesh(5);
        const still = Object.assign(boxMesh(), { static: true, matrixAutoUpdate: false, matrix: mover.matrix });
        scene.add(still, mover);
      },
    ],
  ])('%s', (_what, count, fill) => {
    const [plain, scene] = [0, 1].map(() => {
      const made = new Scene().add(...boxes(count));
      fill(made);
      return made;
    });
    plain.updateMatrixWorld();
    const index = new SceneIndex(scene);
    expect(matricesOf(scene)).toEqual(matricesOf(plain));
    index.dispose();
    expect(plain.matrixWorld.equals(new Matrix4())).toBe(true);
  });
});

it('a circle by hand through an object above, in a LOD, ends the update with an error', () => {
  const lod = new LOD();
  const group = new Group().add(new Group().add(lod));
  lod.addLevel(boxMesh(), 0);
  const index = indexed(new Scene().add(group));
  lod.children.push(group);
  expect(() => index.update()).toThrow(new RangeError(`SceneIndex: Group ${group.id} is a descendant of itself`));
  lod.children.pop();
  expect(updated(index).size).toBe(1);
});
