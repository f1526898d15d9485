import { Box3, BoxGeometry, type BufferAttribute, Mesh, MeshBasicMaterial, Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { accelerated, indexed } from '../../helpers/indexed.js';
import { validateScene } from '../../helpers/validateScene.js';

const material = new MeshBasicMaterial();

function rowOf(count: number): Mesh[] {
  return Array.from({ length: count }, (_, i) => {
    const mesh = new Mesh(new BoxGeometry(), material);
    mesh.position.x = 2 * i;
    return mesh;
  });
}

/** What the index says of these meshes is what three makes of their matrices and vertices now. */
function expectMeasured(index: SceneIndex, ...meshes: Mesh[]): void {
  const box = new Box3();
  for (const mesh of meshes) {
    mesh.geometry.computeBoundingBox();
    const there = (mesh.geometry.boundingBox as Box3).clone().applyMatrix4(mesh.matrixWorld);
    expect(index.getBox(mesh, box)).toEqual(there);
    expect(index.queryBox(there)).toContain(mesh);
  }
  expect(validateScene(index)).toEqual([]);
}

// Meshes that move are measured as soon as they have their matrix, in the midst of the pass over all.
describe.each(['SceneIndex', 'accelerate'])('%s: what is measured in the pass that moves it', (how) => {
  const make = (scene: Scene): SceneIndex => (how === 'accelerate' ? accelerated(scene) : indexed(scene));
  const update = (scene: Scene, index: SceneIndex): void => {
    if (how === 'accelerate') scene.updateMatrixWorld();
    else index.update();
  };

  it('may get another matrix from an object that comes later', () => {
    const scene = new Scene().add(...rowOf(100));
    const [first] = scene.children as Mesh[];
    let height = 0;
    class Puller extends Object3D {
      override updateMatrixWorld(force?: boolean): void {
        super.updateMatrixWorld(force);
        first.matrixWorld.makeTranslation(0, height, 0);
      }
    }
    scene.add(new Puller());
    const index = make(scene);
    for (let k = 1; k < 9; k++) {
      // In the end the matrix it had before, so that its bounds are those in the index.
      height = 10 * Math.min(k, 5);
      first.position.z = k;
      update(scene, index);
      expectMeasured(index, first);
    }
  });

  it('may have a geometry that is edited in the pass, replaced or scaled, while it moves', () => {
    const [before, editor] = rowOf(2);
    const { geometry } = before;
    editor.geometry = geometry;
    let reach = 10;
    editor.updateMatrixWorld = function (force): void {
      const position = geometry.attributes.position as BufferAttribute;
      position.setX(0, reach++);
      position.needsUpdate = true;
      Mesh.prototype.updateMatrixWorld.call(this, force);
    };
    const scene = new Scene().add(before, editor, ...rowOf(100));
    const index = make(scene);
    for (let k = 0; k < 6; k++) {
      before.position.y = k;
      update(scene, index);
    }
    editor.updateMatrixWorld = Mesh.prototype.updateMatrixWorld;
    update(scene, index);
    expectMeasured(index, before, editor);
    const edits = [
      () => {
        before.geometry = new BoxGeometry(9, 9, 9);
      },
      () => before.geometry.scale(2, 1, 1),
    ];
    for (const edit of edits) {
      edit();
      before.position.y += 7;
      update(scene, index);
      expectMeasured(index, before);
    }
  });

  it('is noted although the pass ends in an exception', () => {
    const meshes = rowOf(100);
    const bad = new Object3D();
    const scene = new Scene().add(...meshes, bad);
    const index = make(scene);
    update(scene, index);
    for (const mesh of meshes) mesh.position.y = 3;
    bad.updateMatrixWorld = () => {
      throw new Error('bad');
    };
    expect(() => update(scene, index)).toThrow('bad');
    bad.updateMatrixWorld = Object3D.prototype.updateMatrixWorld;
    meshes[0].position.y = 4;
    update(scene, index);
    expectMeasured(index, ...meshes);
  });

  it('may go while another is measured', () => {
    const meshes = rowOf(100);
    const [, , gone] = meshes;
    const scene = new Scene().add(...meshes);
    const index = make(scene);
    update(scene, index);
    const { geometry } = meshes[50];
    const added = new Mesh(new BoxGeometry(), material);
    added.position.y = 9;
    let isArmed = true;
    Object.defineProperty(meshes[50], 'geometry', {
      get: () => {
        if (isArmed) scene.remove(gone).add(added);
        isArmed = false;
        return geometry;
      },
    });
    for (const mesh of meshes) mesh.position.y = 1;
    update(scene, index);
    update(scene, index);
    expectMeasured(index, added, ...meshes.filter((mesh) => mesh !== gone));
    expect(index.getBox(gone, new Box3())).toBe(null);
  });
});
