import { type BatchedMesh, Box3, InstancedMesh, Matrix4, type Object3D, Vector3 } from 'three';
import { makeEmpty } from '../../core/box.js';
import { areMeasured } from '../../three/kinds.js';
import { stampOfInstances } from '../facts/InstanceFacts.js';
import { hasVertices, isInMemory } from '../objects/attributes.js';
import { declaredBox, geometryBounds } from './geometryBounds.js';
import { transformBox, widen } from './transformBox.js';

/** For each mesh the box around its instances, and the stamp of the state that was measured. */
const boundsOfInstances = new WeakMap<Object3D, { readonly box: Box3; readonly stamp: number }>();
const matrix = new Matrix4();
const part = new Float64Array(6);
const all = new Float64Array(6);

/** The box around all instances of a mesh, in its own space. Kept while nothing changes. Shared: do not change it. */
export function instanceBounds(mesh: InstancedMesh | BatchedMesh): Box3 {
  const stamp = stampOfInstances(mesh);
  const kept = boundsOfInstances.get(mesh);
  if (kept?.stamp === stamp) return kept.box;
  const box = measureInstances(mesh);
  boundsOfInstances.set(mesh, { box, stamp });
  return box;
}

/** The box around all instances, computed anew. */
export function measureInstances(mesh: InstancedMesh | BatchedMesh): Box3 {
  return 'isBatchedMesh' in mesh ? batchBox(mesh) : instancedBox(mesh);
}

/** Marks the instances of an object to be measured anew when their box is next asked for. */
export function forgetInstanceBounds(object: Object3D): void {
  boundsOfInstances.delete(object);
}

function instancedBox(mesh: InstancedMesh): Box3 {
  if (!isInMemory(mesh.instanceMatrix)) return declaredBox(mesh, ON_GPU);
  const local = geometryBounds(mesh.geometry);
  // Renderers take any mesh with `isInstancedMesh` for an `InstancedMesh`, whatever methods it has.
  const read = mesh.getMatrixAt ?? InstancedMesh.prototype.getMatrixAt;
  makeEmpty(all, 0);
  for (let i = 0; i < mesh.count && !local.isEmpty(); i++) {
    read.call(mesh, i, matrix);
    transformBox(local, matrix, part);
    widen(all, part);
  }
  return new Box3(new Vector3().fromArray(all), new Vector3().fromArray(all, 3));
}

const ON_GPU = 'its instances exist only on the GPU: set its boundingSphere';

/** True when three can measure the geometries of a batch or has measured them, or there are none. */
export function canMeasure(mesh: BatchedMesh): boolean {
  const { attributes, index } = mesh.geometry;
  if (attributes.position === undefined) return true;
  if (hasVertices(mesh.geometry) && (index === null || isInMemory(index))) return true;
  return areMeasured(mesh);
}

/** The box of a batch by three's `computeBoundingBox`, without leaving it on the mesh, or else the declared box. */
function batchBox(mesh: BatchedMesh): Box3 {
  if (!canMeasure(mesh)) return declaredBox(mesh, ON_GPU);
  const kept = mesh.boundingBox;
  const box = new Box3();
  mesh.boundingBox = box;
  try {
    mesh.computeBoundingBox();
  } finally {
    mesh.boundingBox = kept;
  }
  return box;
}
