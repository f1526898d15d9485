// InstancedMesh2 of @three.ez/instanced-mesh, with its BVH of the instances or without.
import { createRadixSort, InstancedMesh2 } from '@three.ez/instanced-mesh';
import { MeshBasicMaterial } from 'three';

export function create({ bvh = false, radix = false }) {
  let mesh;
  return {
    build(geometry, matrices, isSorted) {
      mesh = new InstancedMesh2(geometry, new MeshBasicMaterial(), { capacity: matrices.length });
      mesh.addInstances(matrices.length, ({ matrix }, id) => matrix.copy(matrices[id]));
      for (const [id, matrix] of matrices.entries()) mesh.setMatrixAt(id, matrix);
      // What a renderer would make; it is never uploaded.
      mesh.instanceIndex ??= { array: Uint32Array.from(matrices.keys()) };
      mesh.sortObjects = isSorted;
      if (radix) mesh.customSort = createRadixSort(mesh);
      if (bvh) mesh.computeBVH();
    },
    list(camera) {
      mesh.performFrustumCulling(camera);
      return { ids: mesh.instanceIndex.array, length: mesh.count };
    },
    hits: (raycaster) => raycaster.intersectObject(mesh),
  };
}
