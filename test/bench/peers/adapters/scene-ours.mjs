// The scene accelerated, and walked as a renderer does; or an index beside the scene, asked for what is to be drawn. All is
// declared to be at rest, unless told otherwise; `structure` names another structure than the default one.
import { accelerate, createIndex, enableSimd, SceneIndex } from '../library.mjs';
import { RenderList } from '../scene/RenderList.mjs';

export function create({ isApart = false, isStatic = true, structure = 'looseOctree' }) {
  enableSimd(process.env.SIMD !== '0');
  const list = new RenderList();
  const seen = [];
  let scene;
  let index;
  const build = (given) => {
    scene = given;
    const options = { structure: createIndex(structure) };
    index = isApart ? new SceneIndex(scene, options) : accelerate(scene, options);
    if (isStatic) index.setStatic(scene, true);
  };
  const cull = (camera) => index.cull(camera, seen);
  const pickFirst = (raycaster) => {
    const hit = index.raycastFirst(raycaster);
    return hit === null ? [] : [hit];
  };
  if (isApart) {
    return {
      build,
      cull,
      follow: () => index.update(),
      frame(camera) {
        index.update();
        list.begin(camera);
        for (const mesh of index.cull(camera, seen)) list.push(mesh);
        return list;
      },
      pick: (raycaster) => index.raycast(raycaster),
      pickFirst,
    };
  }
  return {
    build,
    cull,
    follow: () => scene.updateMatrixWorld(),
    frame(camera) {
      scene.updateMatrixWorld();
      list.begin(camera);
      list.project(scene);
      return list;
    },
    pick: (raycaster) => raycaster.intersectObject(scene),
    pickFirst,
  };
}
