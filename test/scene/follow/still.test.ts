import {
  Box3,
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { afterEach, describe, expect, it } from 'vitest';
import { accelerate, SceneIndex } from '../../../src/index.js';
import { indexed, updated } from '../../helpers/indexed.js';
import { validateScene } from '../../helpers/validateScene.js';

const at = (index: SceneIndex, x: number): Object3D[] => index.queryPoint(new Vector3(x, 0, 0));
const alongX = () => new Raycaster(new Vector3(-100, 0, 0), new Vector3(1, 0, 0));

function boxMesh(x = 0, y = 0): Mesh {
  const mesh = new Mesh(new BoxGeometry());
  mesh.position.set(x, y, 0);
  return mesh;
}

const made: SceneIndex[] = [];
afterEach(() => {
  for (const index of made.splice(0)) index.dispose();
});

/** A scene whose objects have stood still for a few updates. */
function settled(...objects: Object3D[]): { scene: Scene; index: SceneIndex } {
  const scene = new Scene().add(...objects);
  const index = indexed(scene);
  for (let i = 0; i < 3; i++) index.update();
  return { scene, index };
}

describe('of objects that stood still an update notices', () => {
  it.each<[string, (parent: Group, child: Mesh) => void]>([
    [
      'somewhere else, and are back',
      (parent) => {
        parent.position.x = 50;
        parent.updateMatrixWorld();
        parent.position.x = 5;
      },
    ],
    [
      'turned the other way, and are back',
      (parent, child) => {
        parent.rotation.z = -0.3;
        new Box3().setFromObject(child);
        parent.updateWorldMatrix(true, true);
        parent.rotation.z = 0.3;
      },
    ],
    [
      'measured as if they lay at the origin',
      (parent, child) => {
        parent.matrixWorld.identity();
        new Box3().setFromObject(child);
      },
    ],
    [
      'composed somewhere else, and are back',
      (parent, child) => {
        child.position.x = 9;
        child.updateMatrix();
        child.position.x = 2;
        parent.scale.set(3, 3, 3);
        parent.updateMatrix();
        parent.scale.set(1, 1, 1);
      },
    ],
  ])('that they were %s', (_label, act) => {
    const parent = new Group();
    parent.position.x = 5;
    parent.rotation.z = 0.3;
    const child = boxMesh(2);
    const { index } = settled(parent.add(child));
    const plain = [parent, child].map(({ matrixWorld }) => matrixWorld.clone());
    act(parent, child);
    index.update();
    expect([parent, child].map(({ matrixWorld }) => matrixWorld)).toEqual(plain);
    expect(at(index, 5 + 2 * Math.cos(0.3))).toEqual([child]);
    expect(index.getBox(child, new Box3())?.containsPoint(new Vector3().setFromMatrixPosition(plain[1]))).toBe(true);
  });

  it('a matrix that was overwritten by hand', () => {
    const meshes = Array.from({ length: 40 }, (_, i) => boxMesh(10 * i));
    const { index } = settled(...meshes);
    for (const mesh of meshes) mesh.matrixWorld.identity();
    index.update();
    expect(meshes.map((mesh) => mesh.matrixWorld.elements[12])).toEqual(meshes.map((_, i) => 10 * i));
  });

  it('a geometry that many share and that was edited', () => {
    const geometry = new BoxGeometry();
    const meshes = [0, 10, 20].map((x) => {
      const mesh = new Mesh(geometry);
      mesh.position.x = x;
      return mesh;
    });
    const { index } = settled(...meshes);
    geometry.translate(3, 0, 0);
    index.update();
    expect(meshes.map((mesh, i) => at(index, 10 * i + 3)[0] === mesh)).toEqual([true, true, true]);
    geometry.attributes.position.setX(0, 5);
    geometry.attributes.position.needsUpdate = true;
    expect(at(updated(index), 14.9)).toEqual([meshes[1]]);
  });

  it('another geometry, and the edits of it, and no more those of the one before', () => {
    const mesh = boxMesh();
    const { index } = settled(mesh);
    const before = mesh.geometry;
    mesh.geometry = new BoxGeometry(8, 1, 1);
    expect(at(updated(index), 3.5)).toEqual([mesh]);
    before.translate(50, 0, 0);
    expect(at(updated(index), 3.5)).toEqual([mesh]);
    mesh.geometry.translate(20, 0, 0);
    expect(at(updated(index), 20)).toEqual([mesh]);
    expect(validateScene(index)).toEqual([]);
  });

  it('an edit made before an update that ends in an exception', () => {
    const mesh = boxMesh();
    const broken = new Group();
    const { scene, index } = settled(broken, mesh);
    mesh.geometry.translate(7, 0, 0);
    const error = new Error('no');
    broken.updateMatrixWorld = () => {
      throw error;
    };
    expect(() => index.update()).toThrow(error);
    scene.remove(broken);
    expect(at(updated(index), 7)).toEqual([mesh]);
  });

  it('instances, when their number changes', () => {
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2);
    mesh.setMatrixAt(1, new Matrix4().makeTranslation(30, 0, 0));
    mesh.count = 1;
    const { index } = settled(mesh);
    expect(at(index, 30)).toEqual([]);
    mesh.count = 2;
    expect(at(updated(index), 30)).toEqual([mesh]);
  });

  it('a `raycast` of its own, and one of its class, accelerated or not', () => {
    class Marker extends Mesh {}
    for (const isAccelerated of [false, true]) {
      const [own, ofClass] = [new Mesh(new BoxGeometry()), new Marker(new BoxGeometry())];
      for (const mesh of [own, ofClass]) mesh.position.y = 50;
      const scene = new Scene().add(own, ofClass);
      const index = isAccelerated ? accelerate(scene) : new SceneIndex(scene);
      for (let i = 0; i < 3; i++) index.update();
      expect(index.raycast(alongX())).toEqual([]);
      const hitAnywhere: Mesh['raycast'] = function (this: Mesh, _, hits) {
        hits.push({ distance: 1, point: new Vector3(), object: this });
      };
      own.raycast = hitAnywhere;
      Marker.prototype.raycast = hitAnywhere;
      expect(
        updated(index)
          .raycast(alongX())
          .map(({ object }) => object),
      ).toEqual([own, ofClass]);
      delete (Marker.prototype as Partial<Marker>).raycast;
      index.dispose();
    }
  });

  it('whether it is culled', () => {
    const mesh = boxMesh(1e6);
    const { index } = settled(mesh);
    const camera = new PerspectiveCamera();
    expect(index.cull(camera)).toEqual([]);
    mesh.frustumCulled = false;
    expect(updated(index).cull(camera)).toEqual([mesh]);
  });
});

describe('several indices of one scene', () => {
  const heights = (scene: Scene): number[] => scene.children.map(({ matrixWorld }) => matrixWorld.elements[13]);
  const stacked = (count: number, isAccelerated = false) => {
    const scene = new Scene().add(...Array.from({ length: 40 }, (_, i) => boxMesh(10 * i)));
    const indices = Array.from({ length: count }, (_, i) =>
      isAccelerated && i === 0 ? accelerate(scene) : new SceneIndex(scene),
    );
    made.push(...indices);
    for (let i = 0; i < 3; i++) for (const index of indices) index.update();
    return { scene, indices };
  };

  it.each([
    [2, false],
    [2, true],
    [7, false],
  ])('%i of them, accelerated %s, each see what moved and came back between their updates', (count, isAccelerated) => {
    const { scene, indices } = stacked(count, isAccelerated);
    for (let round = 0; round < 2 * count; round++) {
      for (const mesh of scene.children) mesh.position.y = 50;
      indices[round % count].update();
      expect(heights(scene)).toEqual(scene.children.map(() => 50));
      for (const mesh of scene.children) mesh.position.y = 0;
      const other = indices[(round + 1) % count];
      other.update();
      expect(heights(scene)).toEqual(scene.children.map(() => 0));
      expect(other.raycast(alongX())).toHaveLength(2 * scene.children.length);
    }
    for (const index of indices) index.dispose();
    for (const mesh of scene.children) expect(mesh.matrixWorldNeedsUpdate).toBe(false);
  });

  it('leave nothing that a later one takes for its own', () => {
    for (let round = 0; round < 20; round++) {
      const { scene, indices } = stacked(2);
      indices[round % 2].dispose();
      const [kept, late] = [indices[(round + 1) % 2], new SceneIndex(scene)];
      for (const index of [kept, late, kept, late]) index.update();
      for (const mesh of scene.children) mesh.position.y = 50;
      late.update();
      for (const mesh of scene.children) mesh.position.y = 0;
      kept.update();
      expect(heights(scene)).toEqual(scene.children.map(() => 0));
      kept.dispose();
      late.dispose();
    }
  });
});

describe('raycaster.intersectObjects(scene.children) of an accelerated scene', () => {
  it('goes on to children that came later, and to those of objects that had some', () => {
    const meshes = Array.from({ length: 40 }, (_, i) => boxMesh(0, 20 + 2 * i));
    const scene = new Scene().add(...meshes);
    const index = accelerate(scene);
    const cast = () =>
      alongX()
        .intersectObjects(scene.children)
        .map(({ object }) => object);
    scene.updateMatrixWorld();
    expect(cast()).toEqual([]);
    const child = boxMesh(0, -meshes[30].position.y);
    meshes[30].add(child);
    scene.updateMatrixWorld();
    expect(cast()).toEqual([child, child]);
    child.removeFromParent();
    scene.updateMatrixWorld();
    expect(cast()).toEqual([]);
    index.dispose();
  });
});
