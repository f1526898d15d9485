// three.js alone: all matrices anew, then the walk over the scene. A scene at rest may do without the former.
import { RenderList } from '../scene/RenderList.mjs';

export function create({ matrices = true }) {
  const list = new RenderList();
  let scene;
  return {
    build(given) {
      scene = given;
      scene.matrixWorldAutoUpdate = matrices;
      scene.updateMatrixWorld(true);
    },
    follow: () => scene.updateMatrixWorld(),
    cull({ frustum }) {
      const seen = [];
      scene.traverse((object) => {
        if (object.isMesh && object.intersectsFrustum(frustum)) seen.push(object);
      });
      return seen;
    },
    frame(camera) {
      if (scene.matrixWorldAutoUpdate) scene.updateMatrixWorld();
      list.begin(camera);
      list.project(scene);
      return list;
    },
    pick: (raycaster) => raycaster.intersectObject(scene),
    pickFirst: (raycaster) => raycaster.intersectObject(scene).slice(0, 1),
  };
}
