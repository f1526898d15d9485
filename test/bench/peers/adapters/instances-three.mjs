// BatchedMesh of three.js as it is.
import { batchOf, listOf } from '../instances/batchOf.mjs';

export function create() {
  let mesh;
  return {
    build(geometry, matrices, isSorted) {
      mesh = batchOf(geometry, matrices, isSorted);
    },
    list: (camera) => listOf(mesh, camera),
    hits: (raycaster) => raycaster.intersectObject(mesh),
  };
}
