// Frames and picks of a scene of meshes at rest. A frame is what goes before drawing: matrices, and the list of what the
// camera sees.
import { Raycaster, Vector3 } from 'three';
import { digestIds } from '../answers.mjs';
import { inPlanes } from '../exact.mjs';
import { queries, worldly } from '../workloads.mjs';
import { cameraAt, rays } from '../worlds.mjs';
import { buildScene } from './buildScene.mjs';

/** Plain three takes milliseconds for one. */
const PICKS = 40;

export const SCENE_WORKLOADS = {
  'frame 1 %': worldly(['frame'], frames, { share: 0.01 }),
  'frame 10 %': worldly(['frame'], frames, { share: 0.1 }),
  'frame 50 %': worldly(['frame'], frames, { share: 0.5 }),
  'frame 100 %': worldly(['frame'], frames, { share: 1 }),
  'pick all': worldly(['pick'], picks('pick')),
  'pick first': worldly(['pickFirst'], picks('pickFirst')),
};

/** three culls by spheres, structures by boxes, which are tighter: what only its sphere shows may be there or not. */
function frames(adapter, boxes, { views }) {
  const { scene, meshes } = buildScene(boxes);
  const cameras = views.map(({ pose, planes }) => Object.assign(cameraAt(pose), { planes }));
  const sees = {
    build: () => adapter.build(scene, meshes),
    frame: (camera) => adapter.frame(camera),
  };
  const digest = (list, { planes }) => {
    const { frustum } = list;
    const ids = list.ids.filter((id) => inPlanes(boxes, 6 * id, planes) || !meshes[id].intersectsFrustum(frustum));
    return digestIds({ ids, length: ids.length });
  };
  return queries('frame', undefined, { digest, isSameNumber: false })(sees, boxes, { views: cameras });
}

function picks(method) {
  return (adapter, boxes) => {
    const { scene, meshes } = buildScene(boxes);
    const raycasters = rays(boxes, PICKS).map(
      ({ origin, direction }) => new Raycaster(new Vector3(...origin), new Vector3(...direction)),
    );
    const asks = {
      build: () => adapter.build(scene, meshes),
      [method]: (raycaster) => adapter[method](raycaster),
    };
    const ask = queries(method, () => raycasters, { digest: digestHits })(asks, boxes, {});
    if (method === 'pick') return ask;
    // Of equally near hits any is right.
    return (round) => {
      const { time } = ask(-1);
      const distances = raycasters.map(
        (raycaster) => adapter[method](raycaster)[0]?.distance ?? Number.POSITIVE_INFINITY,
      );
      return { time, answers: [], distances: round === 0 ? distances : [] };
    };
  };
}

function digestHits(hits) {
  return digestIds({ ids: hits.map(({ object }) => object.number), length: hits.length });
}
