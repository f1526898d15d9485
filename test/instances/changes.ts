import * as THREE from 'three';
import { random } from '../helpers/random.js';
import { anyMatrix, ifPresent, kinds } from './table/crowds.js';
import type { Crowd } from './table/plainInstances.js';

/** What is done to a mesh with instances; false where there is nothing to do it to. */
export type Change = (mesh: Crowd) => unknown;

const REACH = 10;
const isBatch = (mesh: Crowd): mesh is THREE.BatchedMesh => mesh instanceof THREE.BatchedMesh;
const instanced =
  (change: (mesh: THREE.InstancedMesh) => unknown): Change =>
  (mesh) =>
    isBatch(mesh) ? false : change(mesh);
const batched =
  (change: (mesh: THREE.BatchedMesh) => unknown): Change =>
  (mesh) =>
    isBatch(mesh) ? change(mesh) : false;
/** Calls with the instances of a batch that are there, every so many of them. */
function each(mesh: THREE.BatchedMesh, step: number, change: (id: number) => unknown): void {
  for (let id = 1; id < mesh.maxInstanceCount; id += step) ifPresent(() => change(id));
}
/** Tells three of an edited shape, as whoever edits one has to. */
function told({ geometry }: THREE.InstancedMesh): void {
  geometry.attributes.position.needsUpdate = true;
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
}

/** What may happen to instances between two looks at them. The same is done to each mesh that is given. */
export const CHANGES = {
  matrices: (mesh) => {
    const next = random(11);
    for (let id = 3; id < 9; id++) ifPresent(() => mesh.setMatrixAt(id, anyMatrix(next, REACH)));
    if (!isBatch(mesh)) mesh.instanceMatrix.needsUpdate = true;
  },
  others: (mesh) => {
    const next = random(12);
    for (let id = 7; id < 14; id++) ifPresent(() => mesh.setMatrixAt(id, anyMatrix(next, 3 * REACH)));
    if (!isBatch(mesh)) mesh.instanceMatrix.needsUpdate = true;
  },
  moved: (mesh) => mesh.translateX(3).updateMatrixWorld(),
  turned: (mesh) => mesh.rotateY(0.7).updateMatrixWorld(),
  stretched: (mesh) => {
    mesh.scale.set(2, 1, 0.5);
    mesh.updateMatrixWorld();
  },
  mirrored: (mesh) => {
    mesh.scale.x *= -1;
    mesh.updateMatrixWorld();
  },
  coloured: (mesh) => ifPresent(() => mesh.setColorAt(4, new THREE.Color(0xff0000))),
  fewer: instanced((mesh) => Object.assign(mesh, { count: Math.ceil(mesh.count / 2) })),
  more: instanced((mesh) => Object.assign(mesh, { count: mesh.instanceMatrix.count })),
  newMatrices: instanced((mesh) => {
    const shift = new THREE.Matrix4().makeTranslation(0, 2, 0);
    const { array } = mesh.instanceMatrix;
    mesh.instanceMatrix = new THREE.InstancedBufferAttribute(array.slice(), 16);
    for (let i = 0; i < mesh.instanceMatrix.count; i++) {
      mesh.setMatrixAt(i, new THREE.Matrix4().fromArray(array, 16 * i).premultiply(shift));
    }
  }),
  geometry: instanced((mesh) => Object.assign(mesh, { geometry: kinds[2].clone() })),
  vertices: instanced((mesh) => {
    mesh.geometry.attributes.position.setX(0, -6);
    told(mesh);
  }),
  positions: instanced((mesh) => {
    const position = mesh.geometry.attributes.position.clone() as THREE.BufferAttribute;
    mesh.geometry.setAttribute('position', position.applyMatrix4(new THREE.Matrix4().makeScale(1, 3, 1)));
    told(mesh);
  }),
  removed: batched((mesh) => each(mesh, 5, (id) => mesh.deleteInstance(id))),
  added: batched((mesh) => {
    const next = random(13);
    while (mesh.instanceCount < mesh.maxInstanceCount) mesh.setMatrixAt(mesh.addInstance(1), anyMatrix(next, REACH));
  }),
  hidden: batched((mesh) => each(mesh, 4, (id) => mesh.setVisibleAt(id, false))),
  shown: batched((mesh) => each(mesh, 1, (id) => mesh.setVisibleAt(id, true))),
  otherGeometry: batched((mesh) => each(mesh, 3, (id) => mesh.setGeometryIdAt(id, 0))),
  editedGeometry: batched((mesh) => mesh.setGeometryAt(0, kinds[0].clone().scale(1, 2, 2))),
  geometryGone: batched((mesh) => ifPresent(() => mesh.deleteGeometry(2))),
  room: batched((mesh) => mesh.setInstanceCount(mesh.maxInstanceCount + 5)),
  optimized: batched((mesh) => mesh.optimize()),
} satisfies { [name: string]: Change };

export type ChangeName = keyof typeof CHANGES;

/** The changes that can be done to a mesh. */
export const changesOf = (make: () => Crowd): ChangeName[] =>
  (Object.keys(CHANGES) as ChangeName[]).filter((name) => (CHANGES[name] as Change)(make()) !== false);
