import { Box3, BoxGeometry, type BufferAttribute, Mesh, Object3D, Scene } from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { accelerated, boxOf, indexed } from '../../helpers/indexed.js';
import { validateScene } from '../../helpers/validateScene.js';

const rowOf = (count: number) => Array.from({ length: count }, (_, i) => new Mesh(new BoxGeometry()).translateX(2 * i));

/** What the index says of these meshes is what three makes of their matrices and vertices now. */
function expectMeasured(index: SceneIndex, ...meshes: Mesh[]): void {
  for (const mesh of meshes) {
    mesh.geometry.computeBoundingBox();
    const there = (mesh.geometry.boundingBox as Box3).clone().applyMatrix4(mesh.matrixWorld);
    expect(boxOf(index, mesh)).toEqual(there);
    expect(index.queryBox(there)).toContain(mesh);
  }
  expect(validateScene(index)).toEqual([]);
}

// Meshes that move are measured as soon as they have their matrix, in the midst of the pass over all.
describe.each([
  ['SceneIndex', indexed],
  ['accelerate', accelerated],
] as const)('%s: what is measured in the pass that moves it', (_how, make) => {
  it('may get another matrix from an object that comes later', () => {
    const [first, ...rest] = rowOf(100);
    const puller = new Object3D();
    const index = make(new Scene().add(first, ...rest, puller));
    for (let k = 1; k < 9; k++) {
      // In the end the matrix it had before, so that its bounds are those in the index.
      puller.updateMatrixWorld = () => void first.matrixWorld.makeTranslation(0, 10 * Math.min(k, 5), 0);
      first.position.z = k;
      index.update();
      expectMeasured(index, first);
    }
  });

  it('may have a geometry that is edited in the pass, replaced or scaled, while it moves', () => {
    const [before, editor, ...rest] = rowOf(102);
    const { geometry } = before;
    editor.geometry = geometry;
    let reach = 10;
    editor.updateMatrixWorld = function (force): void {
      const position = geometry.attributes.position as BufferAttribute;
      position.setX(0, reach++).needsUpdate = true;
      Mesh.prototype.updateMatrixWorld.call(this, force);
    };
    const index = make(new Scene().add(before, editor, ...rest));
    const edits = [
      ...new Array(6).fill(() => {}),
      () => Reflect.deleteProperty(editor, 'updateMatrixWorld'),
      () => Object.assign(before, { geometry: new BoxGeometry(9, 9, 9) }),
      () => before.geometry.scale(2, 1, 1),
    ];
    for (const edit of edits) {
      edit();
      before.position.y += 7;
      index.update();
      if (!Object.hasOwn(editor, 'updateMatrixWorld')) expectMeasured(index, before, editor);
    }
  });

  it('may go while another is measured', () => {
    const meshes = rowOf(100);
    const [, , gone] = meshes;
    const scene = new Scene().add(...meshes);
    const index = make(scene);
    index.update();
    const { geometry } = meshes[50];
    const added = new Mesh(new BoxGeometry()).translateY(9);
    let isArmed = true;
    const get = () => {
      if (isArmed) scene.remove(gone).add(added);
      isArmed = false;
      return geometry;
    };
    Object.defineProperty(meshes[50], 'geometry', { get });
    for (const mesh of meshes) mesh.position.y = 1;
    index.update();
    index.update();
    expectMeasured(index, added, ...meshes.filter((mesh) => mesh !== gone));
    expect(index.getBox(gone, new Box3())).toBe(null);
  });
});
