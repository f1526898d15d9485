import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import { accelerate, SceneIndex } from '../../../src/index.js';
import { accelerated, indexed, updated } from '../../helpers/indexed.js';

const at = (index: SceneIndex, x: number): THREE.Object3D[] => index.queryPoint(new THREE.Vector3(x, 0, 0));
const alongX = () => new THREE.Raycaster(new THREE.Vector3(-100, 0, 0), new THREE.Vector3(1, 0, 0));

function boxMesh(x = 0, y = 0): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry());
  mesh.position.set(x, y, 0);
  return mesh;
}

/** A scene whose objects have stood still for a few updates. */
function settled(...objects: THREE.Object3D[]): { scene: THREE.Scene; index: SceneIndex } {
  const scene = new THREE.Scene().add(...objects);
  const index = indexed(scene);
  for (let i = 0; i < 3; i++) index.update();
  return { scene, index };
}

describe('of objects that stood still an update notices', () => {
  it.each(
    Object.entries<(parent: THREE.Group, child: THREE.Mesh) => void>({
      'somewhere else, and are back': (parent) => {
        parent.position.x = 50;
        parent.updateMatrixWorld();
        parent.position.x = 5;
      },
      'turned the other way, and are back': (parent, child) => {
        parent.rotation.z = -0.3;
        new THREE.Box3().setFromObject(child);
        parent.updateWorldMatrix(true, true);
        parent.rotation.z = 0.3;
      },
      'measured as if they lay at the origin': (parent, child) => {
        parent.matrixWorld.identity();
        new THREE.Box3().setFromObject(child);
      },
      'composed somewhere else, and are back': (parent, child) => {
        child.position.x = 9;
        child.updateMatrix();
        child.position.x = 2;
        parent.scale.set(3, 3, 3);
        parent.updateMatrix();
        parent.scale.set(1, 1, 1);
      },
    }),
  )('that they were %s', (_label, act) => {
    const parent = new THREE.Group();
    parent.position.x = 5;
    parent.rotation.z = 0.3;
    const child = boxMesh(2);
    const { index } = settled(parent.add(child));
    const plain = [parent, child].map(({ matrixWorld }) => matrixWorld.clone());
    act(parent, child);
    index.update();
    expect([parent, child].map(({ matrixWorld }) => matrixWorld)).toEqual(plain);
    expect(at(index, 5 + 2 * Math.cos(0.3))).toEqual([child]);
    expect(
      index.getBox(child, new THREE.Box3())?.containsPoint(new THREE.Vector3().setFromMatrixPosition(plain[1])),
    ).toBe(true);
  });

  it('an edit made before an update that ends in an exception', () => {
    const mesh = boxMesh();
    const broken = new THREE.Group();
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

  it('a `raycast` of its own, and one of its class, accelerated or not', () => {
    class Marker extends THREE.Mesh {}
    for (const isAccelerated of [false, true]) {
      const [own, ofClass] = [new THREE.Mesh(new THREE.BoxGeometry()), new Marker(new THREE.BoxGeometry())];
      for (const mesh of [own, ofClass]) mesh.position.y = 50;
      const scene = new THREE.Scene().add(own, ofClass);
      const index = isAccelerated ? accelerate(scene) : new SceneIndex(scene);
      for (let i = 0; i < 3; i++) index.update();
      expect(index.raycast(alongX())).toEqual([]);
      const hitAnywhere: THREE.Mesh['raycast'] = function (this: THREE.Mesh, _, hits) {
        hits.push({ distance: 1, point: new THREE.Vector3(), object: this });
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
});

describe('several indices of one scene', () => {
  const heights = (scene: THREE.Scene): number[] => scene.children.map(({ matrixWorld }) => matrixWorld.elements[13]);
  const stacked = (count: number, isAccelerated = false) => {
    const scene = new THREE.Scene().add(...Array.from({ length: 40 }, (_, i) => boxMesh(10 * i)));
    const indices = Array.from({ length: count }, (_, i) =>
      isAccelerated && i === 0 ? accelerated(scene) : indexed(scene),
    );
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
