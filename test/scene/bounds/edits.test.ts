import * as THREE from 'three';
import { expect, it } from 'vitest';
import { type SceneIndex, stats } from '../../../src/index.js';
import { boxOf, indexOf, updated } from '../../helpers/indexed.js';
import { random } from '../../helpers/random.js';
import { batchedMesh, instancedMesh, morphedMesh, skinnedTower } from '../../helpers/scene.js';
import { catchWarnings } from '../../helpers/warnings.js';

const warnings = catchWarnings();

/** The height to which the index believes an object to reach. */
const topOf = (index: SceneIndex, object: THREE.Object3D): number => boxOf(index, object).max.y;

/** Where three puts the highest vertex. */
function highest(mesh: THREE.SkinnedMesh): number {
  const { position } = mesh.geometry.attributes;
  const vertex = new THREE.Vector3();
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < position.count; i++) {
    top = Math.max(top, mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld).y);
  }
  return top;
}

/** Edits of a skinned mesh whose upper bone was lifted by 30: what each does shows in the pose alone. */
const SKIN_EDITS = Object.entries<(mesh: THREE.SkinnedMesh) => void>({
  'other bones for the vertices': ({ geometry: { attributes } }) => {
    attributes.skinIndex.array.fill(1);
    attributes.skinIndex.needsUpdate = true;
  },
  'other weights': ({ geometry: { attributes } }) => {
    for (let i = 0; i < attributes.skinWeight.count; i++) attributes.skinWeight.setXYZW(i, 0, 1, 0, 0);
    attributes.skinWeight.needsUpdate = true;
  },
  'other attributes of the same version': ({ geometry }) => {
    const { skinIndex } = geometry.attributes;
    geometry.setAttribute('skinIndex', skinIndex.clone());
    geometry.attributes.skinIndex.array.fill(1);
  },
  'a bind in the present pose': (mesh) => mesh.bind(mesh.skeleton),
  'another bind matrix': (mesh) => void mesh.bindMatrix.makeTranslation(0, 50, 0),
});

it.each(SKIN_EDITS)('bounds of a skinned mesh follow %s', (_label, edit) => {
  const mesh = skinnedTower();
  const index = indexOf(mesh);
  mesh.skeleton.bones[1].position.y += 30;
  index.update();
  const before = boxOf(index, mesh);
  edit(mesh);
  const after = boxOf(updated(index), mesh);
  expect(after).not.toEqual(before);
  expect(after.max.y).toBeGreaterThanOrEqual(highest(mesh) - 1e-4);
  // The same skeleton and geometry in a mesh that nobody has measured before.
  const fresh = mesh.clone();
  index.root.add(fresh);
  expect(boxOf(updated(index), fresh)).toEqual(after);
});

it('touch() has a skinned mesh measured anew, whatever was changed', () => {
  const mesh = skinnedTower();
  const index = indexOf(mesh);
  mesh.skeleton.boneInverses[1].multiply(new THREE.Matrix4().makeTranslation(0, 30, 0));
  index.touch(mesh);
  expect(topOf(updated(index), mesh)).toBeGreaterThanOrEqual(highest(mesh) - 1e-4);
});

it('bounds follow morph targets that are edited, added or taken away', () => {
  const [mesh, other] = [morphedMesh(), morphedMesh()];
  const index = indexOf(mesh, other);
  const targets = mesh.geometry.morphAttributes.position as THREE.BufferAttribute[];
  const [target] = targets;
  const heights = [topOf(index, mesh)];
  for (let i = 0; i < target.count; i++) target.setY(i, target.getY(i) + 7);
  target.needsUpdate = true;
  heights.push(topOf(updated(index), mesh));
  targets.push(target.clone());
  heights.push(topOf(updated(index), mesh));
  targets.length = 1;
  heights.push(topOf(updated(index), mesh), topOf(index, other));
  expect(heights).toEqual([3.5, 10.5, 20.5, 10.5, 3.5]);
});

it('bounds of a skinned mesh follow its morph targets', () => {
  const mesh = skinnedTower();
  const target = mesh.geometry.attributes.position.clone();
  mesh.geometry.morphAttributes.position = [target];
  const index = indexOf(mesh);
  for (let i = 0; i < target.count; i++) target.setY(i, target.getY(i) + 20);
  target.needsUpdate = true;
  expect(topOf(updated(index), mesh)).toBeCloseTo(24);
});

it('bounds follow instance matrices that are replaced by others of the same version', () => {
  const mesh = instancedMesh(random(1), 4);
  const index = indexOf(mesh);
  mesh.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(mesh.instanceMatrix.array), 16);
  for (let i = 0; i < 4; i++) mesh.setMatrixAt(i, new THREE.Matrix4().makeTranslation(0, 40, 0));
  expect(topOf(updated(index), mesh)).toBe(40.5);
});

it('bounds of a batch follow other geometries of its instances when touched', () => {
  const mesh = batchedMesh(() => 0, 2);
  const tall = mesh.addGeometry(new THREE.BoxGeometry(1, 40, 1));
  const index = indexOf(mesh);
  mesh.setGeometryIdAt(0, tall);
  index.touch(mesh);
  expect(topOf(updated(index), mesh)).toBe(20);
});

it('vertices that only the GPU has lie in the bounds that are declared', () => {
  const geometry = new THREE.BufferGeometry();
  const position = new THREE.GLBufferAttribute({} as WebGLBuffer, 5126, 3, 4, 100);
  geometry.setAttribute('position', position as never);
  const points = new THREE.Points(geometry);
  points.position.z = -20;
  const index = indexOf(points);
  expect([index.size, stats(index).quarantined]).toEqual([0, 1]);
  expect(warnings()).toEqual([expect.stringMatching(/set geometry\.boundingSphere/)]);
  geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), 5);
  index.touch(points);
  expect(boxOf(updated(index), points)).toEqual(
    new THREE.Box3(new THREE.Vector3(-5, -5, -25), new THREE.Vector3(5, 5, -15)),
  );
  expect(index.cull(new THREE.PerspectiveCamera())).toEqual([points]);
  geometry.boundingBox = new THREE.Box3(new THREE.Vector3(), new THREE.Vector3(9, 9, 9));
  index.touch(points);
  expect(topOf(updated(index), points)).toBe(9);
  geometry.boundingSphere = null;
  index.touch(points);
  index.update();
  expect(boxOf(index, points).min.y).toBe(0);
});
