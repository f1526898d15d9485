// Its ObjectBVH, made once, drives the list: the matrices of what is found are made anew, as three would do.
import { ObjectBVH } from 'three-mesh-bvh';
import { classifyPlanes } from '../classifyPlanes.mjs';
import { RenderList } from '../scene/RenderList.mjs';

export function create({ matrices = true }) {
  const list = new RenderList();
  let scene;
  let bvh;
  const cast = (raycaster, firstHitOnly) => {
    raycaster.firstHitOnly = firstHitOnly;
    return bvh.raycast(raycaster, []).sort((a, b) => a.distance - b.distance);
  };
  return {
    build(given) {
      scene = given;
      bvh = new ObjectBVH(scene);
    },
    follow() {
      scene.updateMatrixWorld();
      bvh.refit();
    },
    cull({ frustum }) {
      const seen = [];
      const planes = frustum.planes.flatMap(({ normal: { x, y, z }, constant }) => [x, y, z, constant]);
      bvh.shapecast({
        intersectsBounds: (box) => classifyPlanes(box, planes),
        intersectsObject(mesh, _instance, isContained) {
          if (isContained || mesh.intersectsFrustum(frustum)) seen.push(mesh);
        },
      });
      return seen;
    },
    frame(camera) {
      list.begin(camera);
      const planes = list.frustum.planes.flatMap(({ normal: { x, y, z }, constant }) => [x, y, z, constant]);
      bvh.shapecast({
        intersectsBounds: (box) => classifyPlanes(box, planes),
        intersectsObject(mesh, _instance, isContained) {
          if (matrices) mesh.updateMatrixWorld();
          list.take(mesh, isContained);
        },
      });
      return list;
    },
    pick: (raycaster) => cast(raycaster, false),
    pickFirst: (raycaster) => cast(raycaster, true),
  };
}
