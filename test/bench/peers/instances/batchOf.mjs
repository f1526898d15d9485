// A BatchedMesh of three, and what WebGLRenderer does with one before it draws.
import { BatchedMesh, MeshBasicMaterial } from 'three';

export function batchOf(geometry, matrices, isSorted) {
  const { attributes, index } = geometry;
  const mesh = new BatchedMesh(matrices.length, attributes.position.count, index.count, new MeshBasicMaterial());
  const shape = mesh.addGeometry(geometry);
  for (const matrix of matrices) mesh.setMatrixAt(mesh.addInstance(shape), matrix);
  mesh.sortObjects = isSorted;
  return mesh;
}

/** The instances that a pass of a camera draws. */
export function listOf(mesh, camera) {
  mesh.onBeforeRender({}, null, camera, mesh.geometry, mesh.material, null);
  return { ids: mesh._indirectTexture.image.data, length: mesh._multiDrawCount };
}
