// @three.ez/batched-mesh-extensions: methods put on the prototype of BatchedMesh, with its BVH of the instances.
import { extendBatchedMeshPrototype } from '@three.ez/batched-mesh-extensions';
import { WebGLCoordinateSystem } from 'three';
import { batchOf, listOf } from '../instances/batchOf.mjs';

export function create({ radix = false }) {
  extendBatchedMeshPrototype();
  let mesh;
  return {
    async build(geometry, matrices, isSorted) {
      mesh = batchOf(geometry, matrices, isSorted);
      if (radix) {
        const { createRadixSort } = await import('@three.ez/batched-mesh-extensions');
        mesh.customSort = createRadixSort(mesh);
      }
      mesh.computeBVH(WebGLCoordinateSystem);
    },
    list: (camera) => listOf(mesh, camera),
    hits: (raycaster) => raycaster.intersectObject(mesh),
  };
}
