import * as THREE from 'three';
import { describe, expect, it } from 'vitest';
import type { SceneIndex } from '../../../src/index.js';
import { accelerated, boxOf, indexed, updated } from '../../helpers/indexed.js';
import { mainPass } from '../../helpers/passes.js';
import { boxMesh } from '../../helpers/scene.js';
import { validateScene } from '../../helpers/validateScene.js';

/** Sees what lies within 5 of the z axis. */
const CAMERA = new THREE.OrthographicCamera(-5, 5, 5, -5, 1, 100).translateZ(50);

/** Counts how often vertices of an object are read. */
function countReads({ geometry }: THREE.Mesh | THREE.Points): () => number {
  let reads = 0;
  const position = geometry.attributes.position as THREE.BufferAttribute;
  const { getX } = position;
  position.getX = function (i) {
    reads++;
    return getX.call(this, i);
  };
  return () => reads;
}

/** Looks along -z. */
const rayAt = (x: number, y = 0): THREE.Raycaster =>
  new THREE.Raycaster(new THREE.Vector3(x, y, 9), new THREE.Vector3(0, 0, -1));

const ownMesh = () => new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());

/** Enough to make the gate ask the index, out of the camera's view. */
const crowd = () => Array.from({ length: 60 }, (_, i) => boxMesh(200 + i, 200));

function xOf(index: SceneIndex, object: THREE.Object3D): [number, number] {
  const { min, max } = boxOf(index, object);
  return [min.x, max.x];
}

describe('a geometry that changes', () => {
  it('is not measured while only renderers and raycasters come by', () => {
    const mesh = ownMesh();
    const scene = new THREE.Scene().add(mesh, ...crowd());
    const index = accelerated(scene);
    mainPass(scene, CAMERA);
    const before = index.version;
    const { position } = mesh.geometry.attributes;
    const reads = countReads(mesh);
    for (let frame = 0; frame < 30; frame++) {
      position.needsUpdate = true;
      expect(mainPass(scene, CAMERA).drawn.map(({ object }) => object)).toContain(mesh);
      // It passes by the sphere that three keeps.
      rayAt(0, 9).intersectObject(scene);
      rayAt(0, 9).intersectObjects(scene.children);
    }
    expect(reads()).toBe(0);
    expect(index.version).toBeGreaterThan(before);
    index.queryPoint(new THREE.Vector3());
    expect(reads()).toBe(position.count);
    index.queryPoint(new THREE.Vector3());
    expect(reads()).toBe(position.count);
  });

  it('is measured when it has been left alone for some updates, unless it is never culled', () => {
    const [mesh, free] = [ownMesh(), ownMesh()];
    free.frustumCulled = false;
    const index = indexed(new THREE.Scene().add(mesh, free));
    const counts = [mesh, free].map(countReads);
    for (const { geometry } of [mesh, free]) geometry.attributes.position.needsUpdate = true;
    for (let i = 0; i < 20; i++) index.update();
    expect(counts.map((reads) => reads())).toEqual([24, 0]);
    index.getBox(mesh, new THREE.Box3());
    expect(counts.map((reads) => reads())).toEqual([24, 24]);
  });

  it.each<[string, (index: SceneIndex, mesh: THREE.Object3D, at: number) => boolean]>([
    ['getBox', (index, mesh, at) => xOf(index, mesh)[0] === at - 0.5],
    [
      'queryBox',
      (index, mesh, at) => index.queryBox(new THREE.Box3().setFromArray([at, 0, 0, at, 0, 0])).includes(mesh),
    ],
    ['nearest', (index, mesh, at) => index.nearest(new THREE.Vector3(at, 0, 0))[0]?.object === mesh],
    ['cull', (index, mesh, at) => index.cull(CAMERA).includes(mesh) === at < 5],
    ['raycastFirst', (index, mesh, at) => index.raycastFirst(rayAt(at))?.object === mesh],
    ['validate', (index) => validateScene(index).length === 0],
  ])('is found where it is now by %s, in each frame', (_label, isRight) => {
    const mesh = ownMesh();
    const scene = new THREE.Scene().add(mesh, ...crowd());
    const index = indexed(scene);
    for (let frame = 1; frame <= 5; frame++) {
      mesh.geometry.translate(40, 0, 0);
      mesh.geometry.boundingBox = null;
      mesh.geometry.computeBoundingSphere();
      mesh.geometry.attributes.position.needsUpdate = true;
      expect(isRight(updated(index), mesh, 40 * frame)).toBe(true);
    }
  });

  it('as instances do is measured no more often', () => {
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 3);
    const scene = new THREE.Scene().add(mesh);
    const index = indexed(scene);
    let reads = 0;
    const { getMatrixAt } = mesh;
    mesh.getMatrixAt = function (i, matrix) {
      reads++;
      return getMatrixAt.call(this, i, matrix);
    };
    for (let frame = 0; frame < 20; frame++) {
      mesh.setMatrixAt(1, new THREE.Matrix4().makeTranslation(frame, 0, 0));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.position.y = frame;
      index.update();
    }
    expect(reads).toBe(0);
    expect(xOf(index, mesh)).toEqual([-0.5, 19.5]);
    mesh.position.y = 0;
    expect(xOf(updated(index), mesh)).toEqual([-0.5, 19.5]);
    expect(reads).toBe(3);
  });
});

describe('what is drawn of a geometry', () => {
  it('alone counts, and follows its drawRange', () => {
    const places = Array.from({ length: 10 }, (_, i) => new THREE.Vector3(10 * i, 0, 0));
    const geometry = new THREE.BufferGeometry().setFromPoints(places);
    const points = new THREE.Points(geometry, new THREE.PointsMaterial());
    geometry.setDrawRange(2, 3);
    const index = indexed(new THREE.Scene().add(points));
    const reads = countReads(points);
    expect(xOf(index, points)).toEqual([20, 40]);
    geometry.setDrawRange(0, 5);
    expect(xOf(updated(index), points)).toEqual([0, 40]);
    expect(reads()).toBe(5);
    geometry.setIndex([9, 8, 7, 1, 2]);
    expect(xOf(updated(index), points)).toEqual([10, 90]);
    geometry.setDrawRange(1, 2);
    expect(xOf(updated(index), points)).toEqual([70, 80]);
    (geometry.index as THREE.BufferAttribute).setX(1, 0).needsUpdate = true;
    expect(xOf(updated(index), points)).toEqual([0, 70]);
    geometry.setDrawRange(0, 0);
    expect(updated(index).getBox(points, new THREE.Box3())).toBeNull();
    geometry.setDrawRange(0, Number.POSITIVE_INFINITY);
    expect(xOf(updated(index), points)).toEqual([0, 90]);
  });
});
