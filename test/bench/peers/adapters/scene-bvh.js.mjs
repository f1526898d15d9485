// bvh.js, made once of the bounds of all meshes, drives the list: the matrices of what is found are made anew, as three would
// do. It has no search by distance: for the first hit all are found.
import { BVH, HybridBuilder } from 'bvh.js';
import { Box3, Matrix4 } from 'three';
import { RenderList } from '../scene/RenderList.mjs';

export function create({ matrices = true }) {
  const list = new RenderList();
  const matrix = new Matrix4();
  let bvh;
  const pick = (raycaster) => {
    const hits = [];
    const { direction, origin } = raycaster.ray;
    bvh.rayIntersections(direction.toArray(), origin.toArray(), (mesh) => {
      mesh.raycast(raycaster, hits);
    });
    return hits.sort((a, b) => a.distance - b.distance);
  };
  return {
    build(_scene, meshes) {
      const bounds = new Box3();
      const boxes = meshes.map((mesh) => {
        const { min, max } = bounds.setFromObject(mesh);
        return Float64Array.of(min.x, max.x, min.y, max.y, min.z, max.z);
      });
      bvh = new BVH(new HybridBuilder(true));
      bvh.createFromArray(meshes, boxes, () => {}, 0);
    },
    frame(camera) {
      list.begin(camera);
      matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
      bvh.frustumCulling(matrix.elements, ({ object }, _frustum, mask) => {
        if (matrices) object.updateMatrixWorld();
        list.take(object, mask === 0);
      });
      return list;
    },
    pick,
    pickFirst: (raycaster) => pick(raycaster).slice(0, 1),
  };
}
