// Frames and picks of a scene of meshes at rest. A frame is what goes before drawing: matrices, and the list of what the
// camera sees.
import { Frustum, Matrix4, Raycaster, Vector3 } from 'three';
import { digestIds } from '../answers.mjs';
import { inPlanes } from '../exact.mjs';
import { held, queries, timed, worldly } from '../workloads.mjs';
import { cameraAt, rays, someIds } from '../worlds.mjs';
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

/** What a page waits for when it loads, in a process that has done nothing yet; and what it has then. */
export const LOADING_WORKLOADS = {
  load: worldly(['build'], load, { isFresh: true }),
  'memory of a mesh': worldly(['build'], memory),
  'move 1 %': worldly(['follow'], moves),
  'cull 10 %, of a scene': worldly(['cull'], culls, { share: 0.1 }),
  'pick all, of a scene': worldly(['pick'], picks('pick')),
  'pick first, of a scene': worldly(['pickFirst'], picks('pickFirst')),
};

function load(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes, true);
  held();
  return () => ({ time: 1e3 * timed(() => adapter.build(scene, meshes)), answers: [] });
}

function memory(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes, true);
  const before = held();
  adapter.build(scene, meshes);
  const bytes = (held() - before) / meshes.length;
  return () => ({ time: bytes, answers: [] });
}

/** Frames in which one mesh of a hundred moves: its matrices, and what is to be told of it. */
function moves(adapter, boxes) {
  const { scene, meshes } = buildScene(boxes, true);
  adapter.build(scene, meshes);
  const some = Array.from(someIds(meshes.length, 0.01), (id) => meshes[id]);
  return (round) => {
    let time = 0;
    for (let frame = 0; frame < 10; frame++) {
      for (const { position } of some) position.x += round % 2 === 0 ? 0.1 : -0.1;
      time += timed(() => adapter.follow());
    }
    return { time: 100 * time, answers: [] };
  };
}

function culls(adapter, boxes, { views }) {
  const { scene, meshes } = buildScene(boxes, true);
  const cameras = views.map(({ pose, planes }) => {
    const camera = Object.assign(cameraAt(pose), { planes });
    camera.updateMatrixWorld();
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return Object.assign(camera, { frustum: new Frustum().setFromProjectionMatrix(matrix) });
  });
  const sees = { build: () => adapter.build(scene, meshes), cull: (camera) => adapter.cull(camera) };
  const digest = (seen, { planes, frustum }) => {
    const ids = seen
      .map(({ number }) => number)
      .filter((id) => inPlanes(boxes, 6 * id, planes) || !meshes[id].intersectsFrustum(frustum));
    return digestIds({ ids, length: ids.length });
  };
  return queries('cull', undefined, { digest, isSameNumber: false })(sees, boxes, { views: cameras });
}

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
