import * as THREE from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { describe, expect, it } from 'vitest';
import { orientedBoxOf, SceneIndex } from '../../../src/index.js';
import { random } from '../../helpers/random.js';
import { boxMesh, lod, skinnedTower } from '../../helpers/scene.js';

const material = new THREE.MeshBasicMaterial();

/** A mesh of a box of 2 x 4 x 6 around 5, 0, 0. */
function offCentre(): THREE.Mesh {
  return new THREE.Mesh(new THREE.BoxGeometry(2, 4, 6).translate(5, 0, 0), material);
}

function expectRotation(rotation: THREE.Matrix3): void {
  const product = new THREE.Matrix3().multiplyMatrices(rotation, rotation.clone().transpose());
  product.elements.forEach((value, i) => {
    expect(value).toBeCloseTo(i % 4 === 0 ? 1 : 0, 7);
  });
  expect(rotation.determinant()).toBeCloseTo(1, 7);
}

/** Coordinates of a mesh's vertices along the axes of a box, from its centre, the largest on each side. */
function reach(mesh: THREE.Mesh, box: OBB): { low: THREE.Vector3; high: THREE.Vector3 } {
  const low = new THREE.Vector3().setScalar(Number.POSITIVE_INFINITY);
  const high = new THREE.Vector3().setScalar(Number.NEGATIVE_INFINITY);
  const into = box.rotation.clone().transpose();
  const vertex = new THREE.Vector3();
  for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
    mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld).sub(box.center).applyMatrix3(into);
    low.min(vertex);
    high.max(vertex);
  }
  return { low, high };
}

function expectVector(v: THREE.Vector3, x: number, y: number, z: number): void {
  v.toArray().forEach((value, i) => {
    expect(value).toBeCloseTo([x, y, z][i], 7);
  });
}

describe('the oriented box of an object', () => {
  it.each([
    ['plain', [1, 1, 1], [1, 1, 1]],
    ['stretched', [3, 1, 0.2], [3, 1, 0.2]],
    ['mirrored', [-1, 1, 1], [1, 1, 1]],
    ['mirrored twice and three times', [-2, -3, -1], [2, 3, 1]],
    ['flattened along x', [0, 1, 2], [0, 1, 2]],
    ['flattened along y', [1, 0, 2], [1, 0, 2]],
    ['flattened along z', [1, 2, 0], [1, 2, 0]],
    ['a segment along x', [2, 0, 0], [2, 0, 0]],
    ['a segment along y', [0, 2, 0], [0, 2, 0]],
    ['a segment along z', [0, 0, 2], [0, 0, 2]],
    ['a point', [0, 0, 0], [0, 0, 0]],
  ])('fits an object that is %s, in any position', (_label, scale, sizes) => {
    const next = random(8);
    for (let i = 0; i < 20; i++) {
      const mesh = offCentre();
      mesh.rotation.set(next() * 7, next() * 7, next() * 7);
      mesh.scale.fromArray(scale);
      mesh.position.set(next() * 9, next() * 9, next() * 9);
      mesh.updateMatrixWorld();
      const box = new OBB();
      expect(orientedBoxOf(mesh, box)).toBe(box);
      expectRotation(box.rotation);
      const { low, high } = reach(mesh, box);
      expectVector(high, box.halfSize.x, box.halfSize.y, box.halfSize.z);
      expectVector(low, -box.halfSize.x, -box.halfSize.y, -box.halfSize.z);
      // Which side of a segment or point is which is of no account.
      const expected = [sizes[0], 2 * sizes[1], 3 * sizes[2]];
      box.halfSize.toArray().forEach((h, k) => {
        expect(h).toBeCloseTo(expected[k], 7);
      });
    }
  });

  it('holds a sheared object', () => {
    const next = random(9);
    for (let i = 0; i < 50; i++) {
      const [outer, inner, mesh] = [new THREE.Group(), new THREE.Group(), offCentre()];
      outer.scale.set(next() * 3, 0.2, -next() * 5);
      inner.rotation.set(next() * 7, next() * 7, next() * 7);
      inner.scale.set(1, next() * 4, 1);
      mesh.rotation.set(next() * 7, next() * 7, next() * 7);
      outer.add(inner.add(mesh));
      outer.updateMatrixWorld();
      const box = orientedBoxOf(mesh);
      expectRotation(box.rotation);
      const { low, high } = reach(mesh, box);
      for (const [c, h] of box.halfSize.toArray().entries()) {
        expect(high.getComponent(c)).toBeCloseTo(h, 6);
        expect(low.getComponent(c)).toBeCloseTo(-h, 6);
      }
    }
  });

  it('holds all instances, and is aligned for what has no space of its own', () => {
    const instanced = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), material, 2);
    instanced.setMatrixAt(0, new THREE.Matrix4().makeTranslation(-2, 0, 0));
    instanced.setMatrixAt(1, new THREE.Matrix4().makeTranslation(4, 0, 0));
    instanced.rotation.z = Math.PI / 2;
    instanced.updateMatrixWorld();
    const box = orientedBoxOf(instanced);
    expectVector(box.center, 0, 1, 0);
    expectVector(box.halfSize, 3.5, 0.5, 0.5);
    for (const object of [lod(), new THREE.Sprite(), skinnedTower()] as THREE.Object3D[]) {
      object.position.set(1, 2, 3);
      object.rotation.set(1, 1, 1);
      object.updateMatrixWorld();
      const bounds = new SceneIndex(object).getBox(object, new THREE.Box3()) as THREE.Box3;
      expect(orientedBoxOf(object)).toEqual(new OBB().fromBox3(bounds));
    }
  });

  it('touches nothing when there is nothing to see', () => {
    const empty = orientedBoxOf(new THREE.Group());
    expect(empty.halfSize.x).toBe(Number.NEGATIVE_INFINITY);
    const mesh = boxMesh();
    expect(empty.intersectsOBB(orientedBoxOf(mesh))).toBe(false);
    expect(orientedBoxOf(mesh).intersectsOBB(empty)).toBe(false);
    expect(empty.intersectsOBB(empty)).toBe(false);
  });
});
